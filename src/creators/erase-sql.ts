import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { eraseMemberTexts, removeFromAllPrograms } from './members-sql.ts';

type ErasedCreator = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly at: Date;
  readonly name: string;
};

/**
 * Erases a creator's personal data: name, email, payout accounts, tax details, preferences. The row stays, suspended, because the
 * ledger refers to it. The creator leaves all programs, so that their links no longer earn.
 */
export async function eraseCreatorRows(db: Queryable, { creatorId, storeIds, at, name }: ErasedCreator): Promise<void> {
  await db.run(sql`
    update creators set name = ${name}, email = '', suspended_at = coalesce(suspended_at, ${at}) where creator_id = ${creatorId}`);
  await db.run(sql`
    update payout_methods set instrument = ${name}, last4 = null, replaced_at = coalesce(replaced_at, ${at})
    where creator_id = ${creatorId}`);
  await db.run(sql`update creators set suspension_reason = null where creator_id = ${creatorId}`);
  await db.run(sql`update creator_suspensions set reason = null, note = null where creator_id = ${creatorId}`);
  await db.run(sql`delete from creator_tax where creator_id = ${creatorId}`);
  await db.run(sql`delete from creator_mails_off where creator_id = ${creatorId}`);
  await db.run(sql`delete from stripe_accounts where creator_id = ${creatorId}`);
  await removeFromAllPrograms(db, { creatorId, storeIds, at });
  await eraseMemberTexts(db, { creatorId, storeIds });
}

/** Scans the whole table, which has few rows. */
export async function eraseSuspenderName(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update creator_suspensions set suspended_by_name = ${name} where suspended_by = any(${texts(actors)})`);
  await db.run(sql`update creator_suspensions set ended_by_name = ${name} where ended_by = any(${texts(actors)})`);
}

import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** The emails that a creator can turn off. Security emails (a changed payout method, a password) are always sent. */
export const creatorEmailKinds = ['joined', 'new_commissions', 'approved', 'refused', 'paid', 'failed'] as const;
export type CreatorEmailKind = (typeof creatorEmailKinds)[number];

/** All emails are on by default. */
export async function listDisabledEmails(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlySet<CreatorEmailKind>> {
  const rows = await db.all<{ kind: CreatorEmailKind }>(sql`select kind from creator_mails_off where creator_id = ${creatorId}`);
  return new Set(rows.map(({ kind }) => kind));
}

export const isEmailEnabled = async (db: Queryable, creatorId: Id<'crt'>, kind: CreatorEmailKind): Promise<boolean> =>
  !(await listDisabledEmails(db, creatorId)).has(kind);

type EmailPreference = { readonly creatorId: Id<'crt'>; readonly kind: CreatorEmailKind; readonly isWanted: boolean };

export async function saveEmailPreference(db: Queryable, { creatorId, kind, isWanted }: EmailPreference): Promise<void> {
  await (isWanted
    ? db.run(sql`delete from creator_mails_off where creator_id = ${creatorId} and kind = ${kind}`)
    : db.run(sql`insert into creator_mails_off (creator_id, kind) values (${creatorId}, ${kind}) on conflict do nothing`));
}

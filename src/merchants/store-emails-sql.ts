import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** The emails that a person of a store can turn off. Urgent emails, such as a failed charge, are always sent. */
export const storeEmailKinds = ['applications', 'approvals', 'disputes'] as const;
export type StoreEmailKind = (typeof storeEmailKinds)[number];

type InStore = { readonly storeId: Id<'store'>; readonly userId: Id<'user'> };

/** All emails are on by default. */
export async function listDisabledStoreEmails(db: Queryable, { storeId, userId }: InStore): Promise<ReadonlySet<StoreEmailKind>> {
  const rows = await db.all<{ kind: StoreEmailKind }>(sql`
    select kind from store_mails_off where store_id = ${storeId} and user_id = ${userId}`);
  return new Set(rows.map(({ kind }) => kind));
}

export async function listPeopleWithEmailDisabled(
  db: Queryable,
  storeId: Id<'store'>,
  kind: StoreEmailKind,
): Promise<ReadonlySet<Id<'user'>>> {
  const rows = await db.all<{ userId: Id<'user'> }>(sql`
    select user_id from store_mails_off where store_id = ${storeId} and kind = ${kind}`);
  return new Set(rows.map(({ userId }) => userId));
}

type Choice = InStore & { readonly kind: StoreEmailKind; readonly isWanted: boolean };

export async function saveStoreEmailChoice(db: Queryable, { storeId, userId, kind, isWanted }: Choice): Promise<void> {
  await (isWanted
    ? db.run(sql`delete from store_mails_off where store_id = ${storeId} and user_id = ${userId} and kind = ${kind}`)
    : db.run(sql`
        insert into store_mails_off (store_id, user_id, kind) values (${storeId}, ${userId}, ${kind}) on conflict do nothing`));
}

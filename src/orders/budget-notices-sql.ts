import type { Id } from '../core/ids.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { bigints, emptySql, smallints, sql, texts, uuids } from '../db/sql.ts';
import type { BudgetNotice } from './decide-budget.ts';

export type NewBudgetNotice = BudgetNotice & { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> };

/** The lock of the budgets keeps two batches from inserting the same ones. A notice that exists was or will be sent. */
export const insertBudgetNotices = (tx: Transaction, notices: readonly NewBudgetNotice[], at: Date): Promise<unknown> =>
  queryByStore(notices, (storeId, ofStore) =>
    tx.all(sql`
      insert into budget_notices (store_id, program_id, limit_name, month, limit_cents, percent, reached_at)
      select ${storeId}::uuid, program_id, limit_name, month, limit_cents, percent, ${at}::timestamptz
      from unnest(${uuids(ofStore.map(({ programId }) => programId))}, ${texts(ofStore.map(({ limit }) => limit))},
        ${texts(ofStore.map(({ month }) => month))}, ${bigints(ofStore.map(({ limitCents }) => limitCents))},
        ${smallints(ofStore.map(({ percent }) => percent))}) as fresh (program_id, limit_name, month, limit_cents, percent)
      on conflict do nothing`),
  );

export type UnsentNotice = BudgetNotice & { readonly programId: Id<'prog'>; readonly programName: string };

/** Locks them, and skips what another process is sending. */
export const lockUnsentNotices = (tx: Transaction, storeId: Id<'store'>): Promise<UnsentNotice[]> =>
  tx.all(sql`
    select n.program_id, p.name as program_name, n.limit_name as "limit", n.month, n.limit_cents, n.percent
    from budget_notices n join programs p on p.store_id = n.store_id and p.program_id = n.program_id
    where n.store_id = ${storeId} and n.sent_at is null
    order by n.program_id, n.limit_name, n.month, n.limit_cents, n.percent for update of n skip locked`);

export const markSent = (
  tx: Transaction,
  storeId: Id<'store'>,
  { programId, limit, month, limitCents, percent }: UnsentNotice,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update budget_notices set sent_at = ${at}
    where store_id = ${storeId} and program_id = ${programId} and limit_name = ${limit} and month = ${month}
      and limit_cents = ${limitCents} and percent = ${percent}`);

/** Reads across all stores by the index budget_notices_unsent. */
export async function listStoresWithUnsentNotices(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from budget_notices
    where sent_at is null ${after === null ? emptySql : sql`and store_id > ${after}`} order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/** Reads across all stores by the index budget_notices_unsent; called only after an outage. */
export async function findFirstUnsentNotice(db: Queryable): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(reached_at) as earliest from budget_notices where sent_at is null`);
  return earliest;
}

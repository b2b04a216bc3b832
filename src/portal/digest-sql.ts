import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/** Ids are times: what was made from the one to the other. */
export type Span = { readonly from: Id; readonly to: Id };

type Stretch = { readonly after: Id<'crt'> | null; readonly limit: number };

/** Whose commissions were opened or decided in a store since then. By primary keys, so that what is older is not read. */
export const creatorsWithNews = async (
  db: Queryable,
  storeId: Id<'store'>,
  { from, to }: Span,
  { after, limit }: Stretch,
): Promise<ReadonlyArray<Id<'crt'>>> => {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from (
      select creator_id from commissions where store_id = ${storeId} and commission_id >= ${from} and commission_id < ${to}
      union
      select c.creator_id from decisions d join commissions c on c.store_id = ${storeId} and c.commission_id = d.commission_id
      where d.store_id = ${storeId} and d.decision_id >= ${from} and d.decision_id < ${to} and d.action in ('approve', 'reject')
    ) as found ${after === null ? nothing : sql`where creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
};

/** Up to when a creator was told. Locked: of two who tell, the second finds it told. Null: never. */
export async function lockTold(tx: Transaction, creatorId: Id<'crt'>): Promise<Date | null> {
  const row = await tx.find<{ toldUntil: Date }>(sql`select told_until from creator_digests where creator_id = ${creatorId} for update`);
  return row?.toldUntil ?? null;
}

export async function keepTold(tx: Transaction, creatorId: Id<'crt'>, until: Date): Promise<void> {
  await tx.run(sql`
    insert into creator_digests (creator_id, told_until) values (${creatorId}, ${until})
    on conflict (creator_id) do update set told_until = greatest(creator_digests.told_until, excluded.told_until)`);
}

type Asked = Span & { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };
export type Sum = { readonly count: bigint; readonly amount: Cents };

export const openedSince = (db: Queryable, { storeId, creatorId, from, to }: Asked): Promise<Sum> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and commission_id >= ${from} and commission_id < ${to}`);

/** Those that were approved then, and still are: what was taken back since is no news. */
export const approvedSince = (db: Queryable, { storeId, creatorId, from, to }: Asked): Promise<Sum> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and state in ('approved', 'billed', 'collected', 'paid')
      and commission_id in (
        select commission_id from decisions
        where store_id = ${storeId} and decision_id >= ${from} and decision_id < ${to} and action = 'approve')`);

export type Refused = { readonly sourceText: string; readonly amount: Cents; readonly rejectedReason: string };

export const refusedSince = (db: Queryable, { storeId, creatorId, from, to }: Asked, limit: number): Promise<Refused[]> =>
  db.all(sql`
    select source_text, amount_cents as amount, rejected_reason from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and state = 'rejected'
      and commission_id in (
        select commission_id from decisions
        where store_id = ${storeId} and decision_id >= ${from} and decision_id < ${to} and action = 'reject')
    order by commission_id limit ${limit}`);

import type { Database } from '../src/db/database.ts';
import { sql, uuids } from '../src/db/sql.ts';
import { newId, type Id } from '../src/core/ids.ts';
import { dayMs } from '../src/core/time.ts';
import { idAt, orderNameAt } from './fill-lists-sql.ts';
import { inStretches as inChunks } from './intervals.ts';

export type Filled = { readonly storeIds: ReadonlyArray<Id<'store'>>; readonly creatorIds: ReadonlyArray<Id<'crt'>> };

const creatorsOfAll = 200;
const rowsAtOnce = 50_000;

/** Stores with a payment method, and creators. */
export async function fillStores(database: Database, count: number): Promise<Filled> {
  const now = new Date();
  const at = new Date(now.getTime() - 400 * dayMs);
  const storeIds = Array.from({ length: count }, () => newId<'store'>(at));
  const creatorIds = Array.from({ length: creatorsOfAll }, () => newId<'crt'>(at));
  await database.run(sql`
    insert into stores (store_id, name, site_url, tracking_key, tracking_on_at, created_at)
    select store_id, 'Shop', 'https://shop.example', 'tk_' || store_id, ${at}, ${at} from unnest(${uuids(storeIds)}) as store_id`);
  await database.run(sql`
    insert into payment_methods (store_id, payment_method_id, provider, instrument, made_at)
    select store_id, store_id, 'sandbox', 'ok', ${at} from unnest(${uuids(storeIds)}) as store_id`);
  await database.run(sql`
    insert into creators (creator_id, name, email, created_at)
    select creator_id, 'Creator', creator_id || '@creator.example', ${at} from unnest(${uuids(creatorIds)}) as creator_id`);
  return { storeIds, creatorIds };
}

/** Approved commissions after their hold, in the ledger: the input of a month-end run. */
export async function fillApproved(database: Database, { storeIds, creatorIds }: Filled, perStore: number): Promise<number> {
  const count = storeIds.length * perStore;
  const began = new Date(Date.now() - 60 * dayMs);
  await inChunks(count, rowsAtOnce, (from, to) =>
    insertCommissions(database, { storeIds, creatorIds, from, to, began, spreadDays: 20, isYear: false }),
  );
  await addToBooks(database, storeIds);
  return count;
}

/** A year of one store in all states, for scrolling through lists. These rows have no ledger entries. */
export async function fillYear(database: Database, filled: Filled, count: number): Promise<void> {
  const began = new Date(Date.now() - 365 * dayMs);
  await inChunks(count, rowsAtOnce, (from, to) =>
    insertCommissions(database, { ...filled, from, to, began, spreadDays: 364, isYear: true }),
  );
  await database.run(sql`analyze commissions`);
}

type Chunk = Filled & {
  readonly from: number;
  readonly to: number;
  readonly began: Date;
  readonly spreadDays: number;
  readonly isYear: boolean;
};

async function insertCommissions(database: Database, { storeIds, creatorIds, from, to, began, spreadDays, isYear }: Chunk): Promise<void> {
  const state = isYear
    ? sql`case when place % 10 < 6 then 'reversed' when place % 10 < 8 then 'pending' else 'rejected' end`
    : sql`'approved'`;
  const at = sql`${began}::timestamptz + make_interval(secs => (place % 1000000) * ${spreadDays * 86_400} / 1000000.0)`;
  await database.run(sql`
    insert into commissions (store_id, commission_id, state, program_id, creator_id, link_number, source_kind, source_id, source_text,
      eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until, earned, approved_at,
      rejected_at, reversed_at, source_name)
    select (${uuids(storeIds)})[1 + place % ${storeIds.length}], ${idAt(sql`extract(epoch from at) * 1000`, sql`'c' || place`)}, state,
      md5('p')::uuid, (${uuids(creatorIds)})[1 + (place / ${storeIds.length}) % ${creatorIds.length}], place % 50, 'order',
      md5('s' || place)::uuid, 'order-' || place, 10000, 1000, at, at, 1, 30, 30, at + interval '30 days',
      '[{"product_id": null, "of_cents": 10000, "quantity": 1, "basis_points": 1000, "flat_cents": null, "amount_cents": 1000}]',
      case when state = 'approved' then at end, case when state = 'rejected' then at end, case when state = 'reversed' then at end,
      ${isYear ? orderNameAt : sql`null`}
    from (
      select place, date_trunc('milliseconds', ${at}) as at, ${state} as state
      from generate_series(${from}::bigint, ${to - 1}::bigint) as place
    ) as made`);
}

/** Writes the accruals, the balances, and the counts, so that verification finds no difference before and after. */
async function addToBooks(database: Database, storeIds: ReadonlyArray<Id<'store'>>): Promise<void> {
  const filled = sql`store_id = any(${uuids(storeIds)})`;
  await database.run(sql`
    insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at)
    select store_id, 'order', source_id, 'expected', 'to_creators', amount_cents, creator_id, recorded_at from commissions
    where ${filled}`);
  await database.run(sql`
    insert into balances (store_id, account, creator_id, slot, debit_cents, credit_cents)
    select store_id, account, creator_id, 0, sum(case when account = 'expected' then amount_cents else 0 end),
      sum(case when account = 'to_creators' then amount_cents else 0 end)
    from transfers cross join (values ('expected'), ('to_creators')) as of (account)
    where ${filled} group by store_id, account, creator_id`);
  await database.run(sql`
    insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, (occurred_at at time zone 'utc')::date, what, -1, count(*), sum(eligible_cents), sum(amount_cents)
    from commissions cross join (values ('order'), ('approved')) as of (what)
    where ${filled} group by 1, 2, 3`);
  for (const table of [sql`commissions`, sql`transfers`, sql`balances`]) await database.run(sql`analyze ${table}`);
}

/** All sales, from which a year's overview would be computed without daily counts. */
export const overviewFromRaw = (database: Database, storeId: Id<'store'>, range: { readonly from: string; readonly to: string }) =>
  database.all(sql`
    select (occurred_at at time zone 'utc')::date as day, source_kind as what, count(*) as count, sum(eligible_cents) as eligible_cents,
      sum(amount_cents) as commission_cents
    from commissions
    where store_id = ${storeId} and occurred_at >= ${range.from}::date and occurred_at < ${range.to}::date + 1
    group by 1, 2 order by 1, 2`);

/** The daily counts of that year, as the writing transactions would have left them. */
export async function fillRollups(database: Database, storeId: Id<'store'>): Promise<void> {
  await database.run(sql`
    insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, (occurred_at at time zone 'utc')::date, source_kind, -1, count(*), sum(eligible_cents), sum(amount_cents)
    from commissions where store_id = ${storeId} group by 1, 2, 3`);
  await database.run(sql`analyze store_days`);
}

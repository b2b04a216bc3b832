import { noCreator } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import { type Check, type Difference } from '../db/check.ts';
import { findDifferences } from '../db/differences.ts';
import { payoutStatesWithMoney, unfinishedPayoutStates } from './payout-states.ts';

export const payoutChecks: readonly Check[] = [
  {
    what: 'each entry that a store sends to its creators is in their books exactly once',
    rows: countEntries,
    differences: entriesThatDiffer,
  },
  { what: 'what a creator earned is what the entries say', rows: countEarnings, differences: earningsThatDiffer },
  {
    what: 'the books of store and creator differ by what is on its way and nothing else',
    rows: countEntries,
    differences: booksThatDiffer,
  },
  { what: "a creator's accounts are what is earned, on its way and paid", rows: countEarnings, differences: accountsThatDiffer },
  { what: 'no creator is paid more than was collected or advanced', rows: countEarnings, differences: creatorsPaidTooMuch },
  { what: 'a payout is the sum of its lines', rows: countPayouts, differences: payoutsThatDiffer },
  { what: 'a commission is in the payout that pays its creator, and in no other', rows: countPayouts, differences: commissionsThatDiffer },
  {
    what: 'no failed payout is reported as paid without a decision since',
    rows: countPayouts,
    differences: payoutsContradicted,
  },
];

/** Reports differences of a creator's ledger that belong to no single store. */
const noStore = noCreator;

async function countEntries(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`select count(*) as rows from creator_outbox`);
  return rows;
}

async function countEarnings(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`select count(*) as rows from earnings`);
  return rows;
}

async function countPayouts(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`select count(*) as rows from payouts`);
  return rows;
}

/** Finds entries that are marked as delivered but missing, present but never sent, or present with other content. */
export function entriesThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select coalesce(o.store_id, e.store_id)::text as store_id,
           format('entry %s of creator %s: sent as %s %s, stands as %s %s', coalesce(o.entry_id, e.entry_id),
             coalesce(o.creator_id, e.creator_id), o.kind, o.amount_cents, e.kind, e.amount_cents) as detail
    from creator_outbox o full join creator_entries e on e.store_id = o.store_id and e.entry_id = o.entry_id
    where o.entry_id is null or (e.entry_id is null and o.delivered_at is not null)
      or (o.creator_id, o.commission_id, o.kind, o.amount_cents) is distinct from
         (coalesce(e.creator_id, o.creator_id), coalesce(e.commission_id, o.commission_id), coalesce(e.kind, o.kind),
          coalesce(e.amount_cents, o.amount_cents))`,
  );
}

export function earningsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with told as (
      select creator_id, store_id, commission_id,
        max(amount_cents) filter (where kind <> 'refunded') - coalesce(sum(amount_cents) filter (where kind = 'refunded'), 0) as amount_cents,
        sum(case kind when 'collected' then 1 when 'charged_back' then -1 when 'credited' then -1 when 'advance_ended' then -1 else 0 end)
          as collected,
        sum(case kind when 'advanced' then 1 when 'repaid' then -1 when 'advance_ended' then -1 else 0 end) as advanced
      from creator_entries group by creator_id, store_id, commission_id
    )
    select coalesce(told.store_id, e.store_id)::text as store_id,
           format('commission %s of creator %s: entries say %s, collected %s, advanced %s; kept are %s, %s, %s',
             coalesce(told.commission_id, e.commission_id), coalesce(told.creator_id, e.creator_id), told.amount_cents, told.collected,
             told.advanced, e.amount_cents, e.collected, e.advanced) as detail
    from told full join earnings e using (creator_id, store_id, commission_id)
    where (told.amount_cents, told.collected, told.advanced) is distinct from (e.amount_cents, e.collected, e.advanced)`,
  );
}

/** The store's collected total for creators must equal what the creators' ledgers received from the store. */
export function booksThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with of_store as (
      select store_id, creator_id, sum(case account when 'to_creators' then credit_cents - debit_cents
          when 'expected' then credit_cents - debit_cents when 'owed' then credit_cents - debit_cents else 0 end) as cents
      from balances where creator_id <> ${noCreator} group by store_id, creator_id
    ), of_creator as (
      select store_id, creator_id, sum(debit_cents - credit_cents) as cents from creator_balances
      where account = 'from_stores' group by store_id, creator_id
    ), on_its_way as (
      select store_id, creator_id, sum(case kind when 'collected' then amount_cents when 'repaid' then amount_cents
          when 'advance_ended' then 0 else -amount_cents end) as cents
      from creator_outbox o
      where delivered_at is null
        and not exists (select 1 from creator_entries e where e.creator_id = o.creator_id and e.entry_id = o.entry_id)
      group by store_id, creator_id
    )
    select store_id::text, format('creator %s: collected by the store %s, in the book of the creator %s, on its way %s', creator_id,
             coalesce(of_store.cents, 0), coalesce(of_creator.cents, 0), coalesce(on_its_way.cents, 0)) as detail
    from of_store full join of_creator using (store_id, creator_id) full join on_its_way using (store_id, creator_id)
    where coalesce(of_store.cents, 0) <> coalesce(of_creator.cents, 0) + coalesce(on_its_way.cents, 0)`,
  );
}

/** Recomputes each account from its rows. `from_stores` is the remainder, because every transfer has two sides. */
export function accountsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with earned as (
      select creator_id, store_id, sum(collected * amount_cents) as collected, sum(advanced * amount_cents) as advanced
      from earnings group by creator_id, store_id
    ), gone as (
      select s.creator_id, s.store_id,
        sum(case when ${inStates(payoutStatesWithMoney, sql`p.state`)} then s.amount_cents else 0 end) as in_payout,
        sum(case when p.state = 'paid' then s.amount_cents else 0 end) as paid
      from payouts p join payout_stores s using (creator_id, payout_id) where s.amount_cents is not null group by s.creator_id, s.store_id
    ), kept as (
      select creator_id, store_id,
        sum(case account when 'available' then credit_cents - debit_cents else 0 end) as available,
        sum(case account when 'in_payout' then credit_cents - debit_cents else 0 end) as in_payout,
        sum(case account when 'paid' then credit_cents - debit_cents else 0 end) as paid,
        sum(case account when 'advance' then debit_cents - credit_cents else 0 end) as advance
      from creator_balances group by creator_id, store_id
    )
    select store_id::text,
           format('creator %s: available %s, in payout %s, paid %s, advance %s; earned %s, advanced %s, sent %s, paid out %s', creator_id,
             kept.available, kept.in_payout, kept.paid, kept.advance, earned.collected, earned.advanced, gone.in_payout,
             gone.paid) as detail
    from kept full join earned using (creator_id, store_id) full join gone using (creator_id, store_id)
    where coalesce(kept.in_payout, 0) <> coalesce(gone.in_payout, 0) or coalesce(kept.paid, 0) <> coalesce(gone.paid, 0)
      or coalesce(kept.advance, 0) <> coalesce(earned.advanced, 0)
      or coalesce(kept.available, 0) <> coalesce(earned.collected, 0) - coalesce(gone.in_payout, 0) - coalesce(gone.paid, 0)`,
  );
}

/** Money paid and in transit is at most what was collected and advanced, once all entries are delivered. */
export function creatorsPaidTooMuch(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with available as (
      select creator_id, sum(credit_cents - debit_cents) as cents from creator_balances where account = 'available' group by creator_id
    ), on_its_way as (
      select creator_id, sum(case kind when 'collected' then amount_cents when 'advanced' then 0 when 'repaid' then 0
          else -amount_cents end) as cents
      from creator_outbox o
      where delivered_at is null
        and not exists (select 1 from creator_entries e where e.creator_id = o.creator_id and e.entry_id = o.entry_id)
      group by creator_id
    )
    select ${noStore}::text as store_id, format('creator %s: available %s, on its way %s', creator_id, coalesce(available.cents, 0),
             coalesce(on_its_way.cents, 0)) as detail
    from available full join on_its_way using (creator_id)
    where coalesce(available.cents, 0) + coalesce(on_its_way.cents, 0) < 0`,
  );
}

/** Compares a payout with its lines, its stores, and, until it ends without payment, its earnings. */
export function payoutsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with lines as (
      select creator_id, payout_id, sum(amount_cents) as cents from payout_lines group by creator_id, payout_id
    ), stores as (
      select creator_id, payout_id, sum(amount_cents) as cents from payout_stores group by creator_id, payout_id
    ), held as (
      select creator_id, payout_id, sum(amount_cents) as cents from earnings where payout_id is not null group by creator_id, payout_id
    )
    select ${noStore}::text as store_id, format('payout %s of creator %s, %s: %s, its lines %s, its stores %s, its earnings %s', payout_id,
             creator_id, p.state, p.amount_cents, lines.cents, stores.cents, held.cents) as detail
    from payouts p left join lines using (creator_id, payout_id) left join stores using (creator_id, payout_id)
      full join held using (creator_id, payout_id)
    where p.state is null
      or (p.amount_cents is not null and (p.amount_cents is distinct from lines.cents or p.amount_cents is distinct from stores.cents))
      or (${inStates([...payoutStatesWithMoney, 'paid'], sql`p.state`)} and p.amount_cents is distinct from held.cents)
      or (p.state in ('failed', 'returned', 'given_up') and p.told_at is not null and held.cents is not null)`,
  );
}

/** Not an error of the ledger: a person has to get the money back and record that. */
export function payoutsContradicted(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select ${noStore}::text as store_id,
           format('payout %s of creator %s over %s failed, and is told paid', payout_id, creator_id, amount_cents) as detail
    from payouts where state = 'failed' and contradicted_at is not null and contradiction_decided_at is null`,
  );
}

/** Commissions and earnings change one after the other while a payout is drafted or settled; otherwise they agree. */
export function commissionsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with claimed as (
      select store_id, commission_id, creator_id, state, payout_id from commissions where payout_id is not null
    ), held as (
      select store_id, commission_id, creator_id, payout_id from earnings where payout_id is not null
    )
    select coalesce(claimed.store_id, held.store_id)::text as store_id,
           format('commission %s, %s: is in payout %s, its earning in %s, which is %s', coalesce(claimed.commission_id, held.commission_id),
             claimed.state, claimed.payout_id, held.payout_id, p.state) as detail
    from claimed full join held using (store_id, commission_id, creator_id)
      left join payouts p on p.creator_id = coalesce(claimed.creator_id, held.creator_id)
        and p.payout_id = coalesce(claimed.payout_id, held.payout_id)
    where p.state is null
      or (claimed.payout_id is distinct from held.payout_id and (p.told_at is not null
        or ${inStates([...payoutStatesWithMoney, 'paid'], sql`p.state`)}))
      or (p.told_at is not null and (p.state <> 'paid' or claimed.state is distinct from 'paid'))
      or (claimed.state = 'paid' and ${inStates(unfinishedPayoutStates, sql`p.state`)})`,
  );
}

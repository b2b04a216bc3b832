import { noCreator } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { sql, type Sql, uuids } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import { rowsOf } from '../db/differences.ts';
import type { Check, Difference } from '../db/check.ts';
import { compareSides } from '../db/compare-sides.ts';
import { differencesMax, findDifferences } from '../db/differences.ts';
import { nilId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { payoutStatesWithMoney, unfinishedPayoutStates, type PayoutState } from './payout-states.ts';

export const payoutChecks: readonly Check[] = [
  {
    what: 'each entry that a store sends to its creators is in their books exactly once',
    rows: rowsOf(sql`creator_outbox`),
    differences: entriesThatDiffer,
  },
  { what: 'what a creator earned is what the entries say', rows: rowsOf(sql`earnings`), differences: earningsThatDiffer },
  {
    what: 'the books of store and creator differ by what is on its way and nothing else',
    rows: rowsOf(sql`creator_outbox`),
    differences: booksThatDiffer,
  },
  { what: "a creator's accounts are what is earned, on its way and paid", rows: rowsOf(sql`earnings`), differences: accountsThatDiffer },
  { what: 'no creator is paid more than was collected or advanced', rows: rowsOf(sql`earnings`), differences: creatorsPaidTooMuch },
  { what: 'a payout is the sum of its lines', rows: rowsOf(sql`payouts`), differences: payoutsThatDiffer },
  {
    what: 'a commission is in the payout that pays its creator, and in no other',
    rows: rowsOf(sql`payouts`),
    differences: commissionsThatDiffer,
  },
  {
    what: 'no failed payout is reported as paid without a decision since',
    rows: rowsOf(sql`payouts`),
    differences: payoutsContradicted,
  },
];

/** Reports differences of a creator's ledger that belong to no single store. */
const noStore = nilId<'store'>();

type Entry = {
  readonly storeId: Id<'store'>;
  readonly entryId: Id;
  readonly creatorId: Id<'crt'>;
  readonly commissionId: Id<'com'>;
  readonly kind: string;
  readonly amountCents: bigint;
};
type SentEntry = Entry & { readonly isDelivered: boolean };

const entryColumns = sql`store_id, entry_id, creator_id, commission_id, kind, amount_cents`;
const entryValue = sql`store_id || ' ' || creator_id || ' ' || commission_id || ' ' || kind || ' ' || amount_cents`;
const entryKey = ({ storeId, entryId }: Pick<Entry, 'storeId' | 'entryId'>): string => `${storeId} ${entryId}`;

/** Finds entries that are marked as delivered but missing, present but never sent, or present with other content. */
export function entriesThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return compareSides(db, {
    one: sql`select entry_id::text as key, ${entryValue} as value from creator_outbox where delivered_at is not null`,
    other: sql`select entry_id::text as key, ${entryValue} as value from creator_entries`,
    async compare(isRead) {
      const sent = await db.all<SentEntry>(sql`
        select ${entryColumns}, delivered_at is not null as is_delivered from creator_outbox where ${isRead(sql`entry_id::text`)}`);
      const received = await db.all<Entry>(sql`select ${entryColumns} from creator_entries where ${isRead(sql`entry_id::text`)}`);
      const sentByKey = new Map(sent.map((entry) => [entryKey(entry), entry]));
      const receivedKeys = new Set(received.map(entryKey));
      return [
        ...received.flatMap((entry) => {
          const original = sentByKey.get(entryKey(entry)) ?? null;
          return original !== null && isSameEntry(original, entry) ? [] : [entryDifference(original, entry)];
        }),
        ...sent.flatMap((entry) => (entry.isDelivered && !receivedKeys.has(entryKey(entry)) ? [entryDifference(entry, null)] : [])),
      ];
    },
  });
}

const isSameEntry = (one: Entry, other: Entry): boolean =>
  one.creatorId === other.creatorId &&
  one.commissionId === other.commissionId &&
  one.kind === other.kind &&
  one.amountCents === other.amountCents;

function entryDifference(sent: Entry | null, received: Entry | null): Difference {
  const entry = sent ?? received;
  invariant(entry, 'a difference has at least one side');
  const shown = (one: Entry | null) => (one === null ? 'nothing' : `${one.kind} ${one.amountCents}`);
  return {
    storeId: entry.storeId,
    detail: `entry ${entry.entryId} of creator ${entry.creatorId}: sent as ${shown(sent)}, received as ${shown(received)}`,
  };
}

export function earningsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with told as (
      select creator_id, store_id, commission_id,
        max(amount_cents) filter (where kind <> 'refunded')
          - coalesce(sum(amount_cents) filter (where kind = 'refunded'), 0) as amount_cents,
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

/** What the entry changes in what the store's book says was collected for the creator. */
const collectedCents = ({ kind, amountCents }: Pick<Entry, 'kind' | 'amountCents'>): bigint =>
  kind === 'advance_ended' ? 0n : kind === 'collected' || kind === 'repaid' ? amountCents : -amountCents;

type Book = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly cents: bigint };

const storeBooks = sql`
  select store_id, creator_id, sum(case account when 'to_creators' then credit_cents - debit_cents
      when 'expected' then credit_cents - debit_cents when 'owed' then credit_cents - debit_cents else 0 end) as cents
  from balances where creator_id <> ${noCreator} group by store_id, creator_id`;
const creatorBooks = sql`
  select store_id, creator_id, sum(debit_cents - credit_cents) as cents from creator_balances
  where account = 'from_stores' group by creator_id, store_id`;
const pairKey = sql`store_id || ' ' || creator_id`;

/**
 * The store's collected total for creators must equal what the creators' ledgers received from the store. An entry is on its way if the
 * store has not marked it as delivered and the creator does not have it.
 */
export function booksThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return compareSides(db, {
    one: sql`
      select ${pairKey} as key, sum(cents)::text as value from (
        ${storeBooks}
        union all
        select store_id, creator_id, sum(case kind when 'collected' then -amount_cents when 'repaid' then -amount_cents
          when 'advance_ended' then 0 else amount_cents end) as cents
        from creator_outbox where delivered_at is null group by store_id, creator_id
      ) as books group by store_id, creator_id having sum(cents) <> 0`,
    other: sql`select ${pairKey} as key, cents::text as value from (${creatorBooks}) as books where cents <> 0`,
    async compare(isRead) {
      const ofStores = await db.all<Book>(sql`select * from (${storeBooks}) as books where ${isRead(pairKey)}`);
      const ofCreators = await db.all<Book>(sql`select * from (${creatorBooks}) as books where ${isRead(pairKey)}`);
      const onTheirWay = await entriesOnTheirWay(db, isRead(pairKey));
      const books = new Map<string, BooksOfPair>();
      const add = (
        { storeId, creatorId }: Pick<Book, 'storeId' | 'creatorId'>,
        cents: Partial<Pick<BooksOfPair, 'store' | 'creator' | 'onItsWay'>>,
      ) => {
        const before = books.get(`${storeId} ${creatorId}`) ?? { storeId, creatorId, store: 0n, creator: 0n, onItsWay: 0n };
        books.set(`${storeId} ${creatorId}`, {
          ...before,
          store: before.store + (cents.store ?? 0n),
          creator: before.creator + (cents.creator ?? 0n),
          onItsWay: before.onItsWay + (cents.onItsWay ?? 0n),
        });
      };
      for (const book of ofStores) add(book, { store: book.cents });
      for (const book of ofCreators) add(book, { creator: book.cents });
      for (const entry of onTheirWay) add(entry, { onItsWay: collectedCents(entry) });
      return [...books.values()].flatMap(({ storeId, creatorId, store, creator, onItsWay }) =>
        store === creator + onItsWay
          ? []
          : [
              {
                storeId,
                detail:
                  `creator ${creatorId}: collected by the store ${store}, in the book of the creator ${creator}, ` +
                  `on its way ${onItsWay}`,
              },
            ],
      );
    },
  });
}

type BooksOfPair = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly store: bigint;
  readonly creator: bigint;
  readonly onItsWay: bigint;
};

/** Delivering marks an entry after it is in the creator's book, so those that are there already are left out. */
async function entriesOnTheirWay(db: Queryable, condition: Sql): Promise<readonly Entry[]> {
  const undelivered = await db.all<Entry>(sql`select ${entryColumns} from creator_outbox where delivered_at is null and ${condition}`);
  const received = await db.all<{ entryId: Id }>(sql`
    select entry_id from creator_entries
    where creator_id = any(${uuids([...new Set(undelivered.map(({ creatorId }) => creatorId))])})
      and entry_id = any(${uuids(undelivered.map(({ entryId }) => entryId))})`);
  const receivedIds = new Set(received.map(({ entryId }) => entryId));
  return undelivered.filter(({ entryId }) => !receivedIds.has(entryId));
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

const creatorsPerPage = 500;

/**
 * Money paid and in transit is at most what was collected and advanced, once all entries are delivered: only creators whose available
 * amount is negative already, or would be with all that is on its way, are read one by one.
 */
export async function creatorsPaidTooMuch(db: Queryable): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  const suspects = new Set([...(await creatorsBelowZero(db)), ...(await creatorsLosingOnTheirWay(db))]);
  for (const creatorIds of pagesOf([...suspects], creatorsPerPage)) {
    const available = await db.all<{ creatorId: Id<'crt'>; cents: bigint }>(sql`
      select creator_id, sum(credit_cents - debit_cents) as cents from creator_balances
      where account = 'available' and creator_id = any(${uuids(creatorIds)}) group by creator_id`);
    const availableOf = new Map(available.map(({ creatorId, cents }) => [creatorId, cents]));
    const onItsWayOf = Map.groupBy(await entriesOnTheirWay(db, sql`creator_id = any(${uuids(creatorIds)})`), ({ creatorId }) => creatorId);
    for (const creatorId of creatorIds) {
      const cents = availableOf.get(creatorId) ?? 0n;
      const onItsWay = (onItsWayOf.get(creatorId) ?? []).reduce((sum, entry) => sum + availableCents(entry), 0n);
      if (cents + onItsWay < 0n)
        found.push({ storeId: noStore, detail: `creator ${creatorId}: available ${cents}, on its way ${onItsWay}` });
    }
    if (found.length >= differencesMax) break;
  }
  return found;
}

/** What the entry changes in the creator's available amount. */
const availableCents = ({ kind, amountCents }: Pick<Entry, 'kind' | 'amountCents'>): bigint =>
  kind === 'collected' ? amountCents : kind === 'advanced' || kind === 'repaid' ? 0n : -amountCents;

async function creatorsBelowZero(db: Queryable): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from creator_balances where account = 'available'
    group by creator_id having sum(credit_cents - debit_cents) < 0 order by creator_id`);
  return rows.map(({ creatorId }) => creatorId);
}

async function creatorsLosingOnTheirWay(db: Queryable): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select distinct creator_id from creator_outbox
    where delivered_at is null and kind not in ('collected', 'advanced', 'repaid') order by creator_id`);
  return rows.map(({ creatorId }) => creatorId);
}

const pagesOf = <Item>(items: readonly Item[], size: number): ReadonlyArray<readonly Item[]> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_none, page) => items.slice(page * size, (page + 1) * size));

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

type ClaimedCommission = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: string;
  readonly payoutId: Id<'pay'>;
};
type HeldEarning = Omit<ClaimedCommission, 'state'>;
type PayoutOfCommission = { readonly payoutId: Id<'pay'>; readonly state: PayoutState; readonly isSettled: boolean };

const commissionValue = (step: Sql): Sql => sql`e.store_id || ' ' || e.creator_id || ' ' || e.payout_id || ' ' || ${step}`;

/**
 * Commissions and earnings change one after the other while a payout is drafted or settled; otherwise they agree. The sums differ also
 * where they may, until a payout is settled.
 */
export function commissionsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return compareSides(db, {
    one: sql`
      select e.commission_id::text as key, ${commissionValue(sql`(case when e.state = 'paid' then 'paid' else 'open' end)`)} as value
      from commissions e where e.payout_id is not null`,
    other: sql`
      select e.commission_id::text as key, ${commissionValue(sql`(case when p.state is null then 'none' when p.told_at is null then 'open'
          when p.state = 'paid' then 'paid' else 'ended' end)`)} as value
      from earnings e left join payouts p on p.creator_id = e.creator_id and p.payout_id = e.payout_id where e.payout_id is not null`,
    async compare(isRead) {
      const claimed = await db.all<ClaimedCommission>(sql`
        select store_id, commission_id, creator_id, state, payout_id from commissions
        where payout_id is not null and ${isRead(sql`commission_id::text`)}`);
      const held = await db.all<HeldEarning>(sql`
        select store_id, commission_id, creator_id, payout_id from earnings
        where payout_id is not null and ${isRead(sql`commission_id::text`)}`);
      const both = [...claimed, ...held];
      const payouts = await db.all<PayoutOfCommission>(sql`
        select payout_id, state, told_at is not null as is_settled from payouts
        where creator_id = any(${uuids([...new Set(both.map(({ creatorId }) => creatorId))])})
          and payout_id = any(${uuids([...new Set(both.map(({ payoutId }) => payoutId))])})`);
      const payoutOf = new Map(payouts.map((payout) => [payout.payoutId, payout]));
      const key = ({ storeId, commissionId, creatorId }: HeldEarning) => `${storeId} ${commissionId} ${creatorId}`;
      const [claimedOf, heldOf] = [new Map(claimed.map((one) => [key(one), one])), new Map(held.map((one) => [key(one), one]))];
      return [...new Set(both.map(key))].flatMap((each) =>
        commissionDifference(claimedOf.get(each) ?? null, heldOf.get(each) ?? null, payoutOf),
      );
    },
  });
}

function commissionDifference(
  claimed: ClaimedCommission | null,
  held: HeldEarning | null,
  payouts: ReadonlyMap<Id<'pay'>, PayoutOfCommission>,
): readonly Difference[] {
  const one = claimed ?? held;
  invariant(one, 'a difference has at least one side');
  const payout = payouts.get(one.payoutId) ?? null;
  if (payout !== null && agrees(claimed, held, payout)) return [];
  const detail =
    `commission ${one.commissionId}, ${claimed?.state ?? 'in no payout'}: is in payout ${claimed?.payoutId ?? 'none'}, ` +
    `its earning in ${held?.payoutId ?? 'none'}, which is ${payout?.state ?? 'missing'}`;
  return [{ storeId: one.storeId, detail }];
}

function agrees(claimed: ClaimedCommission | null, held: HeldEarning | null, { state, isSettled }: PayoutOfCommission): boolean {
  const isIn = (states: readonly PayoutState[]) => states.includes(state);
  if (claimed?.payoutId !== held?.payoutId && (isSettled || isIn([...payoutStatesWithMoney, 'paid']))) return false;
  if (isSettled && (state !== 'paid' || claimed?.state !== 'paid')) return false;
  return !(claimed?.state === 'paid' && isIn(unfinishedPayoutStates));
}

import { rowLocked, Superseded, type Attempt } from '../batch/attempts.ts';
import { resolveClicks, type ResolvedClick } from '../clicks/resolve-clicks.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import type { OpenedCommission } from '../commissions/commission.ts';
import { lockCommissions, openCommissions, reverseCommissions, type ReversedCommission } from '../commissions/commissions-sql.ts';
import { openedRollups, reversedRollups } from '../commissions/rollups.ts';
import type { Refusal } from '../contract/reasons.ts';
import { contentHash, isSameContent, type Content, type FieldList } from '../contract/content-hash.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { ExplainedOutcome, Outcome } from '../contract/reply.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { insertRefusedOrders, isVisibleToCreator, type RefusedOrder } from '../creators/refused-orders-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import { loadTermsOfCreators } from '../commissions/terms-of-creators.ts';
import type { Database, Transaction } from '../db/database.ts';
import { inOrder } from '../db/in-order.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Posting } from '../ledger/store-postings.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { turnTrackingOn } from '../merchants/stores-sql.ts';
import { rememberedStores, storesThatCount } from '../merchants/stores-that-count.ts';
import type { StoresThatCount } from '../merchants/terms-sql.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { logEntryOf, type LogEntry } from '../tracking/log-entry.ts';
import { insertLogEntries } from '../tracking/log-sql.ts';
import {
  conversionOutcome,
  decideConversion,
  type ConversionDecision,
  type ConversionFacts,
  type EarlierOrder,
  type NewOrder,
  type ReferralClick,
  type TestClick,
} from './decide-conversion.ts';
import {
  decideReversal,
  reversalOutcome,
  type NewReversal,
  type ReversalDecision,
  type ReversalFacts,
  type ReversibleOrder,
} from './decide-reversal.ts';
import {
  claimClicks,
  claimedClicks,
  earlyReversals,
  indexByOrder,
  insertEarlyReversals,
  insertOrders,
  insertReversals,
  insertTestOrders,
  orderKeyText,
  ordersByHash,
  reversalsByHash,
  testOrders,
  type OrderKey,
  type StoredOrder,
} from './orders-sql.ts';
import { insertFirstOrders, type FirstOrder } from './first-orders-sql.ts';
import { loadCustomers, noCustomerFacts, type CustomerFacts } from './load-customers.ts';
import { lockAndReadBudgets, type OwnerOfTerms } from './load-budgets.ts';
import { insertBudgetNotices, type NewBudgetNotice } from './budget-notices-sql.ts';
import { budgetNotices, noBudgets, type Budgets } from './decide-budget.ts';
import { insertBindings, insertUses } from './partners-sql.ts';
import {
  addOwners,
  namesPartners,
  noPartnerFacts,
  noPartnerRows,
  readPartners,
  type NewPartnerRows,
  type PartnerFacts,
} from './load-partners.ts';
import { outcompetedWhy, type Partners } from './decide-attribution.ts';
import { rejectedCodeOwners } from './rejected-code-owners.ts';
import { conversionLists, reversalLists, type ConversionReport, type ReversalReport } from './report.ts';

/** A report in the batch. */
export type Item = ConversionItem | ReversalItem;
export type ConversionItem = { readonly is: 'conversion'; readonly report: ConversionReport } & PostbackOfOrder;
export type ReversalItem = { readonly is: 'reversal'; readonly report: ReversalReport } & PostbackOfOrder;
export type PostbackOfOrder = {
  readonly postback: Postback<Integration>;
  /** SHA-256 of the merchant's order ID, by which orders are found. */
  readonly orderHash: Buffer;
};

export const storeOf = (item: Item) => item.postback.integration.storeId;
const keyOf = (item: Item): OrderKey => ({ storeId: storeOf(item), orderHash: item.orderHash });
const isConversion = (item: Item): item is ConversionItem => item.is === 'conversion';
const isReversal = (item: Item): item is ReversalItem => item.is === 'reversal';
const occurredAtOf = ({ report }: ConversionItem) => report.occurredAt;
const isTest = (item: Item): boolean => item.is === 'conversion' && item.report.isTest;

export type RecordingContext = { readonly database: Database; readonly ring: KeyRing; readonly now: () => Date };

/** Loads facts, decides each report, writes the changes as sets, commits, and returns the outcomes, in one transaction for a batch. */
export async function recordOrders(
  { database, ring, now: readClock }: RecordingContext,
  items: readonly Item[],
  attempt: Attempt,
): Promise<ReadonlyArray<Outcome | typeof rowLocked>> {
  return database.transaction(async (tx) => {
    const now = readClock();
    const conversions = decideConversions(await loadConversionFacts(tx, { ring, now }, items.filter(isConversion)));
    const reversals = (await loadReversalFacts(tx, { now, lockWaitMs: attempt.lockWaitMs }, items.filter(isReversal))).map(
      ({ item, facts }) => ({ item, decision: facts && decideReversal(item.report, facts) }),
    );
    const outcomes = new Map<Item, ExplainedOutcome>();
    for (const { item, decision } of conversions) outcomes.set(item, conversionOutcome(decision));
    for (const { item, decision } of reversals) if (decision) outcomes.set(item, reversalOutcome(decision));

    const entries = [...outcomes].map(([item, explained]) =>
      logEntryOf(item.postback, { ...explained, subject: item.report.orderId, isTest: isTest(item), at: now }),
    );
    await writeChanges(tx, collectChanges(conversions, reversals, now), { now, entries });
    return items.map((item): Outcome | typeof rowLocked => {
      const explained = outcomes.get(item);
      return explained ? { ...explained.outcome, isLogged: true } : rowLocked;
    });
  }, attempt.commitSent);
}

type LoadContext = { readonly ring: KeyRing; readonly now: Date; readonly lockWaitMs: number };

/** The outcome that a report would have now. It writes nothing. Null if a commission is locked, so the caller has to retry. */
export async function dryRunOrder(tx: Transaction, context: LoadContext, item: Item): Promise<ExplainedOutcome | null> {
  if (item.is === 'conversion') {
    const [decided] = decideConversions(await loadConversionFacts(tx, context, [item]));
    return decided ? conversionOutcome(decided.decision) : null;
  }
  const [loaded] = await loadReversalFacts(tx, context, [item]);
  return loaded?.facts ? reversalOutcome(decideReversal(item.report, loaded.facts)) : null;
}

type ConversionWithFacts = {
  readonly item: ConversionItem;
  readonly facts: Omit<ConversionFacts, 'partners' | 'isNewCustomer' | 'budgets'>;
};
type LoadedConversions = {
  readonly conversions: readonly ConversionWithFacts[];
  readonly partners: PartnerFacts;
  readonly customers: CustomerFacts;
  readonly budgets: Budgets;
};

/** One after the other, because an order of the batch may take a code's or a customer's last use from a later one. */
function decideConversions({ conversions, partners, customers, budgets }: LoadedConversions): readonly DecidedConversion[] {
  return conversions.map(({ item, facts }) => {
    const order = { storeId: facts.storeId, report: item.report };
    const beside = partners.of(order);
    const decision = decideConversion(item.report, { ...facts, ...customers.of(order), partners: beside, budgets });
    const decided = { item, click: facts.click, partners: beside, decision };
    if (decision.do !== 'record') return { ...decided, rows: noPartnerRows, firsts: [], notices: [] };
    budgets.add(decision.commission, decision.order.occurredAt, decision.commission.earning.amount);
    const { earning } = decision.commission;
    const earned = { report: item.report, earning };
    const rows = partners.add(decision.order, keyOf(item));
    return { ...decided, rows, firsts: customers.add(earned, keyOf(item)), notices: noticesOf(decision, budgets) };
  });
}

function noticesOf({ order, commission }: Extract<ConversionDecision, { readonly do: 'record' }>, budgets: Budgets): Notices {
  const { budget } = order.attribution.credited.terms;
  if (budget === undefined) return [];
  const { storeId, programId } = commission;
  const exceeded = commission.earning.parts[0]?.budget ?? null;
  const notices = budgetNotices(budget, { used: budgets.usedBy(commission, order.occurredAt), exceeded, at: order.occurredAt });
  return notices.map((notice) => ({ ...notice, storeId, programId }));
}

/**
 * Runs one statement for each question, not for each order. `counting` are the stores that count more than clicks; the facts of the first
 * order of such a store in this process are loaded a second time.
 */
async function loadConversionFacts(
  tx: Transaction,
  { ring, now }: Pick<LoadContext, 'ring' | 'now'>,
  items: readonly ConversionItem[],
  counting: StoresThatCount = rememberedStores(items.map(keyOf)),
): Promise<LoadedConversions> {
  if (items.length === 0) return { conversions: [], partners: noPartnerFacts, customers: noCustomerFacts, budgets: noBudgets };
  const keys = items.map(keyOf);
  const reports = items.map((item) => ({ storeId: storeOf(item), report: item.report }));
  const clicks = await resolveClicks(
    tx,
    ring,
    reports.map(({ storeId, report }) => ({ storeId, text: report.clickId })),
  );
  const referrals = clicks.filter((click) => click?.kind === 'referral');
  // One round trip, executed in this order. Claims, uses, bindings, and first orders are read before orders, so that none is seen without
  // its order. In the other order, a copy whose original commits in between would be refused because its click backs another order.
  const [claims, read, customers, storedOrders, reversedEarly, storedTests, terms, suspended, found] = await Promise.all([
    claimedClicks(tx, referrals),
    readPartners(tx, reports, counting.beyondClicks),
    loadCustomers(tx, reports, counting.newCustomers),
    ordersByHash(tx, keys),
    earlyReversals(tx, keys),
    testOrders(tx, items.filter(isTest).map(keyOf)),
    loadTermsOfCreators(tx, referrals, items.map(occurredAtOf)),
    listSuspendedCreators(tx, referrals),
    storesThatCount(
      tx,
      reports.filter(({ report }) => namesPartners(report)),
    ),
  ]);
  if (!areAllIn(counting, found)) return loadConversionFacts(tx, { ring, now }, items, found);
  const partners = await addOwners(tx, read, { terms, suspended });
  const orders = indexByOrder(storedOrders);
  const early = indexByOrder(reversedEarly);
  const tests = indexByOrder(storedTests);
  const clickFacts = clickFactsOf({ claims, suspended, terms });
  const conversions = items.map((item, index) => ({
    item,
    facts: {
      now,
      storeId: storeOf(item),
      earlier: item.report.isTest ? null : earlierOrder(item, orders.get(orderKeyText(keyOf(item)))),
      click: clickFacts(item, clicks[index] ?? null),
      wasReversedEarly: early.has(orderKeyText(keyOf(item))),
      fresh: {
        // A test order is decided again each time, but it keeps its ID, which its reversal returns.
        transactionId: tests.get(orderKeyText(keyOf(item)))?.transactionId ?? newId<'ord'>(now),
        commissionId: newId<'com'>(now),
      },
    },
  }));
  return { conversions, partners, customers, budgets: await loadBudgets(tx, conversions, partners) };
}

type FactsOfClicks = {
  readonly claims: Awaited<ReturnType<typeof claimedClicks>>;
  readonly suspended: Awaited<ReturnType<typeof listSuspendedCreators>>;
  readonly terms: Awaited<ReturnType<typeof loadTermsOfCreators>>;
};

function clickFactsOf({ claims, suspended, terms }: FactsOfClicks) {
  const claimed = new Set(claims.map(({ storeId, clickId }) => `${storeId} ${clickId}`));
  return (item: ConversionItem, click: ResolvedClick | null): ReferralClick | TestClick | null => {
    if (click === null || click.kind === 'test') return click;
    return {
      ...click,
      backsAnotherOrder: claimed.has(`${click.storeId} ${click.clickId}`),
      isCreatorSuspended: suspended.has(click.creatorId),
      terms: terms(click, item.report.occurredAt, click.at) ?? null,
    };
  };
}

const areAllIn = (known: StoresThatCount, found: StoresThatCount): boolean =>
  [...found.beyondClicks].every((storeId) => known.beyondClicks.has(storeId)) &&
  [...found.newCustomers].every((storeId) => known.newCustomers.has(storeId));

/** The budgets of everyone who may earn an order of the batch. */
function loadBudgets(tx: Transaction, conversions: readonly ConversionWithFacts[], partners: PartnerFacts): Promise<Budgets> {
  const owners: OwnerOfTerms[] = [];
  const add = (storeId: Id<'store'>, earners: ReadonlyArray<Omit<OwnerOfTerms, 'storeId'>>) => {
    for (const { programId, creatorId, terms } of earners)
      if (terms?.budget !== undefined) owners.push({ storeId, programId, creatorId, terms });
  };
  for (const { item, facts } of conversions) {
    const { storeId, click } = facts;
    const beside = partners.of({ storeId, report: item.report });
    if (click?.kind === 'referral') add(storeId, [click]);
    if (beside !== null) add(storeId, [...beside.codes, ...beside.bindings]);
  }
  return lockAndReadBudgets(
    tx,
    owners,
    conversions.map(({ item }) => item.report.occurredAt),
  );
}

function earlierOrder({ report }: ConversionItem, stored: StoredOrder | undefined): EarlierOrder | null {
  if (!stored) return null;
  const { transactionId, commissionId, recordedAt } = stored;
  return { transactionId, commissionId, recordedAt, isSame: isSameContent(stored.contentHash, conversionLists, report.content) };
}

/** Null facts: another transaction has locked the commission. */
type ReversalWithFacts = { readonly item: ReversalItem; readonly facts: ReversalFacts | null };

/**
 * Locks commissions first and reads the rest in later statements, because the snapshot of one statement would be older than its lock. All
 * are sent together; PostgreSQL executes them in this order.
 */
async function loadReversalFacts(
  tx: Transaction,
  { now, lockWaitMs }: Pick<LoadContext, 'now' | 'lockWaitMs'>,
  items: readonly ReversalItem[],
): Promise<readonly ReversalWithFacts[]> {
  if (items.length === 0) return [];
  const keys = items.map(keyOf);
  const orders = indexByOrder(await ordersByHash(tx, keys));
  const [locked, storedReversals, storedTests] = await inOrder([
    lockCommissions(tx, [...orders.values()], lockWaitMs),
    reversalsByHash(tx, keys),
    testOrders(tx, keys),
  ]);
  const commissions = new Map(locked.map((commission) => [commission.commissionId, commission]));
  const reversals = indexByOrder(storedReversals);
  const tests = indexByOrder(storedTests);

  return items.map((item) => {
    const key = orderKeyText(keyOf(item));
    const order = orders.get(key);
    const commission = order && commissions.get(order.commissionId);
    if (order && !commission) return { item, facts: null };
    const stored = reversals.get(key);
    const reversible: ReversibleOrder | null =
      order && commission
        ? {
            ...order,
            creatorId: commission.creatorId,
            state: commission.state,
            held: commission.heldReason,
            amount: commission.amountCents,
            isInvoiced: commission.isInvoiced,
          }
        : null;
    const facts: ReversalFacts = {
      now,
      storeId: storeOf(item),
      earlier: stored
        ? { receivedAt: stored.receivedAt, isSame: isSameContent(stored.contentHash, reversalLists, item.report.content) }
        : null,
      order: reversible,
      testOrder: tests.get(key) ?? null,
      fresh: { reversalId: newId<'rev'>(now) },
    };
    return { item, facts };
  });
}

/** What the decisions of a batch change. */
type Changes = {
  readonly recorded: ReadonlyArray<
    OrderKey & {
      readonly order: NewOrder;
      readonly commission: OpenedCommission;
      readonly postings: readonly Posting[];
      readonly rows: NewPartnerRows;
      readonly firsts: readonly FirstOrder[];
    }
  >;
  readonly verified: ReadonlyArray<OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'> }>;
  readonly reversed: ReadonlyArray<OrderKey & { readonly reversal: NewReversal; readonly postings: readonly Posting[] }>;
  /** Reversals of orders that partial refunds had reversed before. */
  readonly confirmed: ReadonlyArray<OrderKey & { readonly reversal: NewReversal }>;
  /** Reversals of orders that are not yet reported. */
  readonly early: readonly OrderKey[];
  readonly refused: readonly RefusedOrder[];
  readonly notices: Notices;
};

type DecidedConversion = {
  readonly item: ConversionItem;
  readonly click: ReferralClick | TestClick | null;
  readonly partners: Partners | null;
  readonly decision: ConversionDecision;
  readonly rows: NewPartnerRows;
  readonly firsts: readonly FirstOrder[];
  readonly notices: Notices;
};
type Notices = readonly NewBudgetNotice[];
/** Null decision: the commission is locked, and the item leaves the batch without a change. */
type DecidedReversal = { readonly item: Item; readonly decision: ReversalDecision | null };

function collectChanges(conversions: readonly DecidedConversion[], reversals: readonly DecidedReversal[], now: Date): Changes {
  const recorded: Array<Changes['recorded'][number]> = [];
  const verified: Array<Changes['verified'][number]> = [];
  const reversed: Array<Changes['reversed'][number]> = [];
  const confirmed: Array<Changes['confirmed'][number]> = [];
  const early: Array<Changes['early'][number]> = [];
  const refused: Array<Changes['refused'][number]> = [];
  for (const { item, click, partners, decision, rows, firsts } of conversions) {
    const shown: RefusedOrder[] = [];
    if (decision.do === 'refuse' && click !== null) shown.push(...refusedForCreator(item, click, { ...decision, at: now }));
    if (decision.do === 'record') recorded.push({ ...keyOf(item), ...decision, rows, firsts });
    if (decision.do === 'record') shown.push(...outcompetedCreator(item, decision.order));
    const earns = decision.do === 'record' ? decision.order.attribution.credited.creatorId : null;
    const informed = [earns, ...shown.map(({ creatorId }) => creatorId)];
    refused.push(...shown, ...ownersWithoutCommission(item, { partners, why: decision.why, informed }, now));
    if (decision.do === 'verify') verified.push({ ...keyOf(item), orderId: item.report.orderId, transactionId: decision.transactionId });
  }
  for (const { item, decision } of reversals) {
    if (decision?.do === 'reverse') reversed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'confirm') confirmed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'remember') early.push(keyOf(item));
  }
  return { recorded, verified, reversed, confirmed, early, refused, notices: conversions.flatMap(({ notices }) => notices) };
}

type RefusedAs = Pick<RefusedOrder, 'why' | 'at'> & { readonly reason: Refusal };

/** What the creator of the click sees of a refused order. Test orders and test clicks have no creator. */
function refusedForCreator(
  item: ConversionItem,
  click: ReferralClick | TestClick,
  { reason, why, at }: RefusedAs,
): readonly RefusedOrder[] {
  if (click.kind === 'test' || item.report.isTest || !isVisibleToCreator(reason)) return [];
  const { creatorId, programId, linkNumber, clickId } = click;
  const { storeId, orderHash: subjectHash } = keyOf(item);
  return [{ storeId, creatorId, programId, linkNumber, clickId, operation: 'conversion', subjectHash, reason, why, at }];
}

function ownersWithoutCommission(
  item: ConversionItem,
  decided: Parameters<typeof rejectedCodeOwners>[0],
  at: Date,
): readonly RefusedOrder[] {
  const { storeId, orderHash: subjectHash } = keyOf(item);
  return rejectedCodeOwners(decided).map((owner) => ({ ...owner, storeId, operation: 'conversion', subjectHash, at }));
}

/** What a creator sees of an order that earns for another creator. */
function outcompetedCreator(item: ConversionItem, { attribution, occurredAt, recordedAt }: NewOrder): readonly RefusedOrder[] {
  const { outcompeted: other, why } = attribution;
  if (other === null || why === null) return [];
  const { storeId, orderHash: subjectHash } = keyOf(item);
  const { creatorId, programId, linkNumber, click } = other;
  const clickId = click?.clickId ?? null;
  const shown = { ...outcompetedWhy(why), occurred_at: occurredAt.toISOString() };
  const of = { storeId, creatorId, programId, linkNumber, clickId, operation: 'conversion', subjectHash } as const;
  return [{ ...of, reason: 'another_creator', why: shown, at: recordedAt }];
}

/**
 * Writes in the global lock order: clicks, orders, uses, bindings, first orders, commissions, rows that cannot conflict, rollups. Log
 * entries take no locks.
 */
async function writeChanges(
  tx: Transaction,
  { recorded, verified, reversed, confirmed, early, refused, notices }: Changes,
  { now, entries }: { readonly now: Date; readonly entries: readonly LogEntry[] },
): Promise<void> {
  const orders = writeOrders(tx, { recorded, early, now });
  const reversals = writeReversals(tx, { reversed, confirmed });
  // Without a reversal or a test order, one round trip writes everything: what follows an order that is not new is rolled back.
  const isInTwoSteps = early.length + reversed.length + confirmed.length + verified.length > 0;
  const [, ended] = isInTwoSteps ? await inOrder([orders, reversals]) : [null, []];
  if (early.length > 0) await insertEarlyReversals(tx, early, now);
  if (verified.length > 0) {
    await writeTestOrders(tx, verified, now);
    for (const storeId of new Set(verified.map((row) => row.storeId))) await turnTrackingOn(tx, storeId, now);
  }
  const opened = recorded.map(({ commission }) => commission);
  await inOrder([
    orders,
    reversals,
    openCommissions(tx, opened),
    postStoreTransfers(
      tx,
      [...recorded, ...reversed].flatMap(({ postings }) => postings),
    ),
    addLinkRollups(tx, [...openedRollups(opened), ...reversedRollups(ended)]),
    insertLogEntries(tx, entries),
    insertRefusedOrders(tx, refused),
    ...(notices.length > 0 ? [insertBudgetNotices(tx, notices, now)] : []),
  ]);
}

/** Sends all statements before it waits; PostgreSQL executes them in this order. */
async function writeOrders(
  tx: Transaction,
  { recorded, early, now }: Pick<Changes, 'recorded' | 'early'> & { readonly now: Date },
): Promise<void> {
  const claims = recorded.flatMap((row) => claimOf(row));
  const orders = recorded.map((row) => ({ ...row, contentHash: newestContentHash(conversionLists, row.order.report.content) }));
  const unknown = early.map((key) => ({ ...key, at: now }));
  const uses = recorded.flatMap(({ rows }) => rows.uses);
  const bindings = recorded.flatMap(({ rows }) => rows.bindings);
  const firsts = recorded.flatMap((row) => row.firsts);
  const [claimed, written, used, bound, first] = await inOrder([
    claimClicks(tx, claims),
    insertOrders(tx, orders, unknown),
    insertUses(tx, uses),
    insertBindings(tx, bindings),
    insertFirstOrders(tx, firsts),
    requireEarlyReversalsHeld(tx, recorded),
  ]);
  requireAllNew(claimed, claims.length);
  requireAllNew(used, uses.length);
  requireAllNew(bound, bindings.length);
  requireAllNew(first, firsts.length);
  requireAllNew(written, orders.length + unknown.length);
}

/** Returns what the rollups need of the commissions that are reversed now. */
async function writeReversals(
  tx: Transaction,
  { reversed, confirmed }: Pick<Changes, 'reversed' | 'confirmed'>,
): Promise<readonly ReversedCommission[]> {
  const rows = [...reversed, ...confirmed].map((row) => ({
    ...row,
    contentHash: newestContentHash(reversalLists, row.reversal.report.content),
  }));
  const [written, ended] = await inOrder([
    insertReversals(tx, rows),
    reverseCommissions(
      tx,
      reversed.map(({ reversal }) => commissionToReverse(reversal)),
    ),
  ]);
  requireAllNew(written, rows.length);
  return ended;
}

/** The click that earned the order. A code backs many orders, and claims none. */
function claimOf({ storeId, orderHash, order }: OrderKey & { readonly order: NewOrder }) {
  const { click } = order.attribution.credited;
  return click === null ? [] : [{ storeId, orderHash, clickId: click.clickId }];
}

/** Fewer rows than sent: another process recorded the order or claimed the click first. The batch rolls back and decides again. */
function requireAllNew(written: number, sent: number): void {
  if (written < sent) throw new Superseded('another process recorded one of these first');
}

/** A test order has one ID, which its reversal returns. If another process stored the order with another ID, that ID wins. */
async function writeTestOrders(tx: Transaction, verified: Changes['verified'], now: Date): Promise<void> {
  await insertTestOrders(
    tx,
    verified.map((row) => ({ ...row, recordedAt: now })),
  );
  const stored = indexByOrder(await testOrders(tx, verified));
  if (verified.some((row) => stored.get(orderKeyText(row))?.transactionId !== row.transactionId))
    throw new Superseded('another process stored one of these test orders first');
}

/** Reads early reversals once more after the orders are inserted, because one may have committed since the facts were loaded. */
async function requireEarlyReversalsHeld(tx: Transaction, recorded: Changes['recorded']): Promise<void> {
  const held = new Set(recorded.filter(({ commission }) => commission.held?.reason === 'early_reversal').map(orderKeyText));
  const early = await earlyReversals(tx, recorded);
  if (early.some((key) => !held.has(orderKeyText(key)))) throw new Superseded('another process received a refund of one of these');
}

function newestContentHash(lists: readonly FieldList[], content: Content): Buffer {
  const newest = lists.at(-1);
  invariant(newest, 'every operation has a list of its fields');
  return contentHash(newest, content);
}

const commissionToReverse = ({ storeId, order, receivedAt, report }: NewReversal) => ({
  storeId,
  commissionId: order.commissionId,
  at: receivedAt,
  reason: report.reason,
});

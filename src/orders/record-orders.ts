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
import { loadTermsOfCreators } from '../creators/terms-of-creators.ts';
import type { Database, Transaction } from '../db/database.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Posting } from '../ledger/store-postings.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { turnTrackingOn } from '../merchants/stores-sql.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
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
import { insertBindings, insertUses } from './partners-sql.ts';
import { loadPartners, namesPartners, noPartnerFacts, noPartnerRows, type NewPartnerRows, type PartnerFacts } from './load-partners.ts';
import { outcompetedWhy } from './decide-attribution.ts';
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

type ConversionWithFacts = { readonly item: ConversionItem; readonly facts: Omit<ConversionFacts, 'partners'> };
type LoadedConversions = { readonly conversions: readonly ConversionWithFacts[]; readonly partners: PartnerFacts };

/** One after the other, because an order of the batch may take a code's or a customer's last use from a later one. */
function decideConversions({ conversions, partners }: LoadedConversions): readonly DecidedConversion[] {
  return conversions.map(({ item, facts }) => {
    const decision = decideConversion(item.report, { ...facts, partners: partners.of({ storeId: facts.storeId, report: item.report }) });
    const rows = decision.do === 'record' ? partners.add(decision.order, keyOf(item)) : noPartnerRows;
    return { item, click: facts.click, decision, rows };
  });
}

/** Runs one statement for each question, not for each order. */
async function loadConversionFacts(
  tx: Transaction,
  { ring, now }: Pick<LoadContext, 'ring' | 'now'>,
  items: readonly ConversionItem[],
): Promise<LoadedConversions> {
  if (items.length === 0) return { conversions: [], partners: noPartnerFacts };
  const keys = items.map(keyOf);
  const clicks = await resolveClicks(
    tx,
    ring,
    items.map((item) => ({ storeId: storeOf(item), text: item.report.clickId })),
  );
  const referrals = clicks.filter((click) => click?.kind === 'referral');
  // One round trip, executed in this order. Claims are read before orders, so that a claim is never seen without its order. In the other
  // order, a copy whose original commits in between would be refused because its click backs another order.
  const [claims, firstRead, reversedEarly, storedTests, terms, suspended, stores] = await Promise.all([
    claimedClicks(tx, referrals),
    ordersByHash(tx, keys),
    earlyReversals(tx, keys),
    testOrders(tx, items.filter(isTest).map(keyOf)),
    loadTermsOfCreators(tx, referrals),
    listSuspendedCreators(tx, referrals),
    storesBeyondClicks(tx, items.filter(({ report }) => namesPartners(report)).map(keyOf)),
  ]);
  const reports = items.map((item) => ({ storeId: storeOf(item), report: item.report }));
  const partners = stores.size === 0 ? noPartnerFacts : await loadPartners(tx, reports, { stores, terms, suspended });
  // Uses and bindings, too, are read before orders.
  const storedOrders = stores.size === 0 ? firstRead : await ordersByHash(tx, keys);
  const claimed = new Set(claims.map(({ storeId, clickId }) => `${storeId} ${clickId}`));
  const orders = indexByOrder(storedOrders);
  const early = indexByOrder(reversedEarly);
  const tests = indexByOrder(storedTests);

  const clickFacts = (item: ConversionItem, click: ResolvedClick | null): ReferralClick | TestClick | null => {
    if (click === null || click.kind === 'test') return click;
    return {
      ...click,
      backsAnotherOrder: claimed.has(`${click.storeId} ${click.clickId}`),
      isCreatorSuspended: suspended.has(click.creatorId),
      terms: terms(click, item.report.occurredAt) ?? null,
    };
  };
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
  return { conversions, partners };
}

function earlierOrder({ report }: ConversionItem, stored: StoredOrder | undefined): EarlierOrder | null {
  if (!stored) return null;
  const { transactionId, commissionId, recordedAt } = stored;
  return { transactionId, commissionId, recordedAt, isSame: isSameContent(stored.contentHash, conversionLists, report.content) };
}

/** Null facts: another transaction has locked the commission. */
type ReversalWithFacts = { readonly item: ReversalItem; readonly facts: ReversalFacts | null };

/** Locks commissions first and reads the rest in later statements, because the snapshot of one statement would be older than its lock. */
async function loadReversalFacts(
  tx: Transaction,
  { now, lockWaitMs }: Pick<LoadContext, 'now' | 'lockWaitMs'>,
  items: readonly ReversalItem[],
): Promise<readonly ReversalWithFacts[]> {
  if (items.length === 0) return [];
  const keys = items.map(keyOf);
  const orders = indexByOrder(await ordersByHash(tx, keys));
  const locked = await lockCommissions(tx, [...orders.values()], lockWaitMs);
  const commissions = new Map(locked.map((commission) => [commission.commissionId, commission]));
  const reversals = indexByOrder(await reversalsByHash(tx, keys));
  const tests = indexByOrder(await testOrders(tx, keys));

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
    }
  >;
  readonly verified: ReadonlyArray<OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'> }>;
  readonly reversed: ReadonlyArray<OrderKey & { readonly reversal: NewReversal; readonly postings: readonly Posting[] }>;
  /** Reversals of orders that partial refunds had reversed before. */
  readonly confirmed: ReadonlyArray<OrderKey & { readonly reversal: NewReversal }>;
  /** Reversals of orders that are not yet reported. */
  readonly early: readonly OrderKey[];
  readonly refused: readonly RefusedOrder[];
};

type DecidedConversion = {
  readonly item: ConversionItem;
  readonly click: ReferralClick | TestClick | null;
  readonly decision: ConversionDecision;
  readonly rows: NewPartnerRows;
};
/** Null decision: the commission is locked, and the item leaves the batch without a change. */
type DecidedReversal = { readonly item: Item; readonly decision: ReversalDecision | null };

function collectChanges(conversions: readonly DecidedConversion[], reversals: readonly DecidedReversal[], now: Date): Changes {
  const recorded: Array<Changes['recorded'][number]> = [];
  const verified: Array<Changes['verified'][number]> = [];
  const reversed: Array<Changes['reversed'][number]> = [];
  const confirmed: Array<Changes['confirmed'][number]> = [];
  const early: Array<Changes['early'][number]> = [];
  const refused: Array<Changes['refused'][number]> = [];
  for (const { item, click, decision, rows } of conversions) {
    if (decision.do === 'refuse' && click !== null) refused.push(...refusedForCreator(item, click, { ...decision, at: now }));
    if (decision.do === 'record') recorded.push({ ...keyOf(item), ...decision, rows });
    if (decision.do === 'record') refused.push(...outcompetedCreator(item, decision.order));
    if (decision.do === 'verify') verified.push({ ...keyOf(item), orderId: item.report.orderId, transactionId: decision.transactionId });
  }
  for (const { item, decision } of reversals) {
    if (decision?.do === 'reverse') reversed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'confirm') confirmed.push({ ...keyOf(item), ...decision });
    if (decision?.do === 'remember') early.push(keyOf(item));
  }
  return { recorded, verified, reversed, confirmed, early, refused };
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
 * Writes in the global lock order: clicks, orders, uses, bindings, commissions, rows that cannot conflict, rollups. Log entries take no
 * locks.
 */
async function writeChanges(
  tx: Transaction,
  { recorded, verified, reversed, confirmed, early, refused }: Changes,
  { now, entries }: { readonly now: Date; readonly entries: readonly LogEntry[] },
): Promise<void> {
  if (recorded.length + early.length > 0) {
    const claims = recorded.flatMap((row) => claimOf(row));
    const orders = recorded.map((row) => ({ ...row, contentHash: newestContentHash(conversionLists, row.order.report.content) }));
    const unknown = early.map((key) => ({ ...key, at: now }));
    // One round trip; PostgreSQL executes the statements in this order.
    const [claimed, written] = await Promise.all([
      claimClicks(tx, claims),
      insertOrders(tx, orders, unknown),
      requireEarlyReversalsHeld(tx, recorded),
    ]);
    requireAllNew(claimed, claims.length);
    await writePartnerRows(tx, recorded);
    requireAllNew(written, recorded.length + early.length);
  }
  let ended: readonly ReversedCommission[] = [];
  if (reversed.length + confirmed.length > 0) {
    const rows = [...reversed, ...confirmed].map((row) => ({
      ...row,
      contentHash: newestContentHash(reversalLists, row.reversal.report.content),
    }));
    requireAllNew(await insertReversals(tx, rows), rows.length);
    ended = await reverseCommissions(
      tx,
      reversed.map(({ reversal }) => commissionToReverse(reversal)),
    );
  }
  if (early.length > 0) await insertEarlyReversals(tx, early, now);
  if (verified.length > 0) {
    await writeTestOrders(tx, verified, now);
    for (const storeId of new Set(verified.map((row) => row.storeId))) await turnTrackingOn(tx, storeId, now);
  }
  const opened = recorded.map(({ commission }) => commission);
  await Promise.all([
    openCommissions(tx, opened),
    postStoreTransfers(
      tx,
      [...recorded, ...reversed].flatMap(({ postings }) => postings),
    ),
    addLinkRollups(tx, [...openedRollups(opened), ...reversedRollups(ended)]),
    insertLogEntries(tx, entries),
    insertRefusedOrders(tx, refused),
  ]);
}

/** The click that earned the order. A code backs many orders, and claims none. */
function claimOf({ storeId, orderHash, order }: OrderKey & { readonly order: NewOrder }) {
  const { click } = order.attribution.credited;
  return click === null ? [] : [{ storeId, orderHash, clickId: click.clickId }];
}

async function writePartnerRows(tx: Transaction, recorded: Changes['recorded']): Promise<void> {
  const uses = recorded.flatMap(({ rows }) => rows.uses);
  const bindings = recorded.flatMap(({ rows }) => rows.bindings);
  if (uses.length > 0) requireAllNew(await insertUses(tx, uses), uses.length);
  if (bindings.length > 0) requireAllNew(await insertBindings(tx, bindings), bindings.length);
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

import type { OpenedCommission } from '../commissions/commission.ts';
import { figuresOfOpened, figuresOfReversed } from '../commissions/figures.ts';
import { openCommissions, reverseCommissions, type ReversedCommission } from '../commissions/sql.ts';
import { contentHash, type Content, type FieldList } from '../contract/sameness.ts';
import { addLinkFigures } from '../figures/sql.ts';
import type { Posting } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import { turnTrackingOn } from '../merchants/stores-sql.ts';
import { Superseded } from '../platform/batch-attempts.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { PostbackLine } from '../tracking/line.ts';
import { keepRefused, type RefusedOrder } from '../creators/refused-sql.ts';
import { keepPostbacks } from '../tracking/sql.ts';
import type { NewOrder } from './decide-conversion.ts';
import type { NewReversal } from './decide-reversal.ts';
import { conversionLists, reversalLists } from './report.ts';
import {
  byOrder,
  claimClicks,
  earlyReversals,
  insertOrders,
  insertReversals,
  keepTestOrders,
  nameOf,
  rememberEarlyReversals,
  testOrders,
  type OrderKey,
} from './sql.ts';

/** What the decisions of a batch change, set by set. */
export type Changes = {
  readonly recorded: ReadonlyArray<
    OrderKey & { readonly order: NewOrder; readonly commission: OpenedCommission; readonly postings: readonly Posting[] }
  >;
  readonly verified: ReadonlyArray<OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'> }>;
  readonly reversed: ReadonlyArray<OrderKey & { readonly reversal: NewReversal; readonly postings: readonly Posting[] }>;
  readonly early: readonly OrderKey[];
  readonly refused: readonly RefusedOrder[];
};

/**
 * The order of the statements is the order of locks everywhere: clicks, orders, commissions, what cannot conflict, figures. With the
 * lines of the tracking log, which wait for nobody.
 */
export async function writeChanges(
  tx: Transaction,
  { recorded, verified, reversed, early, refused }: Changes,
  { now, lines }: { readonly now: Date; readonly lines: readonly PostbackLine[] },
): Promise<void> {
  if (recorded.length + early.length > 0) {
    const claims = recorded.map((row) => ({ ...row, clickId: row.order.click.clickId }));
    const orders = recorded.map((row) => ({ ...row, contentHash: hashUnder(conversionLists, row.order.report.content) }));
    const unknown = early.map((key) => ({ ...key, at: now }));
    // What is asked together goes in one round trip, and is carried out in its order.
    const [claimed, written] = await Promise.all([claimClicks(tx, claims), insertOrders(tx, orders, unknown), holdsAllEarly(tx, recorded)]);
    allNew(claimed, recorded.length);
    allNew(written, recorded.length + early.length);
  }
  let ended: readonly ReversedCommission[] = [];
  if (reversed.length > 0) {
    const rows = reversed.map((row) => ({ ...row, contentHash: hashUnder(reversalLists, row.reversal.report.content) }));
    allNew(await insertReversals(tx, rows), reversed.length);
    ended = await reverseCommissions(
      tx,
      rows.map(({ reversal }) => commissionReversed(reversal)),
    );
  }
  if (early.length > 0) await rememberEarlyReversals(tx, early, now);
  if (verified.length > 0) {
    await keepAllTestOrders(tx, verified, now);
    for (const storeId of new Set(verified.map((row) => row.storeId))) await turnTrackingOn(tx, storeId, now);
  }
  const opened = recorded.map(({ commission }) => commission);
  await Promise.all([
    openCommissions(tx, opened),
    post(
      tx,
      [...recorded, ...reversed].flatMap(({ postings }) => postings),
    ),
    addLinkFigures(tx, [...figuresOfOpened(opened), ...figuresOfReversed(ended)]),
    keepPostbacks(tx, lines),
    keepRefused(tx, refused),
  ]);
}

/** Fewer rows than sent: another process was first with an order or a click. All is rolled back, loaded and decided again. */
function allNew(written: number, sent: number): void {
  if (written < sent) throw new Superseded('another process recorded one of these first');
}

/** A test order has one id, by which its reversal names it: where another process kept it under another one meanwhile, that one stands. */
async function keepAllTestOrders(tx: Transaction, verified: Changes['verified'], now: Date): Promise<void> {
  await keepTestOrders(
    tx,
    verified.map((row) => ({ ...row, recordedAt: now })),
  );
  const kept = byOrder(await testOrders(tx, verified));
  if (verified.some((row) => kept.get(nameOf(row))?.transactionId !== row.transactionId))
    throw new Superseded('another process kept one of these test orders first');
}

/** A refund that came while the order was decided: asked again now that no other can come before our commit. */
async function holdsAllEarly(tx: Transaction, recorded: Changes['recorded']): Promise<void> {
  const held = new Set(recorded.filter(({ commission }) => commission.held?.reason === 'early_reversal').map(nameOf));
  const early = await earlyReversals(tx, recorded);
  if (early.some((key) => !held.has(nameOf(key)))) throw new Superseded('another process was told of a refund of one of these');
}

function hashUnder(lists: readonly FieldList[], content: Content): Buffer {
  const newest = lists.at(-1);
  must(newest, 'every operation has a list of its fields');
  return contentHash(newest, content);
}

const commissionReversed = ({ storeId, order, receivedAt, report }: NewReversal) => ({
  storeId,
  commissionId: order.commissionId,
  at: receivedAt,
  reason: report.reason,
});

import type { Queryable } from '../db/database.ts';
import { errorForLog, isConnectionLost } from '../db/sql-errors.ts';
import type { Id } from '../core/ids.ts';
import { dayMs, minuteMs, realNow } from '../core/time.ts';
import { whyClosed } from '../inbox/closed-sql.ts';
import { forEachConnectedStore, handleStores, wakeStore, type StoreRun } from '../inbox/connected-stores.ts';
import { decideEventEnd } from '../inbox/decide-event-end.ts';
import { directReports, type AnswerReport } from '../inbox/direct-reports.ts';
import type { Handled } from '../inbox/event-end.ts';
import { reportInTurn } from '../inbox/report-in-turn.ts';
import type { Platform } from '../runtime/platform.ts';
import { validToken } from './access-token.ts';
import type { Shop } from './admin-api.ts';
import { confirmUninstall } from './confirm-uninstall.ts';
import { findConnection, listConnectedStores, type ShopifyConnection } from './connections-sql.ts';
import { decideClick } from './decide-click.ts';
import { decideReports, type OrderReports } from './decide-reports.ts';
import { claimOrders, deleteOldOrders, findClick, saveOrderEnd, type ClaimedOrder } from './orders-sql.ts';
import { readOrder } from './read-order.ts';
import { setUp } from './set-up.ts';

/** The queue runs this task when an order was named, and each minute for retries. */
export const handleShopifyOrdersTask = 'handle_shopify_orders';

const claimMax = 20;
/** After a crash, the orders in progress are read again after this time. Their reports have the same IDs, so nothing is doubled. */
const leaseMs = 2 * minuteMs;

/** Enqueued in the transaction that makes an order due. */
export const wakeHandler = (db: Queryable, storeId: Id<'store'>): Promise<void> => wakeStore(db, handleShopifyOrdersTask, storeId);

/** A task: reads and reports the due orders of one store, or of all. */
export const handleShopifyOrders = (platform: Platform, answer: AnswerReport, payload: unknown): Promise<void> =>
  handleStores(platform, payload, {
    listConnected: listConnectedStores,
    failed: 'Shopify orders of stores were not processed',
    handleStore: (run) => handleStore(platform, answer, run),
  });

async function handleStore(platform: Platform, answer: AnswerReport, { storeId, until }: StoreRun): Promise<void> {
  const { database } = platform;
  const found = await findConnection(database, storeId);
  if (found === null || (await confirmUninstall(platform, found))) return;
  if (found.webhooksAt === null) await setUp(platform, found);
  while (realNow() < until) {
    const now = realNow();
    const claimed = await claimOrders(database, { storeId, now, leaseEnds: new Date(now.getTime() + leaseMs), limit: claimMax });
    // Read after the claim, so that an order is never read with a token that was removed before.
    const connection = claimed.length === 0 ? null : await findConnection(database, storeId);
    if (connection === null) return;
    const closed = await whyClosed(database, storeId);
    for (const order of claimed) {
      // What is left of the claim is due again when its lease ends.
      if (realNow() >= until) break;
      await handleOne({ platform, answer, connection }, order, closed);
    }
    if (claimed.length < claimMax) return;
  }
  await wakeHandler(database, storeId);
}

type Run = { readonly platform: Platform; readonly answer: AnswerReport; readonly connection: ShopifyConnection };
type Outcome = { readonly handled: Handled; readonly click: string | null };

async function handleOne(run: Run, order: ClaimedOrder, closed: string | null): Promise<void> {
  const { platform, connection } = run;
  const { storeId } = connection;
  const { handled, click } = closed === null ? await attempt(run, order) : { handled: again(closed), click: null };
  platform.reached('shopify orders: order handled');
  const now = realNow();
  const end = decideEventEnd(handled, { now, receivedAt: order.requestedAt, attempts: order.attempts });
  const isReported = handled.outcome === 'done' || handled.outcome === 'held';
  const saving = { end, clickId: click, reportedAt: isReported ? now : null, now };
  const isUpToDate = await saveOrderEnd(platform.database, { ...order, storeId }, saving);
  // The run that the second request woke may be over already: it skips a row that this one locks.
  if (!isUpToDate) await wakeHandler(platform.database, storeId);
}

const again = (reason: string, message: string | null = null): Handled => ({ outcome: 'again', reason, message });
const ignored = (reason: string): Handled => ({ outcome: 'ignored', reason, message: null });

/** An error of ours delays this order, and no other. */
async function attempt(run: Run, order: ClaimedOrder): Promise<Outcome> {
  try {
    const shop = await validToken(run.platform, run.connection);
    if (shop.is === 'failed') return { handled: again(shop.reason, shop.message), click: null };
    return await readAndReport(run, shop.value, order);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    run.platform.log.error({ order: order.orderName, error: errorForLog(error) }, 'an order of a Shopify shop was not processed');
    return { handled: again('temporarily_unavailable'), click: null };
  }
}

async function readAndReport({ platform, answer, connection }: Run, shop: Shop, claimed: ClaimedOrder): Promise<Outcome> {
  const { database, config } = platform;
  const { storeId } = connection;
  const read = await readOrder(platform, shop, claimed.orderName);
  if (read.is === 'failed') return { handled: again(read.reason, read.message), click: null };
  const order = read.value;
  // A webhook can be faster than the API, and one of another shop names no order of this one.
  if (order === null) return { handled: again('shopify_order_missing'), click: null };
  const { checkoutToken, clickId: known } = claimed;
  const posted = checkoutToken === null ? null : await findClick(database, storeId, checkoutToken);
  const click = decideClick({ order, known, posted });
  const decided = decideReports({ order, click, isLiveService: config.mode === 'live' });
  if (decided.is === 'unused') return { handled: ignored(decided.reason), click };
  const handled = await report({ answer, connection }, order.id, decided);
  // Most shops have codes that belong to no creator.
  const isUnknownCode = handled.outcome === 'refused' && handled.reason === 'missing_referral_click';
  return { handled: isUnknownCode ? ignored('no_creator_code') : handled, click };
}

function report({ answer, connection }: Omit<Run, 'platform'>, orderId: string, decided: OrderReports): Promise<Handled> {
  const { conversions } = directReports(answer, { integration: connection, requestId: `shopify order ${orderId}` });
  const { conversion, reversal, refunds } = decided;
  return reportInTurn([
    () => conversions.record(conversion),
    ...refunds.map((refund) => () => conversions.refund(refund)),
    ...(reversal === null ? [] : [() => conversions.reverse(reversal)]),
  ]);
}

/** Refunds are accepted for 372 days. */
const reportedDaysKept = 400;
const otherDaysKept = 90;
const clickDaysKept = 7;

/** A daily job, by real time. */
export async function deleteOldShopifyOrders(platform: Platform, _now: Date, really: Date = realNow()): Promise<void> {
  const before = (days: number): Date => new Date(really.getTime() - days * dayMs);
  const task = { listConnected: listConnectedStores, failed: 'Old Shopify orders of stores could not be deleted' };
  await forEachConnectedStore(platform, task, (storeId) =>
    deleteOldOrders(platform.database, {
      storeId,
      reportedBefore: before(reportedDaysKept),
      othersBefore: before(otherDaysKept),
      clicksBefore: before(clickDaysKept),
    }),
  );
}

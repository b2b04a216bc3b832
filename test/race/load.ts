import { setTimeout as pause } from 'node:timers/promises';
import type { KeyRing } from '../../src/clicks/signing-keys.ts';
import { mintClickId } from '../../src/contract/click-id.ts';
import { sql } from '../../src/db/sql.ts';
import { uuidText } from '../../src/core/ids.ts';
import { clickIn, type Merchant } from '../support/merchant.ts';
import { visit } from '../support/link-visitor.ts';

/** A store's server and its shoppers, which keep sending while a process is killed: every acknowledged request must be stored. */
export type Load = {
  /** All clients send until the work is done and each has received its last answer. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
  /** Retries a request that got no answer or a 503, as a merchant's server does. */
  readonly sendRest: () => Promise<void>;
  /** The time until the first order is recorded again, in milliseconds from now. */
  readonly untilServed: () => Promise<number>;
  readonly counts: () => LoadCounts;
};
type LoadCounts = {
  readonly orders: readonly string[];
  readonly reversals: readonly string[];
  /** Counts the requests that were answered after their commit. */
  readonly clicks: readonly string[];
  readonly lateClicks: number;
  /** Counts invalid outcomes: anything but 200, 503 and no answer. */
  readonly wrong: readonly string[];
};

const merchantServers = 12;
const shoppers = 24;
/** No request is answered before its commit earlier than this. */
const earlyMsLeast = 200;
const againAfterMs = 20;
const servedMsMax = 30_000;

type Order = Readonly<Record<string, unknown>> & { readonly order_id: string };

export function openLoad(merchant: Merchant, ring: KeyRing, linkNumber: bigint): Load {
  const counts = { orders: [] as string[], reversals: [] as string[], clicks: [] as string[], lateClicks: 0, wrong: [] as string[] };
  const server = createMerchantServer(merchant, () => newOrder(merchant, ring, linkNumber), counts);
  const over = { isSo: false };
  async function merchantServer(): Promise<void> {
    while (!over.isSo) if (!(await server.serve())) await pause(againAfterMs);
  }
  async function shopper(): Promise<void> {
    while (!over.isSo) {
      const arrived = await visit(merchant.service.url, `/r/${merchant.world.link.code}`).catch(() => null);
      if (arrived?.status !== 302) await pause(againAfterMs);
      else if (arrived.tookMs < earlyMsLeast) counts.clicks.push(uuidOf(clickIn(arrived.location)));
      else counts.lateClicks += 1;
    }
  }
  return {
    async during(work) {
      over.isSo = false;
      const all = [...Array.from({ length: merchantServers }, merchantServer), ...Array.from({ length: shoppers }, shopper)];
      await work().finally(() => (over.isSo = true));
      await Promise.all(all);
    },
    async sendRest() {
      while (server.rest() > 0) await server.serve();
    },
    async untilServed() {
      const startedAt = performance.now();
      while (performance.now() - startedAt < servedMsMax && !(await server.reportNew())) await pause(againAfterMs);
      return performance.now() - startedAt;
    },
    counts: () => counts,
  };
}

let made = 0;

function newOrder({ service }: Merchant, ring: KeyRing, linkNumber: bigint): Order {
  const at = service.platform.clock.now();
  const { text } = mintClickId({ kind: 'referral', at, linkNumber, keys: ring.keys() });
  const order_id = `under load ${(made += 1)}`;
  return { order_id, click_id: text, currency: 'USD', order_subtotal_cents: 10_005, occurred_at: at.toISOString() };
}

type Telling = { readonly orders: string[]; readonly reversals: string[]; readonly wrong: string[] };

/** Reports orders, reverses every third one, and retries each that got no answer or a 503 until it is accepted. */
function createMerchantServer(merchant: Merchant, orderMade: () => Order, counts: Telling) {
  const waiting: Order[] = [];
  const unreversed: string[] = [];
  const isTaken = async (send: () => ReturnType<Merchant['convert']>): Promise<boolean> => {
    const response = await send().catch(() => null);
    if (response?.status === 200) return true;
    if (response !== null && response.status !== 503) counts.wrong.push(`${response.status} ${response.text}`);
    return false;
  };
  const report = async (order: Order): Promise<boolean> => {
    const isReported = await isTaken(() => merchant.convert(order));
    if (isReported) counts.orders.push(order.order_id);
    else waiting.push(order);
    if (isReported && counts.orders.length % 3 === 0) unreversed.push(order.order_id);
    return isReported;
  };
  const takeBack = async (orderId: string): Promise<boolean> => {
    const isReversed = await isTaken(() => merchant.reverse({ order_id: orderId }));
    (isReversed ? counts.reversals : unreversed).push(orderId);
    return isReversed;
  };
  return {
    rest: () => waiting.length + unreversed.length,
    reportNew: () => report(orderMade()),
    serve: async (): Promise<boolean> => {
      const orderId = unreversed.shift();
      return orderId === undefined ? report(waiting.shift() ?? orderMade()) : takeBack(orderId);
    },
  };
}

/** Counts the acknowledged rows that are missing, and those that are duplicated. */
export async function lostAndDoubled({ database, storeId }: Merchant, { orders, reversals, clicks }: LoadCounts) {
  const rows = await database.all<{ orderId: string; commissions: bigint; reversed: bigint; transfers: bigint }>(sql`
    select o.order_id, count(distinct c.commission_id) as commissions,
      count(distinct c.commission_id) filter (where c.state = 'reversed') as reversed,
      (select count(*) from transfers t where t.store_id = o.store_id and t.source_id = o.transaction_id) as transfers
    from orders o left join commissions c on c.store_id = o.store_id and c.source_text = o.order_id
    where o.store_id = ${storeId} group by o.store_id, o.order_id, o.transaction_id`);
  const kept = new Map(rows.map((row) => [row.orderId, row]));
  const clickRows = await database.all<{ clickId: string }>(sql`select click_id from clicks where store_id = ${storeId}`);
  const keptClicks = new Set(clickRows.map(({ clickId }) => clickId));
  const { clicks: countedClicks } = await database.one<{ clicks: bigint | null }>(
    sql`select sum(count) as clicks from link_days where store_id = ${storeId} and what = 'click'`,
  );
  return {
    lost: [
      ...orders.filter((orderId) => kept.get(orderId)?.commissions !== 1n || kept.get(orderId)?.transfers !== 1n),
      ...reversals.filter((orderId) => kept.get(orderId)?.reversed !== 1n),
      ...clicks.filter((clickId) => !keptClicks.has(clickId)),
    ],
    doubled: rows.filter(({ commissions, transfers }) => commissions > 1n || transfers > 1n).map(({ orderId }) => orderId),
    orders: rows.length,
    clicks: keptClicks.size,
    countedClicks: Number(countedClicks ?? 0n),
  };
}

const prefixLength = 4;
const uuidBytes = 16;
const uuidOf = (click: string): string => uuidText(Buffer.from(click.slice(prefixLength), 'base64url').subarray(0, uuidBytes));

import { minuteMs, realNow } from '../core/time.ts';
import { forEachConnectedStore } from '../inbox/connected-stores.ts';
import type { Platform } from '../runtime/platform.ts';
import { validToken } from './access-token.ts';
import { callAdmin, type AdminResult, type Shop } from './admin-api.ts';
import { findConnection, listConnectedStores, saveComparison, type ShopifyConnection } from './connections-sql.ts';
import { explainReason } from './explain-reason.ts';
import { wakeHandler } from './handle-orders.ts';
import { field, listIn, numericId, textIn, timeIn } from './json.ts';
import { requestOrder } from './orders-sql.ts';
import { setUp } from './set-up.ts';

/** Shopify's clock and its search index may be behind. What is read twice is reported once. */
const overlapMs = 10 * minuteMs;
const ordersPerPage = 100;
/** The most pages that one run reads; the next run continues. */
const pagesMax = 50;

const updatedQuery = `query UpdatedOrders($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { id updatedAt }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** A daily job: asks each shop for the orders that changed since the last run, because webhooks get lost. */
export async function compareShopifyOrders(platform: Platform): Promise<void> {
  const task = { listConnected: listConnectedStores, failed: 'Shopify orders of stores could not be compared' };
  await forEachConnectedStore(platform, task, async (storeId) => {
    const connection = await findConnection(platform.database, storeId);
    if (connection !== null) await compareShop(platform, connection);
  });
}

/** What was compared is saved even if a later page fails. Shopify removes webhooks that failed for hours, so they are added again first. */
async function compareShop(platform: Platform, connection: ShopifyConnection): Promise<void> {
  const { storeId, comparedUntil: before } = connection;
  const startedAt = realNow();
  await setUp(platform, connection);
  const shop = await validToken(platform, connection);
  const result =
    shop.is === 'failed' ? { until: before, problem: shop } : await requestUpdated(platform, shop.value, { connection, startedAt });
  await saveComparison(platform.database, {
    storeId,
    comparedUntil: result.until,
    compareProblem: result.problem === null ? null : explainReason(result.problem.reason, result.problem.message),
  });
}

type Problem = Extract<AdminResult<never>, { readonly is: 'failed' }>;
type Comparison = { readonly until: Date; readonly problem: Problem | null };
type Comparing = { readonly connection: ShopifyConnection; readonly startedAt: Date };

async function requestUpdated(platform: Platform, shop: Shop, { connection, startedAt }: Comparing): Promise<Comparison> {
  const { storeId, comparedUntil } = connection;
  const since = new Date(comparedUntil.getTime() - overlapMs);
  let until = comparedUntil;
  let after: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const variables = { first: ordersPerPage, after, query: `updated_at:>='${since.toISOString()}'` };
    const answer: AdminResult<object> = await callAdmin(platform, shop, { query: updatedQuery, variables });
    if (answer.is === 'failed') return { until, problem: answer };
    const orders = listIn(answer.value, 'orders.nodes');
    await platform.database.transaction(async (tx) => {
      for (const order of orders) {
        const [orderName, updatedAt] = [numericId(field(order, 'id')), timeIn(order, 'updatedAt')];
        if (orderName === null || updatedAt === null) continue;
        const unlessRequestedSince = new Date(updatedAt.getTime() + overlapMs);
        await requestOrder(tx, {
          storeId,
          orderName,
          checkoutToken: null,
          requestedBy: 'comparison',
          unlessRequestedSince,
          now: startedAt,
        });
      }
      if (orders.length > 0) await wakeHandler(tx, storeId);
    });
    after = textIn(answer.value, 'orders.pageInfo.endCursor');
    if (field(answer.value, 'orders.pageInfo.hasNextPage') !== true || after === null) return { until: startedAt, problem: null };
    const last = timeIn(orders.at(-1), 'updatedAt');
    if (last !== null && last > until) until = last;
  }
  return { until, problem: null };
}

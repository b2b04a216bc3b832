import { isCluster } from '../support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderOf } from '../../src/db/list-order.ts';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { dayMs } from '../../src/core/time.ts';
import { listReviewQueue, reviewQueueSorts, type ReviewQueueFilter } from '../../src/review/review-queue-sql.ts';
import { explainQuery } from '../support/explained.ts';
import { merchantIn, openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { signIn } from '../support/portal.ts';
import { openMany, reviewerOf } from '../support/review.ts';

let one: Merchant;
let other: Merchant;
let expected: readonly string[];
beforeAll(async () => {
  one = await openMerchant();
  other = merchantIn(one.service, await one.service.seed());
  const daysAgo = (merchant: Merchant, days: number, count = 1) =>
    openMany(merchant, count, { occurredAt: new Date(Date.parse(merchant.at()) - days * dayMs) });
  const [pendingHere, heldThere, pendingThere] = [await daysAgo(one, 9), await daysAgo(other, 8), await daysAgo(other, 7)];
  const [heldHere, approvedHeld, done] = [await daysAgo(one, 6), await daysAgo(other, 5), await daysAgo(one, 4, 3)];
  await reviewerOf(other).results('hold', heldThere, { reason: 'dispute' });
  await reviewerOf(one).results('hold', heldHere, { reason: 'fraud_review' });
  await reviewerOf(other).results('approve', approvedHeld);
  await reviewerOf(other).results('hold', approvedHeld, { reason: 'dispute' });
  await reviewerOf(one).results('approve', done.slice(1));
  await reviewerOf(one).results('reject', done.slice(0, 1));
  expected = [pendingHere, heldThere, pendingThere, heldHere, approvedHeld].flat();
});
afterAll(() => one.service.stop());

const idsOf = async (query: string): Promise<readonly string[]> =>
  (await one.api('GET', `/waiting-commissions${query}`)).json.data.map(({ id }: Json) => id);

test('an operator reads held and pending commissions of all stores, oldest first, and no decided ones', async () => {
  const { json } = await one.api('GET', '/waiting-commissions');
  expect(json.data.map(({ id }: Json) => id)).toEqual(expected);
  expect(json.data.slice(0, 2)).toMatchObject([
    { store_id: one.world.store.id, store_name: expect.any(String), state: 'pending', held: null, creator_name: 'Cora Creator' },
    { store_id: other.world.store.id, state: 'pending', held: { reason: 'dispute' }, amount_cents: 1_000, invoice_id: null },
  ]);
  expect(json.next_cursor).toBe(null);
});

test('filters by hold, reason, waiting review, and store', async () => {
  const [pendingHere, heldThere, pendingThere, heldHere, approvedHeld] = expected;
  expect(await idsOf('?held=true')).toEqual([heldThere, heldHere, approvedHeld]);
  expect(await idsOf('?held=dispute')).toEqual([heldThere, approvedHeld]);
  expect(await idsOf('?held=false')).toEqual([pendingHere, pendingThere]);
  expect(await idsOf(`?store_id=${other.world.store.id}`)).toEqual([heldThere, pendingThere, approvedHeld]);
  expect(await idsOf(`?held=false&store_id=${other.world.store.id}`)).toEqual([pendingThere]);
  expect(await idsOf('?store_id=store_none')).toEqual([]);
  expect(await one.api('GET', '/waiting-commissions?held=perhaps')).toMatchObject({ status: 400, json: { reason: 'invalid_request' } });
});

test.each(['', '&held=true', '&held=false'])('the pages contain the whole list, each row once (%s)', async (filter) => {
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { json }: { readonly json: Json } = await one.api('GET', `/waiting-commissions?limit=1${filter}${cursor && `&cursor=${cursor}`}`);
    expect(json.data.length).toBeLessThanOrEqual(1);
    paged.push(...json.data.map(({ id }: Json) => id));
    cursor = json.next_cursor;
  }
  expect(paged).toEqual(await idsOf(`?limit=200${filter}`));
});

test('only operators read it', async () => {
  const owner = await signIn(one.service, one.world.logins.merchant);
  expect(await owner('GET', '/waiting-commissions')).toMatchObject({ status: 403, json: { reason: 'operator_only' } });
});

/** The indexes of commissions that the query uses, and the most rows it reads from one. */
async function orderIdsOf(filter: ReviewQueueFilter, after: readonly string[] | null, sort = reviewQueueSorts.defaultSort) {
  const page = { after, limit: 50, order: orderOf(reviewQueueSorts, sort) };
  const { scans } = await explainQuery(one.database, (db) => listReviewQueue(db, filter, page));
  const used = scans.filter(({ index }) => index.startsWith('commissions'));
  return { indexes: used.map(({ index }) => index).toSorted(), rows: Math.max(...used.map(({ rowsRead }) => rowsRead)) };
}

test.skipIf(isCluster)(
  'with five thousand waiting behind ten thousand others, the first and a deep page read about as many rows as they show',
  async () => {
    const secondsAgo = (seconds: number) => ({ occurredAt: new Date(Date.parse(other.at()) - seconds * 1_000) });
    for (let made = 0; made < 15; made++) await openMany(other, 1_000, secondsAgo(15 - made));
    // As in production, the waiting commissions are the newest.
    await reviewerOf(other).act('approve', { filter: { held: false, to: secondsAgo(5).occurredAt.toISOString() } });
    await one.database.run(sql`analyze commissions`);
    const deep = [String(secondsAgo(3).occurredAt.getTime()), newId<'com'>(new Date())];
    for (const after of [null, deep]) {
      const both = await orderIdsOf({ held: null, storeId: null }, after);
      expect(both.indexes).toEqual(['commissions_by_state', 'commissions_held']);
      expect(both.rows).toBeLessThanOrEqual(60);
      expect((await orderIdsOf({ held: null, storeId: null }, after, '-occurred_at')).rows).toBeLessThanOrEqual(60);
      expect((await orderIdsOf({ held: 'dispute', storeId: null }, after)).indexes).toEqual(['commissions_held']);
    }
  },
);

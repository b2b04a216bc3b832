import { afterAll, afterEach, expect, test } from 'vitest';
import { sql, texts } from '../../src/db/sql.ts';
import { verify } from '../../src/app/verify.ts';
import { expectRefused } from '../support/expect-response.ts';
import {
  answerMsMax,
  loadedMsMax,
  newWaits,
  recoveryMsMax,
  redirectMsMax,
  reportWaits,
  timed,
  untilAccepted,
  type Waits,
} from '../support/database-troubles.ts';
import { isCluster } from '../support/database.ts';
import { merchantBehindProxy } from '../support/behind-proxy.ts';
import { clickIn, merchantIn, visitLink, type ApiResponse } from '../support/merchant.ts';
import { sizeOf } from '../support/size.ts';

const { proxy, merchant, close } = await merchantBehindProxy();
afterEach(() => proxy.pass());
afterAll(() => close());

const outages = [
  ['frozen', () => proxy.freeze()],
  ['cut', () => proxy.cut()],
  ['gone', () => proxy.refuse()],
] as const;

const rounds = sizeOf('databaseOutages');
const waited = new Map<string, Waits>(outages.map(([how]) => [how, newWaits()]));
afterAll(() => {
  for (const [how, all] of waited) reportWaits(how, rounds, all);
});
async function expectEach(round: () => Promise<void>): Promise<void> {
  for (let count = 0; count < rounds; count += 1) await round();
}

// In a cluster, the postbacks and clicks of a store need only its node, which this proxy is not in front of (test/cluster/routing.test.ts).
test.skipIf(isCluster).each(outages)(
  'a database that is %s: 503 with Retry-After within 5 s for every postback, and the same body succeeds after',
  (how, fail) => expectEach(() => postbacksMeet(how, fail)),
);

test.skipIf(isCluster).each(outages)(
  'a database that is %s: known links lead on within 250 ms and their clicks count; unknown ones are 503',
  (how, fail) => expectEach(() => visitsMeet(how, fail)),
);

async function postbacksMeet(how: string, fail: () => Promise<void>): Promise<void> {
  const known = await merchant.order();
  const [order, refunded] = [await merchant.order(), await merchant.order()];
  await merchant.convert(known);
  await merchant.convert(refunded);
  await fail();
  const wrong = { authorization: 'Bearer wrong' };
  const other = { ...merchant.world, store: { ...merchant.world.store, tracking_key: 'nobody' } };
  const sends: ReadonlyArray<() => Promise<ApiResponse>> = [
    () => merchant.convert(order),
    () => merchant.convert(known),
    () => merchant.convert({ ...known, currency: 'EUR' }),
    () => merchant.convert({ ...order, click_id: 'rmc_forged' }),
    () => merchant.reverse({ order_id: refunded.order_id }),
    () => merchant.reverse({ order_id: 'no-such-order' }),
    () => merchant.convert('not JSON'),
    () => merchant.convert(order, wrong),
    () => merchantIn(merchant.service, other).convert(order),
  ];
  for (const { result, ms } of await Promise.all(sends.map((send) => timed(send)))) {
    expectRefused(result, 503, 'temporarily_unavailable', 'backoff');
    expect(ms).toBeLessThan(answerMsMax);
    waited.get(how)?.answers.push(ms);
  }
  await proxy.pass();
  const recovered = await timed(() => Promise.all(sends.slice(0, 2).map((send) => untilAccepted(send))));
  expect(recovered.ms).toBeLessThan(recoveryMsMax);
  waited.get(how)?.recoveries.push(recovered.ms);
  expect(['recorded', 'duplicate_order']).toContain(recovered.result[0]?.json.reason);
  expect(recovered.result[1]?.json.reason).toBe('duplicate_order');
  expect((await untilAccepted(() => merchant.reverse({ order_id: refunded.order_id }))).status).toBe(200);
  expect((await merchant.convert(order, wrong)).status, 'wrong is wrong again').toBe(401);
}

async function visitsMeet(how: string, fail: () => Promise<void>): Promise<void> {
  const code = merchant.world.link.url.split('/').at(-1) ?? '';
  await visitLink(merchant.service.url, code);
  await fail();
  const clicks: string[] = [];
  const took: number[] = [];
  for (let visits = 0; visits < 5; visits++) {
    const { result, ms } = await timed(() => visitLink(merchant.service.url, code));
    expect(result.status).toBe(302);
    took.push(ms);
    clicks.push(clickIn(result.headers.get('location')));
  }
  waited.get(how)?.redirects.push(...took);
  expect(Math.min(...took)).toBeLessThan(redirectMsMax);
  expect(Math.max(...took)).toBeLessThan(loadedMsMax);
  const unknown = await timed(() => visitLink(merchant.service.url, `nobody-${Date.now()}`));
  expect(unknown.result.status).toBe(503);
  expect(unknown.ms).toBeLessThan(answerMsMax);

  await proxy.pass();
  // Whether or not its row has come by now: the click proves itself.
  const orders = await Promise.all(clicks.map((click_id) => merchant.order({ click_id })));
  for (const order of orders) expect((await untilAccepted(() => merchant.convert(order))).json.reason).toBe('recorded');
  const kept = () =>
    merchant.database.one<{ count: bigint }>(sql`
    select count(*) as count from clicks c join orders o using (store_id, click_id)
    where c.store_id = ${merchant.storeId} and o.order_id = any(${texts(orders.map(({ order_id }) => order_id))})`);
  await expect.poll(kept).toEqual({ count: 5n });
}

test('a slow database makes replies slow, or 503, but never rejects a valid request', async () => {
  const all = newWaits();
  await expectEach(async () => {
    await proxy.slow(150);
    const order = await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())) });
    const { result, ms } = await timed(() => merchant.convert(order));
    expect(ms).toBeLessThan(answerMsMax);
    expect([200, 503]).toContain(result.status);
    await proxy.pass();
    const again = await timed(() => untilAccepted(() => merchant.convert(order)));
    all.answers.push(ms);
    all.recoveries.push(again.ms);
  });
  reportWaits('slow (150 ms more for each packet)', rounds, all);
});

test('the books balance afterwards', async () => {
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});

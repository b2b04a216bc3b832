import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { verify } from '../../src/verify.ts';
import { expectRefused } from '../support/answered.ts';
import { freshDatabase } from '../support/database.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { clickIn, merchantIn, visitLink, type Came, type Merchant } from '../support/merchant.ts';
import { startTestServiceOn } from '../support/service.ts';

let proxy: FaultProxy;
let merchant: Merchant;
beforeAll(async () => {
  const { url, database } = await freshDatabase();
  await database.end();
  proxy = await startFaultProxy(url);
  const service = await startTestServiceOn(proxy.url);
  // What the tests look at, they look at directly.
  merchant = merchantIn({ ...service, databaseUrl: url }, await service.seed());
});
afterEach(() => proxy.pass());
afterAll(async () => {
  await merchant.service.stop();
  await proxy.close();
});

const answerMsMax = 5_000;
const recoveryMsMax = 5_000;
const redirectMsMax = 250;
/** For a machine that has other things to do: some visits may take longer, the best of them may not. */
const loadedMsMax = 1_000;

async function timed<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const faults = [
  ['frozen', () => proxy.freeze()],
  ['cut', () => proxy.cut()],
  ['gone', () => proxy.refuse()],
] as const;

/** Sent again as a merchant's server would. */
async function untilAccepted(send: () => Promise<Came>): Promise<Came> {
  const startedAt = performance.now();
  for (;;) {
    const came = await send();
    if (came.status === 200) return came;
    expect(came.status).toBe(503);
    expect(performance.now() - startedAt, 'accepted in time after the database came back').toBeLessThan(recoveryMsMax);
  }
}

test.each(faults)(
  'a database that is %s: 503 with Retry-After within 5 s for every postback, and the same body succeeds after',
  async (_how, fail) => {
    const known = await merchant.order();
    const [order, refunded] = [await merchant.order(), await merchant.order()];
    await merchant.convert(known);
    await merchant.convert(refunded);
    await fail();
    const wrong = { authorization: 'Bearer wrong' };
    const other = { ...merchant.world, store: { ...merchant.world.store, tracking_key: 'nobody' } };
    const sends: ReadonlyArray<() => Promise<Came>> = [
      () => merchant.convert(order),
      () => merchant.convert(known),
      () => merchant.convert({ ...known, currency: 'EUR' }),
      () => merchant.convert({ ...order, click_id: 'rmc_forged' }),
      () => merchant.reverse({ order_id: refunded.order_id }),
      () => merchant.reverse({ order_id: 'nobody knows' }),
      () => merchant.convert('not JSON'),
      () => merchant.convert(order, wrong),
      () => merchantIn(merchant.service, other).convert(order),
    ];
    for (const { result, ms } of await Promise.all(sends.map((send) => timed(send)))) {
      expectRefused(result, 503, 'temporarily_unavailable', 'backoff');
      expect(ms).toBeLessThan(answerMsMax);
    }
    await proxy.pass();
    const recovered = await timed(() => Promise.all(sends.slice(0, 2).map((send) => untilAccepted(send))));
    expect(recovered.ms).toBeLessThan(recoveryMsMax);
    expect(['recorded', 'duplicate_order']).toContain(recovered.result[0]?.json.reason);
    expect(recovered.result[1]?.json.reason).toBe('duplicate_order');
    expect((await untilAccepted(() => merchant.reverse({ order_id: refunded.order_id }))).status).toBe(200);
    expect((await merchant.convert(order, wrong)).status, 'wrong is wrong again').toBe(401);
  },
);

test.each(faults)(
  'a database that is %s: known links lead on within 250 ms and their clicks count; unknown ones are 503',
  async (_how, fail) => {
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
      where c.store_id = ${merchant.storeId} and o.order_id = any(${orders.map(({ order_id }) => order_id)}::text[])`);
    await expect.poll(kept, { timeout: 10_000 }).toEqual({ count: 5n });
  },
);

test('a slow database makes answers slow, or 503, but never a refusal', async () => {
  await proxy.slow(150);
  const order = await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())) });
  const { result, ms } = await timed(() => merchant.convert(order));
  expect(ms).toBeLessThan(answerMsMax);
  expect([200, 503]).toContain(result.status);
  await proxy.pass();
  expect((await untilAccepted(() => merchant.convert(order))).status).toBe(200);
});

test('after all of it the books are right', async () => {
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});

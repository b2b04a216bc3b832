import { afterAll, afterEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { verify } from '../../src/app/verify.ts';
import { expectRefused } from '../support/expect-response.ts';
import { answerMsMax, timed, untilAccepted } from '../support/database-troubles.ts';
import { isCluster } from '../support/database.ts';
import { merchantBehindProxy } from '../support/behind-proxy.ts';
import { hashOf } from '../support/merchant.ts';

const { proxy, merchant, close } = await merchantBehindProxy();
afterEach(() => proxy.pass());
afterAll(() => close());

const storedRows = (orderId: string) =>
  merchant.database.find<{ state: string }>(sql`
    select c.state from orders o join commissions c using (store_id, commission_id)
    where o.store_id = ${merchant.storeId} and o.order_hash = ${hashOf(orderId)}`);

// In a cluster, postbacks are committed on the node of their store, which this proxy is not in front of.
test.skipIf(isCluster).each([
  { when: 'before', order: null, again: 'recorded', refunded: 'pending' },
  { when: 'after', order: { state: 'pending' }, again: 'duplicate_order', refunded: 'reversed' },
] as const)(
  'no postback is answered before its commit is: a connection that breaks $when it is 503, and the same body succeeds later',
  async ({ when, order, again, refunded }) => {
    const [first, taken] = [await merchant.order(), await merchant.order()];
    await merchant.convert(taken);
    const refund = { order_id: taken.order_id };

    await proxy.cutAtCommit(when);
    for (const send of [() => merchant.convert(first), () => merchant.reverse(refund)]) {
      const { result, ms } = await timed(send);
      expectRefused(result, 503, 'temporarily_unavailable', 'backoff');
      expect(ms).toBeLessThan(answerMsMax);
    }
    await expect.poll(() => storedRows(first.order_id)).toEqual(order);
    await expect.poll(() => storedRows(taken.order_id)).toEqual({ state: refunded });

    await proxy.pass();
    expect((await untilAccepted(() => merchant.convert(first))).json.reason).toBe(again);
    expect((await untilAccepted(() => merchant.reverse(refund))).status).toBe(200);
    expect([await storedRows(first.order_id), await storedRows(taken.order_id)]).toEqual([{ state: 'pending' }, { state: 'reversed' }]);
    expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
  },
);

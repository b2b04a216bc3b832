import { afterAll, beforeAll, expect, test } from 'vitest';
import { anotherBiller, good, type Biller } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { verified, webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';

let receiver: Receiver;
let first: Merchant;
beforeAll(async () => {
  receiver = await webhookReceiver();
  first = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host }));
});
afterAll(async () => {
  await first.service.stop();
  await receiver.close();
});

async function listening({ merchant, store }: Biller, path: string) {
  const endpoints = `${store}/webhook-endpoints`;
  const { json } = good(await merchant.api('POST', endpoints, { url: receiver.url(path), events: ['commission.recorded'] }));
  return {
    id: String(json.id),
    secret: String(json.secret),
    sendTest: async () => good(await merchant.api('POST', `${endpoints}/${json.id}/test`)).json,
  };
}

test('a user can send a test event to an endpoint', async () => {
  const hook = await listening(await anotherBiller(first), '/tried');
  const { event_id: id } = await hook.sendTest();
  await expect.poll(() => receiver.taken('/tried')).toHaveLength(1);
  const [told] = receiver.taken('/tried');
  if (!told) throw new Error('it was told');
  expect(verified(told, hook.secret)).toMatchObject({ type: 'webhook.test', data: { webhook_endpoint_id: hook.id } });
  expect(told.id).toBe(id);
});

test('the queue delivers the event of an order within seconds', async () => {
  const shop = await anotherBiller(first);
  await listening(shop, '/sold');
  await reviewerOf(shop.merchant).sale();
  await expect.poll(() => receiver.taken('/sold'), { timeout: 150_000 }).toHaveLength(1);
}, 180_000);

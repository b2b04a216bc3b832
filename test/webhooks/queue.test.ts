import { afterAll, expect, test } from 'vitest';
import { anotherBiller, expectSuccess, type Biller } from '../support/billing.ts';
import { openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { verified, startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
const first = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host }));
afterAll(async () => {
  await first.service.stop();
  await receiver.close();
});

async function listening({ merchant, store }: Biller, path: string) {
  const endpoints = `${store}/webhook-endpoints`;
  const { json } = expectSuccess(await merchant.api('POST', endpoints, { url: receiver.url(path), events: ['commission.recorded'] }));
  return {
    id: String(json.id),
    secret: String(json.secret),
    sendTest: async () => expectSuccess(await merchant.api('POST', `${endpoints}/${json.id}/test`)).json,
  };
}

test('a user can send a test event to an endpoint', async () => {
  const hook = await listening(await anotherBiller(first), '/tried');
  const { event_id: id } = await hook.sendTest();
  await expect.poll(() => receiver.received('/tried')).toHaveLength(1);
  const [received] = receiver.received('/tried');
  if (!received) throw new Error('the event was delivered');
  expect(verified(received, hook.secret)).toMatchObject({ type: 'webhook.test', data: { webhook_endpoint_id: hook.id } });
  expect(received.id).toBe(id);
});

test('the queue delivers the event of an order within seconds', async () => {
  const biller = await anotherBiller(first);
  await listening(biller, '/sold');
  await reviewerOf(biller.merchant).sale();
  await expect.poll(() => receiver.received('/sold'), { timeout: 150_000 }).toHaveLength(1);
}, 180_000);

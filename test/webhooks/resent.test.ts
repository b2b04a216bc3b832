import { afterAll, beforeAll, expect, test } from 'vitest';
import { realNow, secondMs } from '../../src/platform/time.ts';
import { tendWebhooks } from '../../src/webhooks/tend.ts';
import { billerOf, good } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';

let receiver: Receiver;
let merchant: Merchant;
beforeAll(async () => {
  receiver = await webhookReceiver();
  // Without the queue, which would send by its own time what the test looks at by another.
  merchant = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' }));
});
afterAll(async () => {
  await merchant.service.stop();
  await receiver.close();
});

/** By the real clock, as if it were so much later. */
const lookAt = (laterMs: number) => tendWebhooks(merchant.service.platform, new Date(realNow().getTime() + laterMs));

test('what would be tried much later is sent at once where somebody asks; what is tried within a minute is not sent twice', async () => {
  const { api } = merchant;
  const endpoints = `${billerOf(merchant).store}/webhook-endpoints`;
  const made = good(await api('POST', endpoints, { url: receiver.url('/hook'), events: ['commission.recorded'] })).json;
  const deliveries = `${endpoints}/${made.id}/deliveries`;
  const delivery = async (): Promise<Json> => good(await api('GET', deliveries)).json.data[0];
  const resend = async (id: string): Promise<Json> => good(await api('POST', `${deliveries}/${id}/resend`)).json;
  receiver.answer('/hook', (response) => response.writeHead(500).end());
  await reviewerOf(merchant).sale();
  await lookAt(0);
  const first = await delivery();
  expect((await resend(first.id)).next_try_at).toBe(first.next_try_at);
  await lookAt(10 * secondMs);
  expect(receiver.taken('/hook')).toHaveLength(2);
  expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 2 });
  receiver.answer('/hook', (response) => response.writeHead(200).end());
  await resend(first.id);
  await lookAt(0);
  expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 3 });
});

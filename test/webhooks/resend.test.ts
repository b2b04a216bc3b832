import { afterAll, expect, test } from 'vitest';
import { realNow, secondMs } from '../../src/core/time.ts';
import { runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { billerOf, expectSuccess } from '../support/billing.ts';
import { type Json, openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
// Without the queue, whose clock differs from the time that the test uses.
const merchant = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' }));
afterAll(async () => {
  await merchant.service.stop();
  await receiver.close();
});

/** Runs the task as if this much real time had passed. */
const lookAt = (laterMs: number) => runWebhooks(merchant.service.platform, new Date(realNow().getTime() + laterMs));

test('immediately resends a delivery that is due much later, and does not send one twice that is due within a minute', async () => {
  const { api } = merchant;
  const endpoints = `${billerOf(merchant).store}/webhook-endpoints`;
  const made = expectSuccess(await api('POST', endpoints, { url: receiver.url('/hook'), events: ['commission.recorded'] })).json;
  const deliveries = `${endpoints}/${made.id}/deliveries`;
  const delivery = async (): Promise<Json> => expectSuccess(await api('GET', deliveries)).json.data[0];
  const resend = async (id: string): Promise<Json> => expectSuccess(await api('POST', `${deliveries}/${id}/resend`)).json;
  receiver.answer('/hook', (response) => response.writeHead(500).end());
  await reviewerOf(merchant).sale();
  await lookAt(0);
  const first = await delivery();
  expect((await resend(first.id)).next_try_at).toBe(first.next_try_at);
  await lookAt(10 * secondMs);
  expect(receiver.received('/hook')).toHaveLength(2);
  expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 2 });
  receiver.answer('/hook', (response) => response.writeHead(200).end());
  await resend(first.id);
  await lookAt(0);
  expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 3 });
});

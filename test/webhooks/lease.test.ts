import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { realNow, secondMs } from '../../src/core/time.ts';
import { leaseMs, runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { anotherBiller, expectSuccess } from '../support/billing.ts';
import { openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
// Without the queue, which would send at other times.
const first = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' }));
afterAll(async () => {
  await first.service.stop();
  await receiver.close();
});

/** How long the receiver takes to respond. */
const slowMs = 3 * secondMs;

test('no other sender claims a delivery within its lease, however long the run has lasted', async () => {
  const { merchant, store } = await anotherBiller(first);
  const { database, storeId } = merchant;
  const endpoint = { url: receiver.url('/slow'), events: ['commission.recorded'] };
  expectSuccess(await merchant.api('POST', `${store}/webhook-endpoints`, endpoint));
  const leftMs: number[] = [];
  receiver.answer('/slow', (response) => {
    void whatIsLeft().finally(() => response.writeHead(204).end());
  });
  const reviewer = reviewerOf(merchant);
  // More than are sent concurrently.
  for (let sales = 0; sales < 5; sales += 1) await reviewer.sale();
  await runWebhooks(merchant.service.platform);
  expect(leftMs).toHaveLength(5);
  expect(Math.min(...leftMs)).toBeGreaterThan(leaseMs - slowMs);

  /** The remaining lease of the deliveries in flight when the request arrives; the receiver then responds slowly. */
  async function whatIsLeft() {
    const { ends } = await database.one<{ ends: Date }>(sql`
      select max(try_at) as ends from webhook_deliveries where store_id = ${storeId} and state = 'waiting' and attempts = 1`);
    leftMs.push(ends.getTime() - realNow().getTime());
    await new Promise((resolve) => setTimeout(resolve, slowMs));
  }
});

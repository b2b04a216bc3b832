import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { realNow, secondMs } from '../../src/platform/time.ts';
import { leaseMs } from '../../src/webhooks/deliver.ts';
import { tendWebhooks } from '../../src/webhooks/tend.ts';
import { anotherBiller, good } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';

let receiver: Receiver;
let first: Merchant;
beforeAll(async () => {
  receiver = await webhookReceiver();
  // Without the queue, which would send by its own time.
  first = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' }));
});
afterAll(async () => {
  await first.service.stop();
  await receiver.close();
});

test('however long a run has lasted, what it begins to send is taken by nobody else for the whole lease', async () => {
  const { merchant, store } = await anotherBiller(first);
  const { database, storeId } = merchant;
  const asked = { url: receiver.url('/slow'), events: ['commission.recorded'] };
  good(await merchant.api('POST', `${store}/webhook-endpoints`, asked));
  const leftMs: number[] = [];
  receiver.answer('/slow', (response) => {
    void whatIsLeft().finally(() => response.writeHead(204).end());
  });
  const reviewer = reviewerOf(merchant);
  // More than are sent side by side.
  for (let sales = 0; sales < 5; sales += 1) await reviewer.sale();
  await tendWebhooks(merchant.service.platform);
  expect(leftMs).toHaveLength(5);
  expect(Math.min(...leftMs)).toBeGreaterThan(leaseMs - 1.5 * secondMs);

  /** Of the lease of what is under way, as the request comes; then the receiver takes its time. */
  async function whatIsLeft() {
    const { ends } = await database.one<{ ends: Date }>(sql`
      select max(try_at) as ends from webhook_deliveries where store_id = ${storeId} and state = 'waiting' and attempts = 1`);
    leftMs.push(ends.getTime() - realNow().getTime());
    await new Promise((resolve) => setTimeout(resolve, 3 * secondMs));
  }
});

import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { dayMs, minuteMs, realNow } from '../../src/core/time.ts';
import { deleteOldWebhooks, runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { anotherBiller, expectSuccess } from '../support/billing.ts';
import { openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
// Without the queue, which would collect at other times.
const service = await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' });
const first = await openMerchant(service);
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const look = () => runWebhooks(service.platform);

/** A store whose endpoint received the event of one order, and what remains of it as days pass. */
async function deliverOnce(path: string) {
  const { merchant, store } = await anotherBiller(first);
  const { database, storeId, at, api } = merchant;
  const endpoints = `${store}/webhook-endpoints`;
  const { json } = expectSuccess(await api('POST', endpoints, { url: receiver.url(path), events: ['commission.recorded'] }));
  await reviewerOf(merchant).sale();
  await look();
  expect(receiver.received(path)).toHaveLength(1);
  return {
    endpoint: `${endpoints}/${json.id}`,
    api,
    kept: async () => {
      const [attempts, events] = await Promise.all([
        database.all(sql`select 1 from webhook_attempts where store_id = ${storeId}`),
        database.all(sql`select 1 from webhook_events where store_id = ${storeId}`),
      ]);
      return [attempts.length, events.length];
    },
    runRetentionAfter: (days: number) =>
      deleteOldWebhooks(service.platform, new Date(at(days * dayMs)), new Date(realNow().getTime() + days * dayMs + minuteMs)),
  };
}

test('deletes events and responses after a month, and sends nothing again', async () => {
  const delivered = await deliverOnce('/kept');
  await delivered.runRetentionAfter(0);
  expect(await delivered.kept()).toEqual([1, 1]);
  await delivered.runRetentionAfter(31);
  // A poll would find the event again, because the position is not past it yet.
  expect(await delivered.kept()).toEqual([0, 1]);
  await look();
  expect(receiver.received('/kept')).toHaveLength(1);
});

test('deletes the events of a store without enabled endpoints', async () => {
  const delivered = await deliverOnce('/left');
  expectSuccess(await delivered.api('DELETE', delivered.endpoint));
  await delivered.runRetentionAfter(29);
  expect(await delivered.kept()).toEqual([1, 1]);
  await delivered.runRetentionAfter(31);
  expect(await delivered.kept()).toEqual([0, 0]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { dayMs, minuteMs, realNow } from '../../src/platform/time.ts';
import { forgetOldWebhooks, tendWebhooks } from '../../src/webhooks/tend.ts';
import { anotherBiller, good } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';

let receiver: Receiver;
let service: TestService;
let first: Merchant;
beforeAll(async () => {
  receiver = await webhookReceiver();
  // Without the queue, which would look by its own time.
  service = await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' });
  first = await openMerchant(service);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const look = () => tendWebhooks(service.platform);

/** A store whose endpoint was told of one order, and what happens to that with the days. */
async function toldOnce(path: string) {
  const { merchant, store } = await anotherBiller(first);
  const { database, storeId, at, api } = merchant;
  const endpoints = `${store}/webhook-endpoints`;
  const { json } = good(await api('POST', endpoints, { url: receiver.url(path), events: ['commission.recorded'] }));
  await reviewerOf(merchant).sale();
  await look();
  expect(receiver.taken(path)).toHaveLength(1);
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
    nightAfter: (days: number) =>
      forgetOldWebhooks(service.platform, new Date(at(days * dayMs)), new Date(realNow().getTime() + days * dayMs + minuteMs)),
  };
}

test('after a month it is forgotten what was answered, and nothing is told anew', async () => {
  const told = await toldOnce('/kept');
  await told.nightAfter(0);
  expect(await told.kept()).toEqual([1, 1]);
  await told.nightAfter(31);
  // The event itself would be found once more, for nobody has looked further yet.
  expect(await told.kept()).toEqual([0, 1]);
  await look();
  expect(receiver.taken('/kept')).toHaveLength(1);
});

test('of a store that listens no more the events go too', async () => {
  const told = await toldOnce('/left');
  good(await told.api('DELETE', told.endpoint));
  await told.nightAfter(29);
  expect(await told.kept()).toEqual([1, 1]);
  await told.nightAfter(31);
  expect(await told.kept()).toEqual([0, 0]);
});

import { expect, test } from 'vitest';
import { publicId } from '../../../src/core/ids.ts';
import { dayMs, hourMs } from '../../../src/core/time.ts';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { paths, subscriberOf, type Subscriber } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

async function bound(): Promise<Subscriber> {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  return subscriber;
}

test('an end is stored with its reason and its own time; a repeat is replayed [Endpoints, end]', async () => {
  const subscriber = await bound();
  const body = subscriber.endBody({ reason: 'cancelled', occurred_at: merchant.at(-hourMs) });
  const ids = async () => ({ event_id: publicId('evt', (await subscriber.event(body.event_id)).recordedEventId) });
  const rows = await rowsWritten(merchant.database, async () =>
    expectAccepted(await merchant.post(paths.end, body), 'recorded', await ids()),
  );
  expect(rows).toEqual({ subscription_events: '1 new', relationships: '1 changed', postback_log: '1 new' });
  const ended = { state: 'ended', endReason: 'cancelled', endOccurredAt: new Date(String(body['occurred_at'])) };
  expect(await subscriber.relationship()).toMatchObject(ended);
  const again = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.post(paths.end, body), 'recorded', await ids(), { isReplay: true });
  });
  expect(again).toEqual({ postback_log: '1 new' });

  // Another end: the first one remains.
  const other = await rowsWritten(merchant.database, async () =>
    expect((await subscriber.end({ reason: 'other' })).json.reason).toBe('recorded'),
  );
  expect(other).toEqual({ subscription_events: '1 new', postback_log: '1 new' });
  expect(await subscriber.relationship()).toMatchObject(ended);
});

test('an end without a time stores no time [end request, occurred_at]', async () => {
  const subscriber = await bound();
  await subscriber.end();
  expect(await subscriber.relationship()).toMatchObject({ state: 'ended', endOccurredAt: null, endReason: null });
});

test('an end during a hold ends the relationship, and the review stays open [States]', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ product_id: 'plan-pro' });
  await subscriber.end();
  expect(await subscriber.relationship()).toMatchObject({ state: 'ended', heldReason: 'product_mismatch' });
});

test('an unknown relationship is 404 and burns nothing: resent after the bind, the event ends it [Errors, 404]', async () => {
  const subscriber = subscriberOf(merchant);
  const body = subscriber.endBody();
  const rows = await rowsWritten(merchant.database, async () =>
    expectRefused(await merchant.post(paths.end, body), 404, 'unknown_relationship', 'never'),
  );
  expect(rows).toEqual({ postback_log: '1 new' });
  await subscriber.bind();
  expect((await merchant.post(paths.end, body)).status).toBe(200);
});

test('an end with a time that is too old is burned, and ends nothing [Limits, occurred_at age]', async () => {
  const subscriber = await bound();
  const body = subscriber.endBody({ occurred_at: merchant.at(-373 * dayMs) });
  expectRefused(await merchant.post(paths.end, body), 422, 'invalid_occurred_at', 'never');
  expectRefused(await merchant.post(paths.end, body), 500, 'duplicate_event', 'never');
  expect((await subscriber.relationship()).state).toBe('active');
});

test('a reason that is not text is 400 [end request, reason]', async () => {
  const subscriber = await bound();
  const message = 'reason must be a string.';
  expectRefused(await subscriber.end({ reason: 7 }), 400, 'invalid_payload', { retry: 'never', field: '/reason', message });
});

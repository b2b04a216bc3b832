import { afterAll, expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { merchantIn, openMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { sendAgain } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';
import { sizeOf } from '../support/size.ts';
import { paths, subscriberOf, type Subscriber } from '../support/subscriber.ts';

/** Two services on one database, as two processes would be: order within one batch does not help across two. */
const here = await openMerchant();
const second = await startTestServiceOn(here.service.databaseUrl);
const there = merchantIn(second, here.world);
afterAll(async () => {
  await second.stop();
  await here.service.stop();
});

const rounds = sizeOf('otherRaces');
const copies = 10;
const each = async (round: (subscriber: Subscriber) => Promise<void>): Promise<void> => {
  for (let count = 0; count < rounds; count++) await round(subscriberOf(here));
};
const post = (merchant: Merchant, path: string, body: object): Promise<ApiResponse> =>
  sendAgain(
    () => merchant.post(path, body),
    () => void (unavailable += 1),
  );
/** The number of answers 503 so far. */
let unavailable = 0;
/** Sends the same body concurrently, half of the copies to each service. */
const flood = (path: string, body: object): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: copies }, (_none, place) => post(place % 2 === 0 ? here : there, path, body)));
const distinct = (response: readonly ApiResponse[]) => [...new Set(response.map(({ status, text }) => `${status} ${text}`))];
/** The first answer may have been lost with a 503. */
function expectOneRecorded(response: readonly ApiResponse[]): void {
  const firsts = response.filter(({ headers }) => headers.get('idempotent-replayed') === null).length;
  expect([distinct(response).length, unavailable > 0 && firsts === 0 ? 1 : firsts, response[0]?.status]).toEqual([1, 1, 200]);
}

test('of many copies of one event exactly one is recorded, and all get its answer', async () => {
  await each(async (subscriber) => {
    const before = await subscriber.expected();
    const binds = await flood(paths.bind, await subscriber.bindBody());
    expectOneRecorded(binds);
    const responses = await flood(paths.reportInvoice, subscriber.paidInvoiceBody({ invoice_id: 'in-1' }));
    expectOneRecorded(responses);
    expect((await subscriber.expected()) - before).toBe(980n);
    const refunds = await flood(paths.refund, subscriber.refundBody({ invoice_id: 'in-1' }));
    expectOneRecorded(refunds);
    expect(await subscriber.expected()).toBe(before);
    const ends = await flood(paths.end, subscriber.endBody());
    expectOneRecorded(ends);
  });
});

test('two hundred concurrent copies of one event: one is recorded, all others get its answer, and none gets a 5xx', async () => {
  const subscriber = subscriberOf(here);
  await subscriber.bind();
  const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1' });
  const response = await Promise.all(Array.from({ length: 200 }, () => here.post(paths.reportInvoice, body)));
  expectOneRecorded(response);
});

const transactions = async (): Promise<number> => {
  const text = await here.service.platform.metrics.registry.metrics();
  return Number(/^tributary_batch_size_count\{batch="subscriptions"\} (\d+)$/m.exec(text)?.[1]);
};

test('two hundred concurrent copies of a conflicting event are answered together, not one after the other', async () => {
  const subscriber = subscriberOf(here);
  await subscriber.bind();
  const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1' });
  await here.post(paths.reportInvoice, body);
  const before = await transactions();
  const response = await Promise.all(Array.from({ length: 200 }, () => here.post(paths.reportInvoice, { ...body, invoice_id: 'in-2' })));
  expect([distinct(response).length, response[0]?.status, response[0]?.json.reason]).toEqual([1, 409, 'duplicate_event_conflict']);
  expect((await transactions()) - before).toBeLessThan(100);
});

test('one event_id with two concurrent contents: one is recorded, the other conflicts', async () => {
  await each(async (subscriber) => {
    await subscriber.bind();
    const body = subscriber.paidInvoiceBody();
    const response = await Promise.all([
      post(here, paths.reportInvoice, body),
      post(there, paths.reportInvoice, { ...body, invoice_id: 'other' }),
    ]);
    expect(response.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test('two concurrent payments of one invoice: one earns', async () => {
  await each(async (subscriber) => {
    await subscriber.bind();
    const before = await subscriber.expected();
    const paid = () => subscriber.paidInvoiceBody({ invoice_id: 'in-1', occurred_at: here.at() });
    const response = await Promise.all([
      post(here, paths.reportInvoice, paid()),
      post(there, paths.reportInvoice, paid()),
      post(here, paths.reportInvoice, paid()),
    ]);
    expect(response.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(response.filter(({ json }) => json.conversion_id !== undefined)).toHaveLength(1);
    expect((await subscriber.expected()) - before).toBe(980n);
  });
});

test('two concurrent binds of one relationship: the same click and product get one binding, different ones conflict', async () => {
  await each(async (subscriber) => {
    const click_id = await here.click();
    const [one, same, other] = [
      await subscriber.bindBody({ click_id }),
      await subscriber.bindBody({ click_id }),
      await subscriber.bindBody({ click_id, product_id: 'plan-pro' }),
    ];
    const [first, again, conflict] = await Promise.all([
      post(here, paths.bind, one),
      post(there, paths.bind, same),
      post(there, paths.bind, other),
    ]);
    const wasFirst = (await subscriber.relationship()).firstProductId === 'plan-pro';
    expect([first.status, again.status, conflict.status]).toEqual(wasFirst ? [409, 409, 422] : [200, 200, 409]);
    if (!wasFirst) expect(first.json.binding_id).toBe(again.json.binding_id);
  });
});

test('an end against an invoice: either the invoice is first and earns, or it is rejected and burned', async () => {
  const outcomes = new Set<number>();
  await each(async (subscriber) => {
    await subscriber.bind();
    const before = await subscriber.expected();
    const body = subscriber.paidInvoiceBody({ invoice_id: 'in-1' });
    const [end, invoice] = await Promise.all([post(here, paths.end, subscriber.endBody()), post(there, paths.reportInvoice, body)]);
    expect(end.status).toBe(200);
    outcomes.add(invoice.status);
    expect((await subscriber.expected()) - before).toBe(invoice.status === 200 ? 980n : 0n);
    if (invoice.status === 200) return;
    expect([invoice.json.reason, (await post(there, paths.reportInvoice, body)).json.reason]).toEqual([
      'relationship_ended',
      'duplicate_event',
    ]);
  });
  expect([...outcomes].every((status) => status === 200 || status === 422)).toBe(true);
});

test('a refund against its payment: the money is the same in either order, once the 404 was retried', async () => {
  await each(async (subscriber) => {
    await subscriber.bind();
    const before = await subscriber.expected();
    const [invoice, refund] = [subscriber.paidInvoiceBody({ invoice_id: 'in-1' }), subscriber.refundBody({ invoice_id: 'in-1' })];
    const [billed, refunded] = await Promise.all([post(here, paths.reportInvoice, invoice), post(there, paths.refund, refund)]);
    expect([billed.status, [200, 404].includes(refunded.status)]).toEqual([200, true]);
    expect((await post(there, paths.refund, refund)).status).toBe(200);
    expect(await subscriber.expected()).toBe(before);
  });
});

test('a review against invoices: every payment is either decided by it or follows it, and none is lost or duplicated', async () => {
  await each(async (subscriber) => {
    await subscriber.bind();
    const before = await subscriber.expected();
    await subscriber.reportInvoice({ invoice_id: 'in-0', product_id: 'plan-pro' });
    const relationship = publicId('bind', (await subscriber.relationship()).bindingId);
    const invoice = (place: number) =>
      post(
        place % 2 === 0 ? here : there,
        paths.reportInvoice,
        subscriber.paidInvoiceBody({ invoice_id: `in-${place}`, product_id: 'plan-pro' }),
      );
    const [reviewed, ...responses] = await Promise.all([
      here.api('POST', `/stores/${here.world.store.id}/relationships/${relationship}/review`, { decision: 'accept' }),
      ...[1, 2, 3, 4].map(invoice),
    ]);
    expect([reviewed.status, ...responses.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200]);
    const { heldReason } = await subscriber.relationship();
    expect([heldReason, (await subscriber.expected()) - before]).toEqual([null, 5n * 980n]);
  });
});

test('the limit of invoices holds when more than twelve are paid concurrently', async () => {
  const subscriber = subscriberOf(here);
  await subscriber.bind();
  const before = await subscriber.expected();
  const bodies = Array.from({ length: 20 }, (_none, place) => subscriber.paidInvoiceBody({ invoice_id: `in-${place}` }));
  const response = await Promise.all(bodies.map((body, place) => post(place % 2 === 0 ? here : there, paths.reportInvoice, body)));
  expect(response.map(({ status }) => status)).toEqual(bodies.map(() => 200));
  expect(response.filter(({ json }) => json.conversion_id !== undefined)).toHaveLength(12);
  expect((await subscriber.expected()) - before).toBe(12n * 980n);
});

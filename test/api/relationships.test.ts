import { expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { openSharedMerchant, otherMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { uniqueId, subscriberOf, type Subscriber } from '../support/subscriber.ts';

const merchant = await openSharedMerchant();

async function bound(name?: string): Promise<Subscriber> {
  const subscriber = subscriberOf(merchant, name);
  expect((await subscriber.bind()).status).toBe(200);
  return subscriber;
}
const pathOf = (of: Merchant) => `/stores/${of.world.store.id}/relationships`;
const idOf = async (subscriber: Subscriber) => publicId('bind', (await subscriber.relationship()).bindingId);
const review = async (subscriber: Subscriber, decision: string): Promise<ApiResponse> =>
  merchant.api('POST', `${pathOf(merchant)}/${await idOf(subscriber)}/review`, { decision });
const seen = async (subscriber: Subscriber): Promise<ApiResponse> => merchant.api('GET', `${pathOf(merchant)}/${await idOf(subscriber)}`);
const listed = async (query: string): Promise<readonly string[]> => {
  const { json } = await merchant.api('GET', `${pathOf(merchant)}?${query}`);
  return json.data.map(({ relationship_id }: { relationship_id: string }) => relationship_id);
};

test('shows a subscription with its rule, its invoices, and the reason for each commission', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1' });
  await subscriber.reportInvoice({ invoice_id: 'in-2', payment_state: 'open' });
  expect((await seen(subscriber)).json).toMatchObject({ creator_name: 'Cora Creator', earned_cents: 980 });
  await subscriber.refund({ invoice_id: 'in-1', reason: 'refunded' });
  const { status, json } = await seen(subscriber);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: await idOf(subscriber),
    relationship_id: subscriber.relationshipId,
    state: 'active',
    held: null,
    program_id: merchant.world.program.id,
    creator_id: merchant.world.creator.id,
    product_id: 'plan-basic',
    price_id: 'price-monthly',
    rule: { basis_points: 2_000, flat_cents: null, max_invoices: 12, max_months: null, terms_version: 1 },
    paid_invoices: 1,
    earning_invoices: 1,
    earned_cents: 0,
    ended_at: null,
    next_cursor: null,
  });
  const [open, paid] = json.invoices;
  expect(open).toMatchObject({ invoice_id: 'in-2', state: 'open', earns: 'not_paid', explanation: null, reversed_at: null });
  expect(paid).toMatchObject({
    invoice_id: 'in-1',
    state: 'paid',
    earns: 'commission',
    amount_paid_cents: 4_900,
    reversal_reason: 'refunded',
  });
  expect(paid.explanation).toContain('The invoice earns 9.80 USD: 20% of 49.00 USD is 9.80 USD.');
});

test('accepting a change binds the invoiced product, and the waiting invoices create their commissions in the recorded order', async () => {
  const subscriber = await bound();
  const before = await subscriber.expected();
  await subscriber.reportInvoice({ invoice_id: 'in-1', product_id: 'plan-pro', price_id: 'price-pro', amount_paid_minor_units: 9_900 });
  await subscriber.reportInvoice({ invoice_id: 'in-2' });
  expect((await seen(subscriber)).json).toMatchObject({
    held: { reason: 'product_mismatch', by: 'system', product_id: 'plan-pro', price_id: 'price-pro' },
  });
  expect(await subscriber.expected()).toBe(before);

  const { status, json } = await review(subscriber, 'accept');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    held: null,
    product_id: 'plan-pro',
    price_id: 'price-pro',
    earning_invoices: 2,
    rule: { basis_points: 2_000 },
  });
  expect([(await subscriber.commission('in-1')).amountCents, (await subscriber.commission('in-2')).amountCents]).toEqual([1_980n, 980n]);
  expect((await subscriber.expected()) - before).toBe(2_960n);

  // The new product is bound from here on.
  expect((await subscriber.reportInvoice({ product_id: 'plan-pro', price_id: 'price-pro' })).json.conversion_id).toMatch(/^com_/);
  expect((await review(subscriber, 'accept')).status).toBe(409);
  await subscriber.reportInvoice();
  expect((await seen(subscriber)).json.held.product_id).toBe('plan-basic');
});

test('after a declined change the waiting invoices earn nothing, and the comparison stays', async () => {
  const subscriber = await bound();
  const before = await subscriber.expected();
  await subscriber.reportInvoice({ invoice_id: 'in-1', product_id: 'plan-pro' });
  expect((await review(subscriber, 'decline')).json).toMatchObject({ held: null, product_id: 'plan-basic' });
  expect(await subscriber.expected()).toBe(before);
  expect((await seen(subscriber)).json.invoices).toMatchObject([{ earns: 'nothing', nothing_because: 'declined' }]);
  expect((await subscriber.reportInvoice()).json.conversion_id).toMatch(/^com_/);
  await subscriber.reportInvoice({ product_id: 'plan-pro' });
  expect((await seen(subscriber)).json.held.reason).toBe('product_mismatch');
});

test('an ended subscription with an open review is reviewed, and stays ended', async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ invoice_id: 'in-1', product_id: 'plan-pro' });
  await subscriber.end({ reason: 'cancelled' });
  expect((await review(subscriber, 'accept')).json).toMatchObject({ state: 'ended', end_reason: 'cancelled', held: null });
  expect((await subscriber.commission('in-1')).state).toBe('pending');
});

test('a review is in the audit log, and without an open review it is a conflict that changes nothing', async () => {
  const subscriber = await bound();
  expect((await review(subscriber, 'accept')).json).toMatchObject({ ok: false, reason: 'conflict' });
  await subscriber.reportInvoice({ product_id: 'plan-pro' });
  await review(subscriber, 'accept');
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`);
  const [entry] = json.data;
  expect(entry).toMatchObject({ action: 'relationship.review', details: { decision: 'accept' } });
  expect(entry.subject).toContain(await idOf(subscriber));
});

test('filters the list by state, hold, creator, and id prefix, and returns it page by page', async () => {
  const start = uniqueId('list_50%');
  const [active, ended, held] = [await bound(`${start}-a`), await bound(`${start}-b`), await bound(`${start}-c`)];
  await ended.end();
  await held.reportInvoice({ product_id: 'plan-pro' });
  const q = `q=${encodeURIComponent(start)}`;
  expect(await listed(q)).toEqual([held, ended, active].map(({ relationshipId }) => relationshipId));
  expect(await listed(`${q}&state=ended`)).toEqual([ended.relationshipId]);
  expect(await listed(`${q}&held=true`)).toEqual([held.relationshipId]);
  expect(await listed(`${q}&held=false&state=active`)).toEqual([active.relationshipId]);
  expect(await listed(`${q}&creator_id=${merchant.world.creator.id}`)).toHaveLength(3);
  expect(await listed(`${q}&creator_id=${'crt_0'.padEnd(30, '0')}`)).toEqual([]);
  expect(await listed('q=list_50_')).toEqual([]);

  const first = (await merchant.api('GET', `${pathOf(merchant)}?${q}&limit=2`)).json;
  const rest = (await merchant.api('GET', `${pathOf(merchant)}?${q}&limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([await idOf(held), await idOf(ended), await idOf(active)]);
  expect(rest.next_cursor).toBeNull();
});

test('an id of the maximum length is found by its whole value, and differs from one with the same beginning', async () => {
  const start = uniqueId('long').padEnd(498, 'x');
  for (const id of [`${start}-a`, `${start}-b`]) await bound(id);
  expect(await listed(`q=${start}-b`)).toEqual([`${start}-b`]);
  expect(await listed(`q=${start}`)).toHaveLength(2);
});

test('the CSV export contains exactly the filtered rows, and the totals count the same', async () => {
  const start = uniqueId('filed');
  await bound(`${start}-a`);
  const ended = await bound(`${start}-b`);
  await ended.end();
  const fileOf = async (query: string): Promise<readonly string[]> => {
    const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
    const answer = await fetch(`${merchant.service.url}/api/v1${pathOf(merchant)}?${query}`, { headers });
    return (await answer.text())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[1] ?? '');
  };
  const totalsOf = async (query: string) => (await merchant.api('GET', `${pathOf(merchant)}/totals?${query}`)).json;
  expect(await fileOf(`q=${start}`)).toEqual(['relationship_id', `${start}-b`, `${start}-a`]);
  expect(await fileOf(`q=${start}&state=ended`)).toEqual(['relationship_id', `${start}-b`]);
  expect(await fileOf(`q=${start}&creator_id=nobody`)).toEqual(['relationship_id']);
  expect(await totalsOf(`q=${start}`)).toEqual({ count: 2, has_more: false });
  expect(await totalsOf(`q=${start}&state=ended`)).toEqual({ count: 1, has_more: false });
  expect(await totalsOf('creator_id=nobody')).toEqual({ count: 0, has_more: false });
});

test.each(['a=1', 'state=held', 'held=maybe', `q=${'x'.repeat(501)}`, 'cursor=x'])('rejects an invalid query: %s', async (query) => {
  expect((await merchant.api('GET', `${pathOf(merchant)}?${query}`)).json.reason).toBe('invalid_request');
});

test("another store's subscription is answered exactly like one that does not exist", async () => {
  const subscriber = await bound();
  await subscriber.reportInvoice({ product_id: 'plan-pro' });
  const stranger = otherMerchant(merchant);
  for (const [method, after, body] of [
    ['GET', '', undefined],
    ['POST', '/review', { decision: 'accept' }],
  ] as const) {
    const theirs = await stranger.api(method, `${pathOf(stranger)}/${await idOf(subscriber)}${after}`, body);
    const nobodys = await stranger.api(method, `${pathOf(stranger)}/${'bind_0'.padEnd(31, '0')}${after}`, body);
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
  }
  expect((await subscriber.relationship()).heldReason).toBe('product_mismatch');
});

test('the tracking log gives the reason in a sentence with the compared values', async () => {
  const subscriber = await bound();
  const bodies = [
    [
      subscriber.paidInvoiceBody({ product_id: 'plan-pro' }),
      'it is bound to plan-basic at price-monthly, and the invoice is for plan-pro at price-monthly',
    ],
    [subscriber.paidInvoiceBody({ payment_state: 'open' }), 'The invoice is open. Only a paid invoice earns a commission.'],
  ] as const;
  for (const [body, sentence] of bodies) {
    await merchant.post('v2/recurring/billing-events', body);
    const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?q=${body.event_id}`);
    expect(json.data[0].explanation).toContain(sentence);
  }
});

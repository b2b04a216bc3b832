import { afterAll, expect, test } from 'vitest';
import { publicId, type Id } from '../../../src/core/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { openMerchant, otherMerchant, type Json } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';
import { expectBoundWithoutRule, subscriberOf } from '../../support/subscriber.ts';

/** The brackets name the place in the interface that a test verifies: its section, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

type Bound = { readonly bindingId: Id<'bind'>; readonly bindEventId: Id<'evt'> };
const idsOf = ({ bindingId, bindEventId }: Bound) => ({ binding_id: publicId('bind', bindingId), event_id: publicId('evt', bindEventId) });
const fresh = () => subscriberOf(merchant);
const ago = (ms: number) => new Date(merchant.service.platform.clock.now().getTime() - ms);

test('a bind stores the relationship with a copy of its rule, and moves no money [Endpoints, relationships]', async () => {
  const subscriber = fresh();
  const body = await subscriber.bindBody({ occurred_at: merchant.at(), metadata: { unknown: true } });
  const rows = await rowsWritten(merchant.database, async () => {
    const response = await merchant.post('v2/recurring/relationships', body);
    expectAccepted(response, 'recorded', idsOf(await subscriber.relationship()));
  });
  expect(rows).toEqual({ subscription_events: '1 new', relationships: '1 new', postback_log: '1 new' });
  expect(await subscriber.relationship()).toMatchObject({
    relationshipId: subscriber.relationshipId,
    environment: 'live',
    productId: 'plan-basic',
    priceId: 'price-monthly',
    boundAt: new Date(String(body['occurred_at'])),
    basisPoints: 2_000,
    flatCents: null,
    maxInvoices: 12,
    maxMonths: null,
    termsVersion: 1,
    attributionDays: 30,
    holdDays: 30,
    state: 'active',
    heldReason: null,
    paidInvoices: 0,
  });
  expect(await merchant.logEntryOf(body.event_id)).toMatchObject({
    operation: 'relationship',
    status: 200,
    isTest: false,
    isReplay: false,
  });
});

test('a bind without a time uses the time of receipt, which later comparisons ignore [bind request, occurred_at]', async () => {
  const subscriber = fresh();
  const body = await subscriber.bindBody();
  const first = await merchant.post('v2/recurring/relationships', body);
  const { boundAt, recordedAt } = await subscriber.relationship();
  expect(boundAt).toEqual(recordedAt);
  await merchant.moveClock('1h');
  expectAccepted(
    await merchant.post('v2/recurring/relationships', { ...body, price_id: 'price-monthly', reason: 'x' }),
    'recorded',
    idsOf(await subscriber.relationship()),
    { isReplay: true },
  );
  expect(first.status).toBe(200);
});

test('one click may be bound to any number of relationships and also back an order [States, click converted]', async () => {
  const click_id = await merchant.click();
  for (const subscriber of [fresh(), fresh()]) expect((await subscriber.bind({ click_id })).json.reason).toBe('recorded');
  expect((await merchant.convert(await merchant.order({ click_id }))).json.reason).toBe('recorded');
});

test('another event for the same bind gets the first answer, is stored, and binds nothing twice [Endpoints, relationships]', async () => {
  const subscriber = fresh();
  const click_id = await merchant.click();
  await subscriber.bind({ click_id });
  const again = await subscriber.bindBody({ click_id, occurred_at: merchant.at() });
  const rows = await rowsWritten(merchant.database, async () => {
    const response = await merchant.post('v2/recurring/relationships', again);
    expectAccepted(response, 'recorded', idsOf(await subscriber.relationship()), { isReplay: true });
  });
  expect(rows).toEqual({ subscription_events: '1 new', postback_log: '1 new' });
  expectAccepted(await merchant.post('v2/recurring/relationships', again), 'recorded', idsOf(await subscriber.relationship()), {
    isReplay: true,
  });
});

const differences: ReadonlyArray<readonly [what: string, fields: Readonly<Record<string, unknown>>]> = [
  ['another product', { product_id: 'plan-pro' }],
  ['another price', { price_id: 'price-yearly' }],
  ['no price', { price_id: null }],
];
test.each(differences)('a bind with %s conflicts, burns nothing and changes nothing [Errors, 409]', async (_what, fields) => {
  const subscriber = fresh();
  const click_id = await merchant.click();
  await subscriber.bind({ click_id });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await subscriber.bind({ click_id, ...fields }), 409, 'duplicate_relationship_conflict', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expectRefused(await subscriber.bind(fields), 409, 'duplicate_relationship_conflict', 'never');
});

test('a bind without a rule has zero commission permanently; its invoices are recorded and earn nothing, even after a rule is added [States, relationship at zero commission]', async () => {
  const subscriber = fresh();
  const body = await subscriber.bindBody({ product_id: 'plan-later', price_id: null });
  const rows = await rowsWritten(merchant.database, async () => {
    expectBoundWithoutRule(await merchant.post('v2/recurring/relationships', body), await subscriber.relationship());
  });
  expect(rows).toEqual({ subscription_events: '1 new', relationships: '1 new', postback_log: '1 new' });
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/terms`;
  const rule = { product_id: 'plan-later', basis_points: 5_000 };
  const basic = { product_id: 'plan-basic', price_id: 'price-monthly', basis_points: 2_000, max_invoices: 12 };
  expect(
    (await merchant.api('POST', program, { pays: 'order', order_rules: [{ basis_points: 1_000 }], subscription_rules: [rule, basic] }))
      .status,
  ).toBe(201);

  expectBoundWithoutRule(await merchant.post('v2/recurring/relationships', body), await subscriber.relationship(), { isReplay: true });
  const other = await subscriber.bindBody({ product_id: 'plan-later', price_id: null, click_id: body['click_id'] });
  expectBoundWithoutRule(await merchant.post('v2/recurring/relationships', other), await subscriber.relationship(), { isReplay: true });
  const response = await subscriber.reportInvoice({ invoice_id: 'in-1', product_id: 'plan-later', price_id: null });
  expect([response.status, response.json.reason, response.json.conversion_id]).toEqual([200, 'recorded', undefined]);
  expect([await subscriber.commission('in-1'), (await subscriber.invoice('in-1')).nothingBecause]).toEqual([null, 'zero_commission']);
});

test('a bind rejected with 422 is burned, and stores only its event and its log entry [Errors, 500]', async () => {
  const tooOld = merchant.at(-373 * dayMs);
  const expired = await merchant.clickAt(ago(31 * dayMs));
  const cases: ReadonlyArray<readonly [Json, Parameters<typeof expectRefused>[2]]> = [
    [{ currency: 'EUR' }, 'unsupported_pricing_currency'],
    [{ occurred_at: 'yesterday' }, 'invalid_occurred_at'],
    [{ occurred_at: merchant.at(6 * minuteMs) }, 'invalid_occurred_at'],
    [{ occurred_at: tooOld }, 'invalid_occurred_at'],
    [{ occurred_at: merchant.at(-hourMs) }, 'order_precedes_click'],
    [{ click_id: expired }, 'attribution_window_expired'],
  ];
  for (const [fields, reason] of cases) {
    const subscriber = fresh();
    const body = await subscriber.bindBody(fields);
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.post('v2/recurring/relationships', body), 422, reason, 'never');
    });
    expect(rows).toEqual({ subscription_events: '1 new', postback_log: '1 new' });
    expectRefused(await merchant.post('v2/recurring/relationships', body), 500, 'duplicate_event', 'never');
    expectRefused(
      await merchant.post('v2/recurring/relationships', { ...body, product_id: 'x' }),
      409,
      'duplicate_event_conflict',
      'never',
    );
    expect(await subscriber.relationship()).toBeNull();
    expect((await subscriber.bind()).json.reason).toBe('recorded');
  }
});

test('a click that is forged, unknown or of another store is 404 and burns nothing [Errors, 404]', async () => {
  const stranger = await otherMerchant(merchant).click();
  for (const click_id of ['rmc_forged', stranger]) {
    const subscriber = fresh();
    const body = await subscriber.bindBody({ click_id });
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.post('v2/recurring/relationships', body), 404, 'unknown_referral_click', 'never');
    });
    expect(rows).toEqual({ postback_log: '1 new' });
    // The same event ID, with the right click, succeeds.
    expect((await merchant.post('v2/recurring/relationships', { ...body, click_id: await merchant.click() })).status).toBe(200);
  }
});

type InvalidField = readonly [what: string, fields: Readonly<Record<string, unknown>>, field: string, message: string];
const invalidFields: readonly InvalidField[] = [
  ['no event_id', { event_id: '' }, '/event_id', 'event_id is required.'],
  ['no relationship_id', { relationship_id: null }, '/relationship_id', 'relationship_id is required.'],
  ['no click', { click_id: null }, '/click_id', 'click_id is required.'],
  ['an empty click', { click_id: '' }, '/click_id', 'click_id is required.'],
  ['no product', { product_id: undefined }, '/product_id', 'product_id is required.'],
  ['no environment', { environment: null }, '/environment', 'environment is required.'],
  ['another environment', { environment: 'production' }, '/environment', 'environment must be one of live, test.'],
  ['a currency of four characters', { currency: 'USDT' }, '/currency', 'currency must be a three-letter currency code, such as USD.'],
  ['a number as time', { occurred_at: 5 }, '/occurred_at', 'occurred_at must be a string such as 2026-03-01T12:00:00.000Z.'],
];
test.each(invalidFields)('%s: invalid_payload, and nothing is burned [Errors, 400]', async (_what, fields, field, message) => {
  const subscriber = fresh();
  const good = await subscriber.bindBody();
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.post('v2/recurring/relationships', { ...good, ...fields }), 400, 'invalid_payload', {
      retry: 'never',
      field,
      message,
    });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect((await merchant.post('v2/recurring/relationships', good)).status).toBe(200);
});

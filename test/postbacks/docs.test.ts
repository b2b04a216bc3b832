import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { conversionFields, reversalFields } from '../../src/orders/report.ts';
import { leadFields, leadReversalFields } from '../../src/leads/lead-report.ts';
import { partialRefundFields } from '../../src/contract/fields.ts';
import { isReason, reasons, reasonRow, type Reason } from '../../src/contract/reasons.ts';
import { dayMs, hourMs } from '../../src/core/time.ts';
import { namesOf } from '../../src/core/names-of.ts';
import { holdCommission, merchantIn, openMerchant, otherMerchant, putCommission, type Merchant } from '../support/merchant.ts';
import { ask, requestText } from '../support/raw-socket.ts';

const page = readFileSync('docs/wire.md', 'utf8');
const sectionOf = (title: string): string => page.split(/^#+ /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
const rowsOf = (section: string): readonly string[] => section.split('\n').filter((line) => line.startsWith('| `'));

test('the table of reasons in docs/wire.md is the table that the service answers from, row by row', () => {
  const documented = namesOf(reasons).map((reason) => {
    const { status, statusIn, retry, means } = reasonRow(reason);
    const words = statusIn === undefined ? `${status}` : `${status} (404 where a subscription is bound)`;
    return `| \`${reason}\` | ${words} | ${retry ?? '–'} | ${means} |`;
  });
  expect(rowsOf(sectionOf('Every reason'))).toEqual(documented);
});

test('docs/wire.md names exactly the fields that are read', () => {
  const named = (title: string) => rowsOf(sectionOf(title)).flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
  expect(named('A paid order (`conversions`)').sort()).toEqual(Object.keys(conversionFields).sort());
  const known = Object.keys(reversalFields).filter((name) => !(name in partialRefundFields));
  expect(named('A full refund (`reversals`)').sort()).toEqual(known.sort());
  for (const name of Object.keys(partialRefundFields)) expect(sectionOf('A full refund (`reversals`)')).toContain(`\`${name}\``);
});

test('docs/wire.md names exactly the fields of leads that are read', () => {
  const named = (title: string) => rowsOf(sectionOf(title)).flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
  expect(named('A lead (`v2/leads`)').sort()).toEqual(Object.keys(leadFields).sort());
  expect(named('The reversal of a lead (`v2/leads/reversals`)').sort()).toEqual(Object.keys(leadReversalFields).sort());
});

test('every word in docs/wire.md that looks like a reason with a status is one, with that status', () => {
  const named = [...page.matchAll(/\b(\d{3}) ((?:`[a-z_]+`(?:, )?)+)/g)].flatMap(([, status, words = '']) =>
    (words.match(/[a-z_]+/g) ?? []).map((word) => [word, Number(status)] as const),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(([word, status]) => !isReason(word) || !statusesOf(word).includes(status))).toEqual([]);
});

const statusesOf = (reason: Reason): readonly number[] => [reasonRow(reason).status, ...Object.values(reasonRow(reason).statusIn ?? {})];

/** What only subscriptions answer. A reason that is neither here nor below does not compile. */
type OfSubscriptions =
  | 'unexpected_click_id'
  | 'duplicate_event'
  | 'duplicate_event_conflict'
  | 'unknown_relationship'
  | 'environment_mismatch'
  | 'unknown_invoice'
  | 'duplicate_relationship_conflict'
  | 'relationship_ended'
  | 'no_matching_subscription_rule';

type Answer = { readonly status: number; readonly json: unknown };
type Way = (merchant: Merchant) => Promise<Answer | null>;

const converted = (fields: (merchant: Merchant) => object | Promise<object>): Way => {
  return async (merchant) => merchant.convert(await merchant.order({ click_id: await merchant.click(), ...(await fields(merchant)) }));
};
const refund = (merchant: Merchant, order_id: string, fields: object = {}) =>
  merchant.post('v2/orders/refunds', { refund_id: 'r', order_id, amount_cents: 1, occurred_at: merchant.at(-hourMs), ...fields });

/** Partial refunds of one order, the last of which answers. */
const refunded = (...sent: readonly object[]): Way => {
  return async (merchant) => {
    const order = await merchant.order();
    await merchant.convert(order);
    const occurred_at = merchant.at();
    const answers = [];
    for (const fields of sent) answers.push(await refund(merchant, order.order_id, { occurred_at, ...fields }));
    return answers.at(-1) ?? null;
  };
};

type LeadFields = object | ((merchant: Merchant) => Promise<object>);
/** Reports of one lead, the last of which answers. */
const led = (...sent: readonly LeadFields[]): Way => {
  return async (merchant) => {
    const lead = { lead_id: 'l', kind: 'sign_up', click_id: await merchant.click(), occurred_at: merchant.at() };
    const answers = [];
    for (const fields of sent)
      answers.push(await merchant.post('v2/leads', { ...lead, ...(typeof fields === 'function' ? await fields(merchant) : fields) }));
    return answers.at(-1) ?? null;
  };
};

/** A refund of an order that was brought into some state. */
const reversed = (prepare: (merchant: Merchant, orderId: string) => Promise<void>): Way => {
  return async (merchant) => {
    const { order_id } = await merchant.order();
    await merchant.convert(await merchant.order({ order_id }));
    await prepare(merchant, order_id);
    return merchant.reverse({ order_id });
  };
};
const raw = (line: string, headers: Readonly<Record<string, string>>): Way => {
  return ({ service }) => ask(Number(new URL(service.url).port), requestText('POST', `/api/partner-network/${line}`, { headers }));
};
const testClick = async ({ api, world }: Merchant): Promise<string> =>
  (await api('POST', `/stores/${world.store.id}/test-links`, {})).json.click_id;
const daysAgo = (merchant: Merchant, days: number) => new Date(Date.parse(merchant.at(-days * dayMs)));
const again: Way = async (merchant) => {
  const order = await merchant.order();
  await merchant.convert(order);
  return merchant.convert(order);
};
const closed = (how: string): Way => {
  return async (merchant) => {
    await merchant.api('POST', `/stores/${merchant.world.store.id}/${how}`);
    return merchant.convert({});
  };
};

/** A way to each reason, in a world of its own. */
const ways: Readonly<Record<Exclude<Reason, OfSubscriptions>, Way>> = {
  bad_request: raw('postbacks/x/conversions', { 'Content-Length': 'many' }),
  headers_too_large: raw('postbacks/x/conversions', { 'X-Large': 'x'.repeat(17_000) }),
  not_found: ({ post }) => post('conversions/', {}),
  method_not_allowed: async ({ service, world }) => {
    const response = await fetch(`${service.url}/api/partner-network/postbacks/${world.store.tracking_key}/conversions`);
    return { status: response.status, json: await response.json() };
  },
  temporarily_unavailable: async (merchant) => {
    const { order_id } = await merchant.order();
    await merchant.convert(await merchant.order({ order_id }));
    // Another transaction locks the commission for longer than the deadline.
    return merchant.database.transaction(async (tx) => {
      await tx.run(sql`select 1 from commissions where store_id = ${merchant.storeId} for update`);
      return merchant.reverse({ order_id });
    });
  },
  missing_postback_key: ({ convert }) => convert({}, {}),
  invalid_postback_key: ({ convert }) => convert({}, { authorization: 'Bearer wrong' }),
  store_archived: closed('archive'),
  integration_disabled: closed('integration/disable'),
  payload_too_large: ({ convert }) => convert(' '.repeat(16_385)),
  json_required: ({ convert }) => convert('{'),
  invalid_payload: ({ convert }) => convert({}),
  duplicate_order: again,
  duplicate_order_conflict: async (merchant) => {
    const order = await merchant.order();
    await merchant.convert(order);
    return merchant.convert({ ...order, order_subtotal_cents: 1 });
  },
  missing_referral_click: converted(() => ({ click_id: null })),
  unsupported_pricing_currency: converted(() => ({ currency: 'EUR' })),
  invalid_occurred_at: converted(() => ({ occurred_at: 'today' })),
  unknown_referral_click: converted(async (merchant) => ({ click_id: await otherMerchant(merchant).click() })),
  unknown_order: ({ reverse }) => reverse({ order_id: 'no-such-order' }),
  test_click_required: converted(() => ({ test: true })),
  test_click_not_allowed: converted(async (merchant) => ({ click_id: await testClick(merchant) })),
  test_link_expired: converted(async (merchant) => {
    const click_id = await testClick(merchant);
    await merchant.moveClock('24h');
    return { click_id, test: true };
  }),
  test_verified: converted(async (merchant) => ({ click_id: await testClick(merchant), test: true })),
  pricing_history_unavailable: converted(async ({ database, storeId }) => {
    await database.run(sql`delete from terms where store_id = ${storeId}`);
    return {};
  }),
  order_precedes_click: converted((merchant) => ({ occurred_at: merchant.at(-hourMs) })),
  attribution_window_expired: converted(async (merchant) => ({ click_id: await merchant.clickAt(daysAgo(merchant, 31)) })),
  referral_click_already_converted: converted(async (merchant) => {
    const order = await merchant.order({ click_id: await merchant.click() });
    await merchant.convert(order);
    return { order_id: 'another', click_id: order['click_id'] };
  }),
  active_hold: reversed((merchant, orderId) => holdCommission(merchant, orderId, 'dispute')),
  paid_conversion_not_auto_reversed: reversed((merchant, orderId) => putCommission(merchant, orderId, 'billed')),
  duplicate_refund: refunded({}, {}),
  duplicate_refund_conflict: refunded({}, { amount_cents: 2 }),
  unknown_line_item: async (merchant) => {
    const click_id = await merchant.click(merchant.world.per_product.link_url);
    const line_items = [{ product_id: 'sku-a', amount_minor_units: 10_005, quantity: 1 }];
    const order = await merchant.order({ click_id, line_items });
    await merchant.convert(order);
    return refund(merchant, order.order_id, { line_items: [{ product_id: 'another', amount_minor_units: 1 }] });
  },
  refund_exceeds_remaining_amount: refunded({ amount_cents: 10_006 }),
  duplicate_lead: led({}, {}),
  duplicate_lead_conflict: led({}, { kind: 'trial' }),
  lead_precedes_click: led(async (merchant) => ({ occurred_at: merchant.at(-hourMs) })),
  unknown_lead: ({ post }) => post('v2/leads/reversals', { lead_id: 'no-such-lead' }),
  invoice_in_progress: async (merchant) => {
    const { order_id } = await merchant.order();
    await merchant.convert(await merchant.order({ order_id }));
    await putCommission(merchant, order_id, 'billed');
    return refund(merchant, order_id);
  },
  recorded: converted(() => ({})),
};

const first = await openMerchant();
afterAll(() => first.service.stop());

test.each(namesOf(ways))('%s is answered by the running service, with the status that is documented', async (reason) => {
  const merchant = merchantIn(first.service, await first.service.seed());
  const answer = await ways[reason](merchant);
  expect(answer).toMatchObject({ status: reasonRow(reason).status, json: { reason } });
});

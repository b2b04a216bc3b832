/** Section 4 of the contract, implemented independently for the model of test/model/model.ts. */
import { contentOf, day, eventTime, minute, open, refusalOfRefund, refused, textIfAny, textOf, undo } from './model-books.ts';
import type { Body, Books, Commission, Expected, ReceivedReport } from './model-books.ts';
import { credit, hasAny, namedIn, type Credit } from './model-attribution.ts';
import { termsFor } from './model-terms.ts';
import { earnedByOrder, earnedText } from './model-earning.ts';
import type { Compared } from './rates.ts';
import { attributionDays } from './terms.ts';

type Order = { readonly content: string; readonly answer: Expected; readonly commission: Commission; reversedWith: string | null };

export type Orders = {
  readonly recorded: Map<string, Order>;
  readonly tests: Set<string>;
  readonly refundedEarly: Set<string>;
  readonly convertedClicks: Set<string>;
  /** Those with a recorded order. */
  readonly customers: Set<string>;
};
export const noOrders = (): Orders => ({
  recorded: new Map(),
  tests: new Set(),
  refundedEarly: new Set(),
  convertedClicks: new Set(),
  customers: new Set(),
});

type Line = { readonly product_id: string; readonly amount_minor_units: number; readonly quantity: number };
const linesOf = ({ line_items: lines }: Body): readonly Line[] => (Array.isArray(lines) ? lines : []);
const graceDays = 7;

export function convert(books: Books, orders: Orders, received: ReceivedReport): Expected {
  const { body, now, number } = received;
  const orderId = textOf(body, 'order_id');
  const clickId = textIfAny(body, 'click_id');
  const eligible = Number(body['eligible_amount_cents'] ?? body['order_subtotal_cents']);
  if (eligible > Number(body['order_subtotal_cents'])) return refused(400, 'invalid_payload');
  const content = contentOf({ ...body, eligible_amount_cents: eligible });
  const earlier = body['test'] === true ? undefined : orders.recorded.get(orderId);
  if (earlier)
    return earlier.content === content ? { ...earlier.answer, reason: 'duplicate_order' } : refused(409, 'duplicate_order_conflict');
  const named = namedIn(books, body);
  if (clickId === null && !hasAny(books, named)) return refused(422, 'missing_referral_click');
  if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
  const at = Date.parse(textIfAny(body, 'occurred_at') ?? '');
  if (Number.isNaN(at) || at > now + 5 * minute) return refused(422, 'invalid_occurred_at');
  const withoutClick = (reason: string): Expected => {
    const other = credit(books, named, { at, clickedAt: null });
    if (other === null) return refused(422, reason);
    if (now - at > (attributionDays + graceDays) * day) return refused(422, 'invalid_occurred_at');
    if (lacksLines(other, body)) return refused(400, 'invalid_payload');
    return record(books, orders, { body, at, eligible, content, number, credited: other });
  };
  if (clickId === null) return withoutClick('missing_referral_click');
  const click = books.clicks.get(clickId);
  if (!click) return refused(422, 'unknown_referral_click');
  if (click.kind === 'live' && body['test'] === true) return refused(422, 'test_click_required');
  if (click.kind === 'test' && body['test'] !== true) return refused(422, 'test_click_not_allowed');
  if (click.kind === 'test' && click.expiresAt <= now) return refused(410, 'test_link_expired');
  if (click.kind === 'test') {
    orders.tests.add(orderId);
    return { status: 200, reason: 'test_verified', ids: ['transaction_id'] };
  }
  const terms = termsFor(books, { owner: 'ada', at, clickedAt: click.at });
  if (now - at > (attributionDays + graceDays) * day) return refused(422, 'invalid_occurred_at');
  if (lacksLines({ terms }, body)) return refused(400, 'invalid_payload');
  if (at < click.at - 5 * minute) return withoutClick('order_precedes_click');
  if (at > click.at + attributionDays * day) return withoutClick('attribution_window_expired');
  if (orders.convertedClicks.has(clickId)) return withoutClick('referral_click_already_converted');
  const credited = credit(books, named, { at, clickedAt: click.at });
  if (credited === null) throw new Error('a click earns, unless another creator does');
  if (lacksLines(credited, body)) return refused(400, 'invalid_payload');
  if (credited.by === 'click') orders.convertedClicks.add(clickId);
  return record(books, orders, { body, at, eligible, content, number, credited });
}

const lacksLines = ({ terms }: Pick<Credit, 'terms'>, body: Body): boolean => terms.pays === 'product' && linesOf(body).length === 0;

type Recording = Pick<ReceivedReport, 'body' | 'number'> & {
  readonly at: number;
  readonly eligible: number;
  readonly content: string;
  readonly credited: Credit;
};

function record(books: Books, orders: Orders, { body, at, eligible, content, number, credited }: Recording): Expected {
  const orderId = textOf(body, 'order_id');
  const { owner, by, terms } = credited;
  credited.settle();
  const cameEarly = orders.refundedEarly.has(orderId);
  const lines = linesOf(body).map(({ product_id: product, amount_minor_units: amount, quantity }) => ({ product, amount, quantity }));
  const parts = earnedByOrder(books, { owner, at, terms, compared: comparedOf(orders, body, eligible), lines });
  const earned = earnedText(parts);
  const commission = open(books, orderId, { source: 'order', at, version: terms.number, earned, parts, eligible, cameEarly, owner, by });
  const customer = textIfAny(body, 'customer_id');
  if (customer !== null) orders.customers.add(customer);
  const answer: Expected = { status: 200, reason: 'recorded', ids: ['transaction_id', 'conversion_id'] };
  orders.recorded.set(orderId, { content, answer: { ...answer, like: number }, commission, reversedWith: null });
  return answer;
}

/** What is no code of a country counts as absent. */
const countriesSent = ['US', 'DE', 'BR'];

function comparedOf({ customers }: Orders, body: Body, eligible: number): Compared {
  const customer = textIfAny(body, 'customer_id');
  const country = textIfAny(body, 'country')?.toUpperCase() ?? '';
  return {
    eligible,
    customer: customer === null ? 'unnamed' : customers.has(customer) ? 'known' : 'new',
    country: countriesSent.includes(country) ? country : null,
  };
}

export function reverse(orders: Orders, received: ReceivedReport): Expected {
  const orderId = textOf(received.body, 'order_id');
  const content = contentOf(received.body);
  const order = orders.recorded.get(orderId);
  if (order && order.reversedWith !== null)
    return order.reversedWith === content ? { ...order.answer, reason: 'duplicate_order' } : refused(409, 'duplicate_order_conflict');
  if (eventTime(received) === null) return refused(422, 'invalid_occurred_at');
  if (!order && orders.tests.has(orderId)) return { status: 200, reason: 'recorded', ids: ['transaction_id'] };
  if (!order) {
    orders.refundedEarly.add(orderId);
    return refused(404, 'unknown_order');
  }
  const refusal = refusalOfRefund(order.commission);
  if (refusal) return refusal;
  undo(order.commission);
  order.reversedWith = content;
  return order.answer;
}

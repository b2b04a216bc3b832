/** Section 4 of the contract, implemented independently for the model of test/model/model.ts. */
import {
  contentOf,
  day,
  eventTime,
  inForce,
  levelsAt,
  minute,
  open,
  refusalOfRefund,
  refused,
  textIfAny,
  textOf,
  undo,
} from './model-books.ts';
import type { Body, Books, Commission, Expected, Part, ReceivedReport } from './model-books.ts';
import { firstRule, orderRule } from './rates.ts';
import { attributionDays } from './terms.ts';

type Order = { readonly content: string; readonly answer: Expected; readonly commission: Commission; reversedWith: string | null };

export type Orders = {
  readonly recorded: Map<string, Order>;
  readonly tests: Set<string>;
  readonly refundedEarly: Set<string>;
  readonly convertedClicks: Set<string>;
};
export const noOrders = (): Orders => ({ recorded: new Map(), tests: new Set(), refundedEarly: new Set(), convertedClicks: new Set() });

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
  if (clickId === null) return refused(422, 'missing_referral_click');
  if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
  const at = Date.parse(textIfAny(body, 'occurred_at') ?? '');
  if (Number.isNaN(at) || at > now + 5 * minute) return refused(422, 'invalid_occurred_at');
  const click = books.clicks.get(clickId);
  if (!click) return refused(422, 'unknown_referral_click');
  if (click.kind === 'live' && body['test'] === true) return refused(422, 'test_click_required');
  if (click.kind === 'test' && body['test'] !== true) return refused(422, 'test_click_not_allowed');
  if (click.kind === 'test' && click.expiresAt <= now) return refused(410, 'test_link_expired');
  if (click.kind === 'test') {
    orders.tests.add(orderId);
    return { status: 200, reason: 'test_verified', ids: ['transaction_id'] };
  }
  const terms = inForce(books, at);
  if (now - at > (attributionDays + graceDays) * day) return refused(422, 'invalid_occurred_at');
  if (terms.pays === 'product' && linesOf(body).length === 0) return refused(400, 'invalid_payload');
  if (at < click.at - 5 * minute) return refused(422, 'order_precedes_click');
  if (at > click.at + attributionDays * day) return refused(422, 'attribution_window_expired');
  if (orders.convertedClicks.has(clickId)) return refused(422, 'referral_click_already_converted');

  orders.convertedClicks.add(clickId);
  const cameEarly = orders.refundedEarly.has(orderId);
  const commission = open(books, orderId, { parts: partsOf(books, at, { eligible, lines: linesOf(body) }), eligible, cameEarly });
  const answer: Expected = { status: 200, reason: 'recorded', ids: ['transaction_id', 'conversion_id'] };
  orders.recorded.set(orderId, { content, answer: { ...answer, like: number }, commission, reversedWith: null });
  return answer;
}

function partsOf(
  books: Books,
  at: number,
  { eligible, lines }: { readonly eligible: number; readonly lines: readonly Line[] },
): readonly Part[] {
  const ruleOf = (product: string | null) => firstRule(levelsAt(books, at), ({ order_rules: rules }) => orderRule(rules, product));
  if (inForce(books, at).pays === 'order') return [{ product: null, rule: ruleOf(null), amount: eligible, quantity: 1 }];
  return lines.map(({ product_id: product, amount_minor_units: amount, quantity }) => ({
    product,
    rule: ruleOf(product),
    amount,
    quantity,
  }));
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

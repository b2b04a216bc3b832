/** Partial refunds of orders and subscription invoices, implemented independently for the model of test/model/model.ts. */
import { contentOf, eventTime, refused, textOf, worthOf } from './model-books.ts';
import type { Body, Books, Commission, Expected, Part, ReceivedReport } from './model-books.ts';
import type { Orders } from './model-orders.ts';
import { found, isRefused, type Subscriptions } from './model-subscriptions.ts';

export type RefundPath = 'order-refunds' | 'invoice-refunds';
export type Refunds = Map<string, { readonly content: string; readonly answer: Expected }>;

type Line = { readonly product_id: string; readonly amount_minor_units: number; readonly quantity?: number };
type Sold = {
  readonly ids: readonly string[];
  readonly eligible: number;
  readonly refunded: number;
  readonly isReversed: boolean;
  readonly commission: Commission | null;
  /** Marks it as refunded by this many cents. */
  readonly add: (amount: number) => void;
  /** A refund of everything is the reversal of an invoice. */
  readonly end: () => void;
};

const linesOf = ({ line_items: lines }: Body): readonly Line[] | null => (Array.isArray(lines) && lines.length > 0 ? lines : null);

/** One space of IDs for both paths. Only an accepted refund uses its ID up. */
type Store = { readonly books: Books; readonly orders: Orders; readonly subscriptions: Subscriptions; readonly refunds: Refunds };

export function judgeRefund(path: RefundPath, { books, orders, subscriptions, refunds }: Store, received: ReceivedReport): Expected {
  const { body, number } = received;
  const name = path === 'order-refunds' ? 'amount_cents' : 'amount_minor_units';
  const lines = linesOf(body);
  const total = lines?.reduce((sum, { amount_minor_units: amount }) => sum + amount, 0);
  const amount = Number(body[name] ?? total);
  if (amount < 1 || (total !== undefined && total !== amount)) return refused(400, 'invalid_payload');
  const content = `${path} ${contentOf({ ...body, [name]: amount })}`;
  const earlier = refunds.get(textOf(body, 'refund_id'));
  if (earlier && earlier.content !== content) return refused(409, 'duplicate_refund_conflict');
  if (earlier) return { ...earlier.answer, reason: 'duplicate_refund' };
  if (eventTime(received) === null) return refused(422, 'invalid_occurred_at');
  const sold = path === 'order-refunds' ? soldOrder(orders, body) : soldInvoice(subscriptions, received);
  if ('status' in sold) return sold;
  const answer = refundSold(sold, { amount, lines, books });
  if (answer.status === 200) refunds.set(textOf(body, 'refund_id'), { content, answer: { ...answer, like: number } });
  return answer;
}

function soldOrder(orders: Orders, body: Body): Sold | Expected {
  const orderId = textOf(body, 'order_id');
  const order = orders.recorded.get(orderId);
  if (!order && orders.tests.has(orderId)) return { status: 200, reason: 'recorded', ids: ['transaction_id'] };
  if (!order) {
    orders.refundedEarly.add(orderId);
    return refused(404, 'unknown_order');
  }
  const { commission } = order;
  const { eligible, refunded } = commission;
  const add = (amount: number) => void (commission.refunded += amount);
  const ids = ['transaction_id', 'conversion_id', 'refund_id'];
  return { ids, eligible, refunded, isReversed: order.reversedWith !== null, commission, add, end: () => {} };
}

function soldInvoice(subscriptions: Subscriptions, received: ReceivedReport): Sold | Expected {
  const relationship = found(subscriptions, received);
  if (isRefused(relationship)) return relationship;
  const invoiceId = textOf(received.body, 'invoice_id');
  const invoice = relationship.invoices.get(invoiceId);
  if (!invoice?.payment) {
    relationship.refundedEarly.add(invoiceId);
    return refused(404, 'unknown_invoice');
  }
  const { payment, refunded } = invoice;
  if (payment.waits) return refused(500, 'active_hold');
  const { commission, eligible } = payment;
  const ids = commission ? ['conversion_id', 'refund_id'] : ['refund_id'];
  const add = (amount: number) => void (invoice.refunded += amount);
  return { ids, eligible, refunded, isReversed: invoice.isRefunded, commission, add, end: () => void (invoice.isRefunded = true) };
}

function refundSold(
  { ids, eligible, refunded, isReversed, commission, add, end }: Sold,
  { amount, lines, books }: { readonly amount: number; readonly lines: readonly Line[] | null; readonly books: Books },
): Expected {
  const rest = isReversed ? 0 : eligible - refunded;
  const recorded: Expected = { status: 200, reason: 'recorded', ids, remaining: rest - amount };
  if (commission && commission.held !== null && commission.held !== 'early_reversal') return refused(500, 'active_hold');
  if (amount > rest) return { ...refused(422, 'refund_exceeds_remaining_amount'), remaining: rest };
  if (commission === null || commission.state === 'reversed') {
    add(amount);
    return recorded;
  }
  const parts = remainingParts(commission.parts, amount, lines);
  if ('status' in parts) return parts;
  if (commission.state === 'paid') return refused(422, 'paid_conversion_not_auto_reversed');
  const { invoice } = commission;
  const worth = worthOf(parts);
  const isLast = amount === rest || (invoice !== null && worth === 0);
  add(amount);
  books.tally(`refund of ${isLast ? 'the rest' : 'a part'}: ${commission.state}`);
  if (invoice) invoice.credited += commission.amount - (isLast ? 0 : worth);
  const isStillHeld = commission.held !== null && books.isSuspended && commission.owner === 'ada' && !isLast;
  commission.held = isStillHeld ? 'creator_suspended' : null;
  if (isLast) {
    commission.state = 'reversed';
    if (!invoice) end();
    return recorded;
  }
  for (const [place, part] of commission.parts.entries()) Object.assign(part, parts[place]);
  commission.taken += amount;
  commission.amount = worth;
  return recorded;
}

/** What remains of each part. Lines of one product are used up in their order; without lines only a whole order can be refunded. */
function remainingParts(parts: readonly Part[], amount: number, lines: readonly Line[] | null): readonly Part[] | Expected {
  const left = parts.map((part) => ({ ...part }));
  const [whole] = left;
  if (whole && left.length === 1 && whole.product === null) {
    whole.amount -= amount;
    return left;
  }
  const all = left.reduce((sum, part) => sum + part.amount, 0);
  if (lines === null) return amount === all ? left.map((part) => ({ ...part, amount: 0, quantity: 0 })) : refused(400, 'invalid_payload');
  const unknown = lines.find(({ product_id: id }) => !left.some(({ product }) => product === id));
  if (unknown) return refused(422, 'unknown_line_item');
  for (const id of new Set(lines.map(({ product_id: one }) => one))) {
    const ofProduct = left.filter(({ product }) => product === id);
    const wanted = lines.filter(({ product_id: one }) => one === id);
    let cents = wanted.reduce((sum, line) => sum + line.amount_minor_units, 0);
    let units = wanted.reduce((sum, line) => sum + (line.quantity ?? 0), 0);
    const rest = ofProduct.reduce((sum, part) => sum + part.amount, 0);
    if (cents > rest || units > ofProduct.reduce((sum, part) => sum + part.quantity, 0))
      return { ...refused(422, 'refund_exceeds_remaining_amount'), remaining: rest };
    for (const part of ofProduct) {
      const [takenCents, takenUnits] = [Math.min(cents, part.amount), Math.min(units, part.quantity)];
      part.amount -= takenCents;
      part.quantity -= takenUnits;
      cents -= takenCents;
      units -= takenUnits;
    }
  }
  return left;
}

/** Sections 3 and 6 of the contract, implemented independently for the model of test/model/model.ts. */
import { contentOf, day, eventTime, minute, open, refusalOfRefund, refused, textIfAny, textOf, undo } from './model-books.ts';
import type { Body, Books, Click, Commission, Expected, Explained, ReceivedReport } from './model-books.ts';
import { credit, namedIn, type Credit } from './model-attribution.ts';
import { earnedText, subscriptionRuleAt } from './model-earning.ts';
import { monthsLater, monthsOf } from './rates.ts';
import { attributionDays, type Owner, type SubscriptionRule } from './terms.ts';

/** `number` is the number of its event: waiting payments are decided in the recorded order. */
type Payment = {
  readonly number: number;
  readonly amount: number;
  readonly eligible: number;
  readonly at: number;
  waits: boolean;
  commission: Commission | null;
};
export type Invoice = { readonly isReportedAfterEnd: boolean; payment: Payment | null; isRefunded: boolean; refunded: number };
export type Relationship = {
  readonly environment: string;
  readonly bound: string;
  readonly owner: Owner;
  readonly by: Credit['by'];
  readonly answer: Expected;
  readonly rule: SubscriptionRule | null;
  readonly explained: Explained;
  readonly version: number;
  readonly boundAt: number;
  readonly invoices: Map<string, Invoice>;
  readonly refundedEarly: Set<string>;
  product: string;
  price: string | null;
  /** The invoiced product, while a review is open. */
  heldFor: { readonly product: string; readonly price: string | null } | null;
  ended: { readonly at: number | null } | null;
  /** The number of invoices used of the rule's maximum. */
  places: number;
};

export type Subscriptions = {
  readonly events: Map<string, { readonly content: string; readonly isPlain: boolean; readonly answer: Expected }>;
  readonly relationships: Map<string, Relationship>;
};
export const noSubscriptions = (): Subscriptions => ({ events: new Map(), relationships: new Map() });

type Judge = (books: Books, subscriptions: Subscriptions, received: ReceivedReport) => Expected;
const operations = { relationships: bind, 'billing-events': invoiceReport, 'invoice-reversals': refund, ends: end } satisfies Record<
  string,
  Judge
>;
export type RecurringPath = keyof typeof operations;

/** An event id identifies one event. A 422 uses it up, except for one without a click; any other failure leaves nothing. */
export function judgeEvent(path: RecurringPath, books: Books, subscriptions: Subscriptions, received: ReceivedReport): Expected {
  const { body, number } = received;
  const isInvoice = path === 'billing-events';
  if (isInvoice && eligibleOf(body) > Number(body['amount_paid_minor_units'])) return refused(400, 'invalid_payload');
  const isPlain = path !== 'relationships' || !namesPartners(body) || !countsBeyondClicks(books);
  if (path === 'relationships' && lacksClick(body, isPlain)) return refused(400, 'invalid_payload');
  const contentFor = (plain: boolean): string =>
    `${path} ${contentOf(isInvoice ? { ...body, eligible_amount_minor_units: eligibleOf(body) } : plain ? withoutPartners(body) : body)}`;
  const earlier = subscriptions.events.get(textOf(body, 'event_id'));
  if (earlier && earlier.content !== contentFor(earlier.isPlain)) return refused(409, 'duplicate_event_conflict');
  if (earlier) return isBurned(earlier.answer) ? refused(500, 'duplicate_event') : earlier.answer;
  const answer = operations[path](books, subscriptions, received);
  if (answer.status === 200 || (answer.status === 422 && answer.reason !== 'missing_referral_click'))
    subscriptions.events.set(textOf(body, 'event_id'), {
      content: contentFor(isPlain),
      isPlain,
      answer: { ...answer, like: answer.like ?? number },
    });
  return answer;
}

const partnerNames = ['discount_code', 'discount_codes', 'customer_id'];
const namesPartners = (body: Body): boolean => partnerNames.some((name) => body[name] !== undefined);
const withoutPartners = (body: Body): Body => Object.fromEntries(Object.entries(body).filter(([name]) => !partnerNames.includes(name)));
const countsBeyondClicks = ({ versions }: Books): boolean => versions.some(({ codes, returning }) => codes !== 'off' || returning !== null);
const lacksClick = (body: Body, isPlain: boolean): boolean =>
  textIfAny(body, 'click_id') === null && (isPlain || body['environment'] === 'test');

const isBurned = ({ status, reason }: Expected): boolean => status === 422 && reason !== 'no_matching_subscription_rule';
const eligibleOf = (body: Body): number => Number(body['eligible_amount_minor_units'] ?? body['amount_paid_minor_units']);
const recorded = (...ids: readonly string[]): Expected => ({ status: 200, reason: 'recorded', ids });

function bind(books: Books, { relationships }: Subscriptions, received: ReceivedReport): Expected {
  const { body, now, number } = received;
  const [name, product, environment] = [textOf(body, 'relationship_id'), textOf(body, 'product_id'), textOf(body, 'environment')];
  const price = textIfAny(body, 'price_id');
  const clickId = textIfAny(body, 'click_id');
  if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
  const boundAt = eventTime(received);
  if (boundAt === null) return refused(422, 'invalid_occurred_at');
  const click = clickId === null ? null : books.clicks.get(clickId);
  if (click === undefined) return refused(404, 'unknown_referral_click');
  if (click !== null && click.kind !== environment) return refused(409, 'environment_mismatch');
  if (click?.kind === 'test' && click.expiresAt <= now) return refused(410, 'test_link_expired');
  const boundBy = (by: Credit['by']): string =>
    JSON.stringify([by === 'click' ? clickId : [clickId, ...partnerNames.map((field) => body[field])], product, price, environment]);
  const before = relationships.get(name);
  if (before) return before.bound === boundBy(before.by) ? before.answer : refused(409, 'duplicate_relationship_conflict');
  const isLive = environment === 'live';
  const named = namesPartners(body) ? namedIn(books, body) : null;
  const refusal = refusalOfClick(click, boundAt);
  const clicked = refusal === null ? credit(books, named, { at: boundAt, clickedAt: click?.at ?? null }) : null;
  const credited = clicked ?? (isLive ? credit(books, named, { at: boundAt, clickedAt: null }) : null);
  if (credited === null) return refused(422, refusal ?? 'missing_referral_click');
  credited.settle();

  const { owner, by, terms } = credited;
  const { rule = null, explained = {} } = (isLive && subscriptionRuleAt(books, { owner, at: boundAt, terms, product, price })) || {};
  const isWithoutRule = isLive && rule === null;
  const answer: Expected = isWithoutRule
    ? { status: 422, reason: 'no_matching_subscription_rule', ids: ['binding_id'] }
    : recorded('binding_id', 'event_id');
  const fresh = { product, price, heldFor: null, ended: null, places: 0, invoices: new Map(), refundedEarly: new Set<string>() };
  const copied = { rule, explained, version: terms.number };
  relationships.set(name, {
    environment,
    bound: boundBy(by),
    owner,
    by,
    ...copied,
    boundAt,
    ...fresh,
    answer: { ...answer, like: number },
  });
  return answer;
}

/** Why the click does not count. Null: it does. */
function refusalOfClick(click: Click | null, at: number): string | null {
  if (click === null) return 'missing_referral_click';
  if (at < click.at - 5 * minute) return 'order_precedes_click';
  return click.kind === 'live' && at > click.at + attributionDays * day ? 'attribution_window_expired' : null;
}

/** The relationship of an event, or the rejection if it does not exist. */
export function found({ relationships }: Subscriptions, { body }: ReceivedReport): Relationship | Expected {
  const relationship = relationships.get(textOf(body, 'relationship_id'));
  if (!relationship) return refused(404, 'unknown_relationship');
  return relationship.environment === body['environment'] ? relationship : refused(409, 'environment_mismatch');
}

export const isRefused = (one: Relationship | Expected): one is Expected => 'status' in one;

function invoiceReport(books: Books, subscriptions: Subscriptions, received: ReceivedReport): Expected {
  const { body } = received;
  if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
  const at = eventTime(received);
  if (at === null) return refused(422, 'invalid_occurred_at');
  const relationship = found(subscriptions, received);
  if (isRefused(relationship)) return relationship;
  const invoiceId = textOf(body, 'invoice_id');
  const known = relationship.invoices.get(invoiceId);
  const [amount, eligible] = [Number(body['amount_paid_minor_units']), eligibleOf(body)];
  const isPaid = body['payment_state'] === 'paid';
  if (isPaid && known?.payment && (known.payment.amount !== amount || known.payment.eligible !== eligible))
    return refused(409, 'duplicate_event_conflict');
  if (isAfterEnd(relationship, known, at)) return refused(422, 'relationship_ended');

  const invoice = known ?? { isReportedAfterEnd: relationship.ended !== null, payment: null, isRefunded: false, refunded: 0 };
  relationship.invoices.set(invoiceId, invoice);
  hold(relationship, { product: textOf(body, 'product_id'), price: textIfAny(body, 'price_id') });
  if (!isPaid || invoice.payment) return recorded('event_id');
  const payment: Payment = { number: received.number, amount, eligible, at, waits: false, commission: null };
  invoice.payment = payment;
  if (invoice.isRefunded) return recorded('event_id');
  if (relationship.heldFor) payment.waits = true;
  else earn(books, relationship, { name: textOf(body, 'relationship_id'), invoiceId, payment });
  return payment.commission ? recorded('conversion_id', 'event_id') : recorded('event_id');
}

function isAfterEnd({ ended }: Relationship, known: Invoice | undefined, at: number): boolean {
  if (ended === null || known?.isReportedAfterEnd === false) return false;
  return ended.at === null || at >= ended.at;
}

/** A price that is missing on either side is not a difference. Test relationships are not reviewed. */
function hold(relationship: Relationship, billed: { readonly product: string; readonly price: string | null }): void {
  const isOtherPrice = billed.price !== null && relationship.price !== null && billed.price !== relationship.price;
  const isOther = billed.product !== relationship.product || isOtherPrice;
  if (isOther && relationship.environment === 'live') relationship.heldFor = billed;
}

type Earning = { readonly name: string; readonly invoiceId: string; readonly payment: Payment };

function earn(books: Books, relationship: Relationship, { name, invoiceId, payment }: Earning): void {
  const { rule, explained, version, boundAt, places, owner, by } = relationship;
  if (rule === null) return;
  const months = monthsOf(rule);
  if (months !== null && payment.at >= monthsLater(boundAt, months)) return;
  if (rule.max_invoices !== undefined && places >= rule.max_invoices) return;
  const { at, eligible } = payment;
  const parts = [{ product: null, rule, amount: eligible, quantity: 1, explained }];
  const cameEarly = relationship.refundedEarly.has(invoiceId);
  const copied = { at, version, earned: earnedText(parts) };
  payment.commission = open(books, `${name} ${invoiceId}`, { source: 'invoice', ...copied, parts, eligible, cameEarly, owner, by });
  if (payment.commission.amount > 0) relationship.places += 1;
}

function refund(_books: Books, subscriptions: Subscriptions, received: ReceivedReport): Expected {
  if (eventTime(received) === null) return refused(422, 'invalid_occurred_at');
  const relationship = found(subscriptions, received);
  if (isRefused(relationship)) return relationship;
  const invoiceId = textOf(received.body, 'invoice_id');
  const invoice = relationship.invoices.get(invoiceId);
  if (!invoice) {
    relationship.refundedEarly.add(invoiceId);
    return refused(404, 'unknown_invoice');
  }
  if (invoice.isRefunded) return recorded('event_id');
  if (invoice.payment?.waits) return refused(500, 'active_hold');
  const commission = invoice.payment?.commission ?? null;
  const refusal = commission && refusalOfRefund(commission);
  if (refusal) return refusal;
  invoice.isRefunded = true;
  if (commission) undo(commission);
  return recorded('event_id');
}

function end(_books: Books, subscriptions: Subscriptions, received: ReceivedReport): Expected {
  const at = eventTime(received);
  if (at === null) return refused(422, 'invalid_occurred_at');
  const relationship = found(subscriptions, received);
  if (isRefused(relationship)) return relationship;
  relationship.ended ??= { at: textIfAny(received.body, 'occurred_at') === null ? null : at };
  return recorded('event_id');
}

type Review = { readonly name: string; readonly decision: 'accept' | 'decline' };

/** Null if no live relationship of that name was bound, so that nothing can be reviewed. */
export function review(books: Books, { relationships }: Subscriptions, { name, decision }: Review): 'settled' | 'conflict' | null {
  const relationship = relationships.get(name);
  if (relationship?.environment !== 'live') return null;
  const { heldFor, invoices } = relationship;
  if (heldFor === null) return 'conflict';
  relationship.heldFor = null;
  if (decision === 'accept') Object.assign(relationship, heldFor);
  const waiting = [...invoices].flatMap(([invoiceId, { payment }]) => (payment?.waits ? [{ invoiceId, payment }] : []));
  for (const { invoiceId, payment } of waiting.sort((one, other) => one.payment.number - other.payment.number)) {
    payment.waits = false;
    if (decision === 'accept') earn(books, relationship, { name, invoiceId, payment });
  }
  return 'settled';
}

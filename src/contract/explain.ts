import { cents, dollars } from '../core/money.ts';
import { reasonRow, type Operation, type Reason, type RefundOperation } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';

/** Renders the values that a decision compared as a sentence. It reads nothing else and decides nothing again. */
export function explain({ operation, reason, why }: Explained, reader: Reader): string {
  if (reader === 'creator' && !concernsCreators.has(reason))
    return 'This concerns only the merchant’s integration. Nothing changed for you.';
  const explained = { operation, reason, why };
  const sentence = explainRefund(explained, reader) ?? explainRecurring(explained, reader) ?? sentences[reason]?.(why, reader, operation);
  return sentence ?? reasonRow(reason).means;
}

/** Reasons about the creator's visit or pay. The others are between the merchant's server and the service. */
const concernsCreators: ReadonlySet<Reason> = new Set<Reason>([
  'recorded',
  'duplicate_order',
  'duplicate_refund',
  'unsupported_pricing_currency',
  'invalid_occurred_at',
  'order_precedes_click',
  'attribution_window_expired',
  'referral_click_already_converted',
  'relationship_ended',
  'no_matching_subscription_rule',
  'refund_exceeds_remaining_amount',
  'active_hold',
  'paid_conversion_not_auto_reversed',
  'invoice_in_progress',
]);

type Sentence = (why: Why, reader: Reader, operation: Operation) => string | null | undefined;

const sentences: Readonly<Partial<Record<Reason, Sentence>>> = {
  recorded: (why, reader, operation) => {
    if (operation === 'conversion') return recordedOrder(why, reader);
    if (operation !== 'reversal') return null;
    if (why.commission_cents === undefined) return 'The test order was reversed. No money was involved.';
    return `The order was refunded or cancelled, so its commission of ${money(why.commission_cents)} ended.`;
  },
  duplicate_order: ({ first_recorded_at: first }) =>
    first && `The same postback was accepted on ${time(first)}. Nothing was recorded twice.`,
  duplicate_order_conflict: ({ first_recorded_at: first }) =>
    first && `This order_id was sent on ${time(first)} with different content. The first postback remains valid.`,
  unsupported_pricing_currency: ({ currency }) => currency && `The order was in ${currency}. Only orders in USD earn commissions.`,
  invalid_occurred_at: (why, reader) => (reader === 'creator' ? invalidTimeForCreators(why) : invalidTime(why)),
  order_precedes_click: ({ occurred_at: occurred, clicked_at: clicked }) =>
    occurred &&
    clicked &&
    `The order was placed on ${time(occurred)}, before the click on ${time(clicked)}, so the click cannot have led to it.`,
  attribution_window_expired: ({ occurred_at: occurred, clicked_at: clicked, attribution_days: days }) =>
    occurred &&
    clicked &&
    `The click was on ${time(clicked)}, and the order was placed on ${time(occurred)}. ` +
      `The program counts orders within ${plural(days, 'day')} of the click.`,
  referral_click_already_converted: ({ clicked_at: clicked }, reader) =>
    clicked &&
    (reader === 'merchant'
      ? `The click of ${time(clicked)} was already used for another order. One click counts for one order.`
      : `The visit of ${time(clicked)} already led to another order. One visit counts for one order.`),
  test_link_expired: ({ expires_at: expires }) =>
    expires && `The test link expired on ${time(expires)}. Create a new one in the dashboard.`,
  active_hold: (why, reader) => {
    if (reader === 'creator')
      return `A refund was reported, but ${commissionLabel(why)} is on hold. The refund is applied after the hold is released.`;
    return (
      why.held &&
      `${capitalize(commissionLabel(why))} is on hold (${holdLabels[why.held] ?? why.held}). Send the refund again once a day until the hold is released.`
    );
  },
  paid_conversion_not_auto_reversed: (why, reader) => {
    if (reader === 'creator') return `A refund was reported after ${commissionLabel(why)} was invoiced, so nothing was reversed.`;
    if (why.commission_state === 'reversed')
      return `${capitalize(commissionLabel(why))} was already credited to you by a credit note. There is nothing left to reverse.`;
    const already =
      why.commission_state && `${capitalize(commissionLabel(why))} is already ${why.commission_state}, so nothing was reversed.`;
    return already && `${already} Contact support for a credit note.`;
  },
};

const commissionLabel = ({ commission_cents: amount }: Why): string =>
  `the commission${amount === undefined ? '' : ` of ${money(amount)}`}`;
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function recordedOrder(why: Why, reader: Reader): string | null {
  const { commission_cents: amount, hold_until: holdUntil, held, earned = [], attribution_days: days, clicked_at: clicked } = why;
  if (amount === undefined || holdUntil === undefined || clicked === undefined) return null;
  const earns = `The order earns ${money(amount)}: ${earned.map(describePart).join('; ') || 'no rule of the program matches it'}.`;
  const window = `It was placed within ${plural(days, 'day')} of the click on ${time(clicked)}.`;
  const hold = held === undefined ? `The refund hold ends on ${day(holdUntil)}.` : `It is on hold (${holdLabels[held] ?? held}).`;
  return reader === 'merchant' ? `${earns} ${window} ${hold}` : `${earns} ${hold}`;
}

function invalidTime({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string | null {
  if (occurred === undefined || received === undefined) return null;
  // Compares times, not text: a year after 9999 begins with a sign, which sorts before every digit.
  if (Date.parse(occurred) > Date.parse(received))
    return `occurred_at is ${time(occurred)}, more than 5 minutes after it was received (${time(received)}).`;
  return `occurred_at is ${time(occurred)}, more than ${plural(daysMax, 'day')} before it was received (${time(received)}).`;
}

/** Without field names, which mean nothing to a creator. */
function invalidTimeForCreators({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string {
  if (occurred === undefined || received === undefined) return 'The store reported the order without a valid time.';
  if (Date.parse(occurred) > Date.parse(received))
    return `The store reported the order on ${time(received)} with a time in the future (${time(occurred)}).`;
  return `The order was placed on ${time(occurred)}, and the store reported it on ${time(received)}, more than ${plural(daysMax, 'day')} later.`;
}

const isRefund = (operation: Operation): operation is RefundOperation => operation === 'order_refund' || operation === 'invoice_refund';

/** Sentences for partial refunds. Null if a sentence for orders or subscriptions fits. */
function explainRefund({ operation, reason, why }: Explained, reader: Reader): string | null {
  if (!isRefund(operation)) return null;
  const what = operation === 'order_refund' ? 'order' : 'invoice';
  const { refund_cents: refunded, remaining_cents: remaining, product_id: product, first_recorded_at: first } = why;
  switch (reason) {
    case 'recorded':
      return refunded === undefined ? 'The refund of a test order was received. No money was involved.' : recordedRefund(why, reader, what);
    case 'duplicate_refund':
      return first === undefined ? null : `The same refund was accepted on ${time(first)}. Nothing was recorded twice.`;
    case 'duplicate_refund_conflict':
      return first === undefined
        ? null
        : `This refund_id was sent on ${time(first)} with different content. The first refund remains valid.`;
    case 'refund_exceeds_remaining_amount': {
      if (refunded === undefined || remaining === undefined) return null;
      const rest = product === undefined || reader === 'creator' ? `the ${what}` : `the line items of ${product}`;
      return `A refund of ${money(refunded)} was reported, but only ${money(remaining)} of ${rest} can still be refunded, so nothing changed.`;
    }
    case 'unknown_line_item':
      return product === undefined ? null : `The order has no line item with the product_id ${product}, so nothing was refunded.`;
    case 'invoice_in_progress':
      return reader === 'creator'
        ? `A refund was reported while ${commissionLabel(why)} was being invoiced. It is applied afterwards.`
        : `${capitalize(commissionLabel(why))} is on an invoice that is being issued, charged, or settled. Send the refund again once a day until that is finished.`;
    default:
      return null;
  }
}

function recordedRefund(why: Why, reader: Reader, what: 'order' | 'invoice'): string {
  const {
    refund_cents: refunded = 0,
    commission_before_cents: before,
    commission_cents: now,
    earned = [],
    remaining_cents: rest = 0,
  } = why;
  const opening = `${money(refunded)} of the ${what} was refunded.`;
  if (before === undefined || now === undefined) return `${opening} No commission depended on it.`;
  if (now === 0 && rest === 0)
    return `${opening} Nothing of it remains, so its commission of ${money(before)} ended.${creditSuffix(why, reader)}`;
  if (now === before) return `${opening} Its commission stays at ${money(now)}: ${earned.map(describePart).join('; ')}.`;
  const computed = now === 0 ? '' : `: ${earned.map(describePart).join('; ')}`;
  return `${opening} Its commission fell from ${money(before)} to ${money(now)}${computed}.${creditSuffix(why, reader)}`;
}

function creditSuffix({ credited }: Why, reader: Reader): string {
  if (credited === undefined || reader === 'creator') return '';
  return credited === 'before' ? ' A credit note reduced its invoice.' : ' The difference is credit for your next invoices.';
}

/** Sentences for the four recurring operations. Null if the sentence for orders fits. */
function explainRecurring({ operation, reason, why }: Explained, reader: Reader): string | null {
  if (operation === 'conversion' || operation === 'reversal' || operation === 'order_refund') return null;
  switch (reason) {
    case 'recorded':
      return operation === 'invoice_refund' ? null : (repeatSentence(why) ?? recorded[operation](why, reader));
    case 'no_matching_subscription_rule':
      return repeatSentence(why) ?? bindSentence(why);
    case 'environment_mismatch':
      return why.environment === undefined ? null : `The environment must be ${why.environment}, as for the click or the subscription.`;
    case 'relationship_ended':
      return why.ended_at === undefined || why.occurred_at === undefined
        ? null
        : `The subscription ended on ${time(why.ended_at)}. This invoice is from ${time(why.occurred_at)} and was not reported before the end.`;
    case 'duplicate_relationship_conflict':
      return why.first_recorded_at === undefined
        ? null
        : `This subscription was bound on ${time(why.first_recorded_at)} to a different click, product, price, or environment. The first bind remains valid.`;
    case 'duplicate_event':
      return why.first_recorded_at === undefined
        ? null
        : `This event was rejected on ${time(why.first_recorded_at)} and will never succeed. Stop retrying it.`;
    case 'duplicate_event_conflict':
      return conflictSentence(why);
    case 'active_hold':
      return why.relationship_held === undefined
        ? null
        : `The subscription is under review (${holdLabel(why.relationship_held)}). Send the refund again once a day until the review is decided.`;
    default:
      return null;
  }
}

/** For a replay of the same event, and for another event that repeats the bind. */
const repeatSentence = ({ first_recorded_at: first }: Why): string | null =>
  first === undefined ? null : `The same postback was accepted on ${time(first)}. Nothing was recorded twice.`;

type RecurringSentence = (why: Why, reader: Reader) => string | null;

const recorded: Readonly<Record<Exclude<Operation, 'conversion' | 'reversal' | RefundOperation>, RecurringSentence>> = {
  relationship: bindSentence,
  billing_event: billingSentence,
  invoice_reversal: (why) => {
    if (why.reversed_at !== undefined) return `The invoice was already refunded on ${time(why.reversed_at)}. Nothing else changed.`;
    if (why.commission_cents !== undefined) return `The invoice was refunded, so its commission of ${money(why.commission_cents)} ended.`;
    return why.invoice_state === undefined ? null : 'The invoice was refunded. It had not earned a commission, and will not earn one.';
  },
  relationship_end: ({ ended_at: ended, occurred_at: occurred }) => {
    if (ended !== undefined) return `The subscription already ended on ${time(ended)}. The first end remains valid.`;
    return occurred === undefined ? null : `The subscription ended on ${time(occurred)}. New invoices are rejected.`;
  },
};

function bindSentence(why: Why): string | null {
  if (why.earns_nothing !== undefined) return noCommissionSentence(why);
  const { basis_points: points, flat_cents: flat, invoices_max: invoices, months_max: months } = why;
  if (points === undefined && flat === undefined) return null;
  const rate = points === undefined ? money(flat ?? 0) : percent(points);
  const limits = [
    ...(invoices === undefined ? [] : [`for its first ${plural(invoices, 'earning invoice')}`]),
    ...(months === undefined ? [] : [`for ${plural(months, 'month')}`]),
  ];
  return `The subscription is bound. Each paid invoice earns ${rate}${limits.length === 0 ? '' : `, ${limits.join(' and ')}`}.`;
}

function billingSentence(why: Why, reader: Reader): string | null {
  const { payment_state: state, commission_cents: amount, hold_until: holdUntil, held, first_paid_at: paid, earned = [] } = why;
  if (paid !== undefined)
    return `The invoice was already paid on ${time(paid)}. Only its first payment earns a commission.${reviewSuffix(why, reader)}`;
  if (state !== undefined && state !== 'paid')
    return `The invoice is ${state}. Only a paid invoice earns a commission.${reviewSuffix(why, reader)}`;
  if (why.earns_nothing !== undefined) return noCommissionSentence(why);
  if (amount === undefined || holdUntil === undefined) return underReviewSentence(why, reader);
  const hold = held === undefined ? `The refund hold ends on ${day(holdUntil)}.` : `It is on hold (${holdLabel(held)}).`;
  return `The invoice earns ${money(amount)}: ${earned.map(describePart).join('; ')}. ${hold}`;
}

const underReviewSentence = (why: Why, reader: Reader): string | null =>
  why.relationship_held === undefined ? null : `The invoice earns nothing until the subscription is reviewed.${reviewSuffix(why, reader)}`;

/** A creator does not see which product the customer changed to. */
function reviewSuffix(why: Why, reader: Reader): string {
  const {
    relationship_held: held,
    bound_product_id: bound,
    billed_product_id: billed,
    bound_price_id: price,
    billed_price_id: billedPrice,
  } = why;
  if (held === undefined) return '';
  if (reader === 'creator' || bound === undefined) return ` The subscription is on hold (${holdLabel(held)}).`;
  const withPrice = (product: string | undefined, its: string | undefined) => `${product ?? ''}${its === undefined ? '' : ` at ${its}`}`;
  const invoiced = withPrice(billed, billedPrice);
  return ` The subscription is on hold for review: it is bound to ${withPrice(bound, price)}, and the invoice is for ${invoiced}.`;
}

function noCommissionSentence({ earns_nothing: because, earns_until: until, invoices_max: invoices }: Why): string | null {
  switch (because) {
    case 'test':
      return 'This is a test. No money is involved.';
    case 'zero_commission':
      return 'No commission rule matched when the subscription was bound, so it will never earn a commission.';
    case 'month_limit':
      return until === undefined ? null : `The rule applied to invoices before ${time(until)}, so this one earns nothing.`;
    case 'invoice_limit':
      return `The rule applies to the first ${plural(invoices, 'earning invoice')}, and that limit is reached, so this one earns nothing.`;
    case 'reversed_before':
      return 'The invoice was refunded before it was reported as paid, so it earns nothing.';
    case 'declined':
      return 'The invoice was reported while the subscription was under review, and the review was declined, so it earns nothing.';
    default:
      return null;
  }
}

function conflictSentence({ first_recorded_at: first, paid_cents: paid }: Why): string | null {
  if (first === undefined) return null;
  if (paid !== undefined)
    return `This invoice was reported as paid on ${time(first)} with a different amount (${money(paid)}). The first postback remains valid.`;
  return `This event_id was sent on ${time(first)} with different content. The first postback remains valid.`;
}

const holdLabel = (held: string): string => holdLabels[held] ?? held;

/** A creator sees what concerns their click and their pay, and nothing about other people's orders. */
export type Reader = 'merchant' | 'creator';
export type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };

/** Such as `10 % of 100.05 USD is 10.01 USD`. */
function describePart(part: EarnedWhy): string {
  const { product_id: product, of_cents: of, quantity, basis_points: points, flat_cents: flat, amount_cents: amount } = part;
  const item = product === null ? '' : ` for ${product}`;
  if (points !== null) return `${percent(points)} of ${money(of)}${item} is ${money(amount)}`;
  if (flat === null) return `no rule matches${item === '' ? ' it' : item}`;
  const units = quantity === 1 ? '' : ` × ${quantity}`;
  return `${money(flat)}${units}${item}${amount < flat * quantity ? `, limited to the eligible ${money(of)}` : ''}`;
}

/** Labels of hold reasons, for merchants and creators. */
const holdLabels: Readonly<Record<string, string>> = {
  dispute: 'a dispute is open',
  fraud_review: 'it is under review',
  early_reversal: 'a refund was reported before the order',
  creator_suspended: 'the creator is suspended',
  merchant_request: 'the merchant requested it',
  product_mismatch: 'the product differs from the bound product',
  price_mismatch: 'the price differs from the bound price',
};

const money = (amount: number): string => dollars(cents(amount));
/** 1,250 basis points are 12.5 %. Uses whole numbers only, so that nothing is rounded. */
function percent(points: number): string {
  const fraction = String(points % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(points / 100)}${fraction === '' ? '' : `.${fraction}`} %`;
}

const plural = (count: number | undefined, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
/** Cuts at the T: an offset can lead to a year after 9999 or before 0, which has more than four digits. */
const day = (iso: string): string => iso.slice(0, iso.indexOf('T'));
const time = (iso: string): string => `${day(iso)} ${iso.slice(day(iso).length + 1).slice(0, 5)} UTC`;

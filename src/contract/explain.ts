import { capitalize, day, money, percent, time, type Reader } from './explain-text.ts';
import { explainAttribution, rejectedCodes } from './explain-attribution.ts';
import { explainLead } from './explain-lead.ts';
import { explainRefund } from './explain-refund.ts';
import { explainBudget } from './explain-budget.ts';
import { explainRule, explainSkipped } from './explain-rule.ts';
import { explainBoundTerms, explainTerms } from './explain-terms.ts';
import { reasonRow, type LeadOperation, type Operation, type Reason, type RefundOperation } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Renders the values that a decision compared as a sentence. It reads nothing else and decides nothing again. */
export function explain({ operation, reason, why }: Explained, reader: Reader): string {
  if (reader === 'creator' && !concernsCreators.has(reason)) return apiMessage('explain.concerns_only_merchant_integration_nothi');
  const explained = { operation, reason, why };
  const sentence =
    explainRefund(explained, reader, { describePart: (part) => describePart(part, reader), commissionLabel }) ??
    explainLead(explained, reader, { commissionLabel, holdSentence, daysOf }) ??
    explainRecurring(explained, reader) ??
    sentences[reason]?.(why, reader, operation);
  return sentence ?? reasonRow(reason).means;
}

/** Reasons about the creator's visit or pay. The others are between the merchant's server and the service. */
const concernsCreators: ReadonlySet<Reason> = new Set<Reason>([
  'recorded',
  'duplicate_order',
  'duplicate_refund',
  'duplicate_lead',
  'unsupported_pricing_currency',
  'invalid_occurred_at',
  'order_precedes_click',
  'lead_precedes_click',
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
  missing_referral_click: (why) =>
    why.rejected_codes === undefined ? null : apiMessage('attribution.no_click_and', { codes: rejectedCodes(why) }),
  recorded: (why, reader, operation) => {
    if (operation === 'conversion') return recordedOrder(why, reader);
    if (operation !== 'reversal') return null;
    if (why.commission_cents === undefined) return apiMessage('explain.test_order_reversed_no_money');
    return apiMessage('explain.order_refunded_or_cancelled_so', { commission_cents: money(why.commission_cents) });
  },
  duplicate_order: ({ first_recorded_at: first }) => first && apiMessage('explain.duplicate_order', { first: time(first) }),
  duplicate_order_conflict: ({ first_recorded_at: first }) =>
    first && apiMessage('explain.duplicate_order_conflict', { first: time(first) }),
  unsupported_pricing_currency: ({ currency }) => currency && apiMessage('explain.unsupported_pricing_currency', { currency }),
  invalid_occurred_at: (why, reader) => (reader === 'creator' ? invalidTimeForCreators(why) : invalidTime(why)),
  order_precedes_click: ({ occurred_at: occurred, clicked_at: clicked }) =>
    occurred && clicked && apiMessage('explain.order_precedes_click', { occurred: time(occurred), clicked: time(clicked) }),
  attribution_window_expired: ({ occurred_at: occurred, clicked_at: clicked, attribution_days: days }) =>
    occurred &&
    clicked &&
    apiMessage('explain.attribution_window_expired', { clicked: time(clicked), occurred: time(occurred), days: daysOf(days) }),
  referral_click_already_converted: ({ clicked_at: clicked }, reader) =>
    clicked &&
    (reader === 'merchant'
      ? apiMessage('explain.referral_click_already_converted', { clicked: time(clicked) })
      : apiMessage('explain.referral_click_already_converted_2', { clicked: time(clicked) })),
  test_link_expired: ({ expires_at: expires }) => expires && apiMessage('explain.test_link_expired', { expires: time(expires) }),
  active_hold: (why, reader) => {
    if (reader === 'creator') return apiMessage('explain.refund_reported_but_on_hold', { commission: commissionLabel(why) });
    return (
      why.held && apiMessage('explain.on_hold', { commission: capitalize(commissionLabel(why)), hold: holdLabels[why.held] ?? why.held })
    );
  },
  paid_conversion_not_auto_reversed: (why, reader) => {
    if (reader === 'creator') return apiMessage('explain.refund_reported_after_invoiced_so', { commission: commissionLabel(why) });
    if (why.commission_state === 'reversed')
      return apiMessage('explain.already_credited_you_by', { commission: capitalize(commissionLabel(why)) });
    const already =
      why.commission_state &&
      apiMessage('explain.already_so_nothing', { commission: capitalize(commissionLabel(why)), commission_state: why.commission_state });
    return already && apiMessage('explain.contact_support_for_credit', { already });
  },
};

const commissionLabel = ({ commission_cents: amount }: Why): string =>
  `the commission${amount === undefined ? '' : ` of ${money(amount)}`}`;

function recordedOrder(why: Why, reader: Reader): string | null {
  const { commission_cents: amount, hold_until: holdUntil, earned = [], attribution_days: days, clicked_at: clicked } = why;
  if (amount === undefined || holdUntil === undefined || (clicked === undefined && why.rule === undefined)) return null;
  const earns = apiMessage('explain.order_earns', {
    amount: money(amount),
    parts: budgetText(earned, reader) ?? (earned.map((part) => describePart(part, reader)).join('; ') || apiMessage('explain.no_rule')),
  });
  const window =
    clicked === undefined ? '' : `${apiMessage('explain.placed_within_click_on', { days: daysOf(days), clicked: time(clicked) })} `;
  const attribution = explainAttribution(why, reader);
  const hold = holdSentence(why);
  const skipped = `${explainSkipped(earned, reader)}${explainTerms(earned, reader)}`;
  return reader === 'merchant' ? `${earns} ${skipped}${window}${attribution}${hold}` : `${earns} ${skipped}${attribution}${hold}`;
}

/** How long the commission waits before it is invoiced. */
export const holdSentence = ({ hold_until: holdUntil = '', held }: Why): string =>
  held === undefined
    ? apiMessage('explain.refund_hold_ends_on', { holdUntil: day(holdUntil) })
    : apiMessage('explain.on_hold_2', { hold: holdLabels[held] ?? held });

function invalidTime({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string | null {
  if (occurred === undefined || received === undefined) return null;
  // Compares times, not text: a year after 9999 begins with a sign, which sorts before every digit.
  if (Date.parse(occurred) > Date.parse(received))
    return apiMessage('explain.occurred_in_future', { occurred: time(occurred), received: time(received) });
  return apiMessage('explain.occurred_too_early', { occurred: time(occurred), received: time(received), days: daysOf(daysMax) });
}

/** Without field names, which mean nothing to a creator. */
function invalidTimeForCreators({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string {
  if (occurred === undefined || received === undefined) return apiMessage('explain.store_reported_order_without_valid');
  if (Date.parse(occurred) > Date.parse(received))
    return apiMessage('explain.store_reported_order_on_with', { received: time(received), occurred: time(occurred) });
  return apiMessage('explain.order_placed_on_and', { occurred: time(occurred), received: time(received), daysMax: daysOf(daysMax) });
}

/** Sentences for the four recurring operations. Null if the sentence for orders fits. */
function explainRecurring({ operation, reason, why }: Explained, reader: Reader): string | null {
  if (operation === 'conversion' || operation === 'reversal' || operation === 'order_refund') return null;
  if (operation === 'lead' || operation === 'lead_reversal') return null;
  switch (reason) {
    case 'recorded':
      return operation === 'invoice_refund' ? null : (repeatSentence(why) ?? recorded[operation](why, reader));
    case 'no_matching_subscription_rule':
      return repeatSentence(why) ?? bindSentence(why, reader);
    case 'missing_referral_click':
      return why.rejected_codes === undefined
        ? apiMessage('bind.no_click')
        : apiMessage('bind.no_click_and', { codes: rejectedCodes(why) });
    case 'environment_mismatch':
      return why.environment === undefined ? null : apiMessage('explain.environment_must_as_for', { environment: why.environment });
    case 'relationship_ended':
      return why.ended_at === undefined || why.occurred_at === undefined
        ? null
        : apiMessage('explain.subscription_ended_on_invoice', { ended_at: time(why.ended_at), occurred_at: time(why.occurred_at) });
    case 'duplicate_relationship_conflict':
      return why.first_recorded_at === undefined
        ? null
        : apiMessage('explain.subscription_bound_on_different_click', { first_recorded_at: time(why.first_recorded_at) });
    case 'duplicate_event':
      return why.first_recorded_at === undefined
        ? null
        : apiMessage('explain.event_rejected_on_and_will', { first_recorded_at: time(why.first_recorded_at) });
    case 'duplicate_event_conflict':
      return conflictSentence(why);
    case 'active_hold':
      return why.relationship_held === undefined
        ? null
        : apiMessage('explain.subscription_under_review', { relationship_held: holdLabel(why.relationship_held) });
    default:
      return null;
  }
}

/** For a replay of the same event, and for another event that repeats the bind. */
const repeatSentence = ({ first_recorded_at: first }: Why): string | null =>
  first === undefined ? null : apiMessage('explain.duplicate_order', { first: time(first) });

type RecurringSentence = (why: Why, reader: Reader) => string | null;

const recorded: Readonly<Record<Exclude<Operation, 'conversion' | 'reversal' | RefundOperation | LeadOperation>, RecurringSentence>> = {
  relationship: bindSentence,
  billing_event: billingSentence,
  invoice_reversal: (why) => {
    if (why.reversed_at !== undefined) return apiMessage('explain.invoice_already_refunded_on', { reversed_at: time(why.reversed_at) });
    if (why.commission_cents !== undefined)
      return apiMessage('explain.invoice_refunded_so_its_commission', { commission_cents: money(why.commission_cents) });
    return why.invoice_state === undefined ? null : apiMessage('explain.invoice_refunded_had_not_earned');
  },
  relationship_end: ({ ended_at: ended, occurred_at: occurred }) => {
    if (ended !== undefined) return apiMessage('explain.subscription_already_ended_on', { ended: time(ended) });
    return occurred === undefined ? null : apiMessage('explain.subscription_ended_on_new', { occurred: time(occurred) });
  },
};

function bindSentence(why: Why, reader: Reader): string | null {
  const sentence = boundSentence(why);
  return sentence && `${sentence} ${explainBoundTerms(why.applied_rule, reader)}${explainAttribution(why, reader)}`.trimEnd();
}

function boundSentence(why: Why): string | null {
  if (why.earns_nothing !== undefined) return noCommissionSentence(why);
  const { basis_points: points, flat_cents: flat, invoices_max: invoices, months_max: months, applied_rule: rule } = why;
  if (points === undefined && flat === undefined) return null;
  const rate = `${points === undefined ? money(flat ?? 0) : percent(points)}${explainRule(rule, 'merchant')}`;
  const limits = [
    ...(invoices === undefined ? [] : [apiMessage('explain.for_first_invoices', { count: invoices })]),
    ...(months === undefined ? [] : [apiMessage('explain.for_months', { count: months })]),
  ];
  return apiMessage('explain.subscription_bound_each_paid_invoice', {
    rate,
    limits: limits.length === 0 ? '' : `, ${limits.join(' and ')}`,
  });
}

function billingSentence(why: Why, reader: Reader): string | null {
  const { payment_state: state, commission_cents: amount, hold_until: holdUntil, held, first_paid_at: paid, earned = [] } = why;
  if (paid !== undefined) return apiMessage('explain.invoice_already_paid_on', { paid: time(paid), review: reviewSuffix(why, reader) });
  if (state !== undefined && state !== 'paid')
    return apiMessage('explain.invoice_only_paid_invoice', { state, review: reviewSuffix(why, reader) });
  if (why.earns_nothing !== undefined) return noCommissionSentence(why);
  if (amount === undefined || holdUntil === undefined) return underReviewSentence(why, reader);
  const hold =
    held === undefined
      ? apiMessage('explain.refund_hold_ends_on', { holdUntil: day(holdUntil) })
      : apiMessage('explain.on_hold_3', { held: holdLabel(held) });
  return apiMessage('explain.invoice_earns', {
    amount: money(amount),
    parts: earned.map((part) => describePart(part, reader)).join('; '),
    hold: `${explainTerms(earned, reader)}${hold}`,
  });
}

const underReviewSentence = (why: Why, reader: Reader): string | null =>
  why.relationship_held === undefined
    ? null
    : apiMessage('explain.invoice_earns_nothing_until_subscription', { review: reviewSuffix(why, reader) });

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
      return apiMessage('explain.test_no_money_involved');
    case 'zero_commission':
      return apiMessage('explain.no_commission_rule_matched_when');
    case 'month_limit':
      return until === undefined ? null : apiMessage('explain.rule_applied_invoices_before', { until: time(until) });
    case 'invoice_limit':
      return apiMessage('explain.rule_applies_first_and', { count: invoices ?? 0 });
    case 'reversed_before':
      return apiMessage('explain.invoice_refunded_before_reported_as');
    case 'declined':
      return apiMessage('explain.invoice_reported_while_subscription_unde');
    default:
      return null;
  }
}

function conflictSentence({ first_recorded_at: first, paid_cents: paid }: Why): string | null {
  if (first === undefined) return null;
  if (paid !== undefined) return apiMessage('explain.invoice_reported_as_paid_on', { first: time(first), paid: money(paid) });
  return apiMessage('explain.event_id_sent_on_with_different', { first: time(first) });
}

const holdLabel = (held: string): string => holdLabels[held] ?? held;

export type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };

/** All parts of an order have the same budget, which is named once. */
const budgetText = ([first]: readonly EarnedWhy[], reader: Reader): string | null =>
  first?.budget === undefined ? null : explainBudget(first.budget, reader);

/** Such as `10% of 100.05 USD is 10.01 USD`. */
const describePart = (part: EarnedWhy, reader: Reader): string => `${describeAmount(part)}${explainRule(part.rule, reader)}`;

function describeAmount(part: EarnedWhy): string {
  const { product_id: product, of_cents: of, quantity, basis_points: points, flat_cents: flat, amount_cents: amount } = part;
  const item = product === null ? '' : apiMessage('explain.for_product', { product });
  if (points !== null) return apiMessage('explain.part_percent', { percent: percent(points), of: money(of), item, amount: money(amount) });
  if (flat === null)
    return product === null ? apiMessage('explain.part_no_rule') : apiMessage('explain.part_no_rule_for_product', { product });
  const units = quantity === 1 ? '' : ` × ${quantity}`;
  return `${money(flat)}${units}${item}${amount < flat * quantity ? apiMessage('explain.part_limited', { of: money(of) }) : ''}`;
}

/** Labels of hold reasons, for merchants and creators. */
const holdLabels: Readonly<Record<string, string>> = {
  dispute: apiMessage('hold_labels.dispute'),
  fraud_review: apiMessage('hold_labels.fraud_review'),
  early_reversal: apiMessage('hold_labels.early_reversal'),
  creator_suspended: apiMessage('hold_labels.creator_suspended'),
  merchant_request: apiMessage('hold_labels.merchant_request'),
  product_mismatch: apiMessage('hold_labels.product_mismatch'),
  price_mismatch: apiMessage('hold_labels.price_mismatch'),
};

const daysOf = (count = 0): string => apiMessage('explain.days', { count });

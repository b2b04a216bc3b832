import { capitalize, speechToMerchants, type Speech } from './speech.ts';
import { explainAttribution, rejectedCodes } from './explain-attribution.ts';
import { explainLead } from './explain-lead.ts';
import { explainRefund } from './explain-refund.ts';
import { explainBudget } from './explain-budget.ts';
import { explainRule, explainSkipped } from './explain-rule.ts';
import { explainTerms, explainTermsChoice } from './explain-terms.ts';
import { reasonRow, type LeadOperation, type Operation, type Reason, type RefundOperation } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { ExplanationMessages } from '../messages/explanation-messages.ts';

/** Renders the values that a decision compared as a sentence. It reads nothing else and decides nothing again. */
export function explain({ operation, reason, why }: Explained, speech: Speech): string {
  if (speech.reader === 'merchant') return explainToReader({ operation, reason, why }, speech) ?? reasonRow(reason).means;
  if (!concernsCreators(reason)) return speech.say('explain.concerns_only_merchant_integration_nothi');
  return explainToReader({ operation, reason, why }, speech) ?? speech.say(creatorReasons[reason]);
}

/**
 * Reasons about the creator's visit or pay, with the text if a value is missing. The others are between the merchant's server and the
 * service.
 */
const creatorReasons = {
  recorded: 'reasons.recorded',
  duplicate_order: 'reasons.duplicate_order',
  duplicate_refund: 'reasons.duplicate_refund',
  duplicate_lead: 'reasons.duplicate_lead',
  unsupported_pricing_currency: 'reasons.unsupported_pricing_currency',
  invalid_occurred_at: 'explain.store_reported_order_without_valid',
  order_precedes_click: 'reasons.order_precedes_click',
  lead_precedes_click: 'reasons.lead_precedes_click',
  attribution_window_expired: 'reasons.attribution_window_expired',
  referral_click_already_converted: 'reasons.referral_click_already_converted',
  relationship_ended: 'reasons.relationship_ended',
  no_matching_subscription_rule: 'reasons.no_matching_subscription_rule',
  refund_exceeds_remaining_amount: 'refund.exceeds_what_remains',
  active_hold: 'explain.refund_waits_for_hold_without_amount',
  paid_conversion_not_auto_reversed: 'explain.refund_after_invoice_without_amount',
  invoice_in_progress: 'refund.while_invoiced_without_amount',
} as const satisfies Readonly<Partial<Record<Reason, keyof ExplanationMessages>>>;

const concernsCreators = (reason: Reason): reason is keyof typeof creatorReasons => reason in creatorReasons;

/** Null if a value is missing. */
function explainToReader(explained: Explained, speech: Speech): string | null {
  return (
    explainRefund(explained, speech, { describeParts: (parts) => describeParts(parts, speech), commissionLabel }) ??
    explainLead(explained, speech, holdSentence) ??
    explainRecurring(explained, speech) ??
    sentences[explained.reason]?.(explained.why, speech, explained.operation) ??
    null
  );
}

type Sentence = (why: Why, speech: Speech, operation: Operation) => string | null | undefined;

const sentences: Readonly<Partial<Record<Reason, Sentence>>> = {
  missing_referral_click: (why) =>
    why.rejected_codes === undefined ? null : apiMessage('attribution.no_click_and', { codes: rejectedCodes(why) }),
  recorded: (why, speech, operation) => {
    if (operation === 'conversion') return recordedOrder(why, speech);
    if (operation !== 'reversal') return null;
    if (why.commission_cents === undefined) return speech.say('explain.test_order_reversed_no_money');
    return speech.say('explain.order_refunded_or_cancelled_so', { commission: speech.money(why.commission_cents) });
  },
  duplicate_order: ({ first_recorded_at: first }, { say, time }) => first && say('explain.duplicate_order', { first: time(first) }),
  duplicate_order_conflict: ({ first_recorded_at: first }, { time }) =>
    first && apiMessage('explain.duplicate_order_conflict', { first: time(first) }),
  unsupported_pricing_currency: ({ currency }, { say }) => currency && say('explain.unsupported_pricing_currency', { currency }),
  invalid_occurred_at: (why, speech) => (speech.reader === 'creator' ? invalidTimeForCreators(why, speech) : invalidTime(why, speech)),
  order_precedes_click: ({ occurred_at: occurred, clicked_at: clicked }, { say, time }) =>
    occurred && clicked && say('explain.order_precedes_click', { occurred: time(occurred), clicked: time(clicked) }),
  attribution_window_expired: ({ occurred_at: occurred, clicked_at: clicked, attribution_days: days = 0 }, { say, time }) =>
    occurred && clicked && say('explain.attribution_window_expired', { clicked: time(clicked), occurred: time(occurred), days }),
  referral_click_already_converted: ({ clicked_at: clicked }, { reader, say, time }) =>
    clicked &&
    (reader === 'merchant'
      ? apiMessage('explain.referral_click_already_converted', { clicked: time(clicked) })
      : say('explain.visit_led_to_another_order', { clicked: time(clicked) })),
  test_link_expired: ({ expires_at: expires }, { time }) => expires && apiMessage('explain.test_link_expired', { expires: time(expires) }),
  active_hold: (why, { reader, say, money }) => {
    const { commission_cents: amount, held } = why;
    if (reader === 'creator') return amount === undefined ? null : say('explain.refund_waits_for_hold', { amount: money(amount) });
    return held && apiMessage('explain.on_hold', { commission: capitalize(commissionLabel(why)), hold: holdLabel(held, say) });
  },
  paid_conversion_not_auto_reversed: (why, { reader, say, money }) => {
    const { commission_cents: amount, commission_state: state } = why;
    if (reader === 'creator') return amount === undefined ? null : say('explain.refund_after_invoice', { amount: money(amount) });
    const commission = capitalize(commissionLabel(why));
    if (state === 'reversed') return apiMessage('explain.already_credited_you_by', { commission });
    const already = state && apiMessage('explain.already_so_nothing', { commission, commission_state: state });
    return already && apiMessage('explain.contact_support_for_credit', { already });
  },
};

/** For merchants. */
const commissionLabel = ({ commission_cents: amount }: Why): string =>
  `the commission${amount === undefined ? '' : ` of ${speechToMerchants.money(amount)}`}`;

function recordedOrder(why: Why, speech: Speech): string | null {
  const { reader, say, money, time, paragraph } = speech;
  const { commission_cents: amount, hold_until: holdUntil, earned = [], attribution_days: days = 0, clicked_at: clicked } = why;
  if (amount === undefined || holdUntil === undefined || (clicked === undefined && why.rule === undefined)) return null;
  const parts = budgetText(earned, speech) ?? (describeParts(earned, speech) || say('explain.no_rule'));
  return paragraph([
    say('explain.order_earns', { amount: money(amount), parts }),
    explainSkipped(earned, speech),
    explainTerms(earned, speech),
    clicked === undefined || reader === 'creator' ? null : apiMessage('explain.placed_within_click_on', { days, clicked: time(clicked) }),
    explainAttribution(why, speech),
    holdSentence(why, speech),
  ]);
}

/** How long the commission waits before it is invoiced. */
export const holdSentence = ({ hold_until: holdUntil = '', held }: Why, { say, day }: Speech): string =>
  held === undefined
    ? say('explain.refund_hold_ends_on', { holdUntil: day(holdUntil) })
    : say('explain.it_is_on_hold', { held: holdLabel(held, say) });

function invalidTime({ occurred_at: occurred, received_at: received, age_days_max: days = 0 }: Why, { time }: Speech): string | null {
  if (occurred === undefined || received === undefined) return null;
  // Compares times, not text: a year after 9999 begins with a sign, which sorts before every digit.
  if (Date.parse(occurred) > Date.parse(received))
    return apiMessage('explain.occurred_in_future', { occurred: time(occurred), received: time(received) });
  return apiMessage('explain.occurred_too_early', { occurred: time(occurred), received: time(received), days });
}

/** Without field names, which mean nothing to a creator. */
function invalidTimeForCreators(
  { occurred_at: occurred, received_at: received, age_days_max: days = 0 }: Why,
  { say, time }: Speech,
): string | null {
  if (occurred === undefined || received === undefined) return null;
  if (Date.parse(occurred) > Date.parse(received))
    return say('explain.store_reported_order_on_with', { received: time(received), occurred: time(occurred) });
  return say('explain.order_placed_on_and', { occurred: time(occurred), received: time(received), days });
}

/** Sentences for the four recurring operations. Null if the sentence for orders fits. */
function explainRecurring({ operation, reason, why }: Explained, speech: Speech): string | null {
  if (operation === 'conversion' || operation === 'reversal' || operation === 'order_refund') return null;
  if (operation === 'lead' || operation === 'lead_reversal') return null;
  const { reader, say, time } = speech;
  const { first_recorded_at: first, ended_at: ended, occurred_at: occurred, relationship_held: held } = why;
  switch (reason) {
    case 'recorded':
      return operation === 'invoice_refund' ? null : (repeatSentence(why, speech) ?? recorded[operation](why, speech));
    case 'no_matching_subscription_rule':
      return repeatSentence(why, speech) ?? bindSentence(why, speech);
    case 'missing_referral_click':
      return why.rejected_codes === undefined
        ? apiMessage('bind.no_click')
        : apiMessage('bind.no_click_and', { codes: rejectedCodes(why) });
    case 'environment_mismatch':
      return why.environment === undefined ? null : apiMessage('explain.environment_must_as_for', { environment: why.environment });
    case 'relationship_ended':
      return ended === undefined || occurred === undefined
        ? null
        : say('explain.subscription_ended_on_invoice', { ended: time(ended), occurred: time(occurred) });
    case 'duplicate_relationship_conflict':
      return first === undefined ? null : apiMessage('explain.subscription_bound_on_different_click', { first_recorded_at: time(first) });
    case 'duplicate_event':
      return first === undefined ? null : apiMessage('explain.event_rejected_on_and_will', { first_recorded_at: time(first) });
    case 'duplicate_event_conflict':
      return conflictSentence(why, speech);
    case 'active_hold':
      if (held === undefined) return null;
      return reader === 'creator'
        ? say('explain.refund_waits_for_review', { held: holdLabel(held, say) })
        : apiMessage('explain.subscription_under_review', { relationship_held: holdLabel(held, say) });
    default:
      return null;
  }
}

/** For a replay of the same event, and for another event that repeats the bind. */
const repeatSentence = ({ first_recorded_at: first }: Why, { say, time }: Speech): string | null =>
  first === undefined ? null : say('explain.duplicate_order', { first: time(first) });

type RecurringSentence = (why: Why, speech: Speech) => string | null;

const recorded: Readonly<Record<Exclude<Operation, 'conversion' | 'reversal' | RefundOperation | LeadOperation>, RecurringSentence>> = {
  relationship: bindSentence,
  billing_event: billingSentence,
  invoice_reversal: ({ reversed_at: reversed, commission_cents: amount, invoice_state: state }, { say, time, money }) => {
    if (reversed !== undefined) return say('explain.invoice_already_refunded_on', { reversed: time(reversed) });
    if (amount !== undefined) return say('explain.invoice_refunded_so_its_commission', { commission: money(amount) });
    return state === undefined ? null : say('explain.invoice_refunded_had_not_earned');
  },
  relationship_end: ({ ended_at: ended, occurred_at: occurred }, { say, time }) => {
    if (ended !== undefined) return say('explain.subscription_already_ended_on', { ended: time(ended) });
    return occurred === undefined ? null : say('explain.subscription_ended_on_new', { occurred: time(occurred) });
  },
};

function bindSentence(why: Why, speech: Speech): string | null {
  const sentence = boundSentence(why, speech);
  return sentence && speech.paragraph([sentence, explainTermsChoice(why.applied_rule?.terms, speech), explainAttribution(why, speech)]);
}

function boundSentence(why: Why, speech: Speech): string | null {
  if (why.earns_nothing !== undefined) return noCommissionSentence(why, speech);
  const { say, money, percent } = speech;
  const { basis_points: points, flat_cents: flat, invoices_max: invoices, months_max: months, applied_rule: rule } = why;
  if (points === undefined && flat === undefined) return null;
  const rate = `${points === undefined ? money(flat ?? 0) : percent(points)}${explainRule(rule, speech)}`;
  if (invoices === undefined)
    return months === undefined ? say('explain.bound', { rate }) : say('explain.bound_for_months', { rate, months });
  return months === undefined
    ? say('explain.bound_for_invoices', { rate, invoices })
    : say('explain.bound_for_invoices_and_months', { rate, invoices, months });
}

const unpaidStates = ['open', 'failed', 'void', 'uncollectible'] as const;

function billingSentence(why: Why, speech: Speech): string | null {
  const { say, money, time, paragraph } = speech;
  const { payment_state: state, commission_cents: amount, hold_until: holdUntil, first_paid_at: paid, earned = [] } = why;
  if (paid !== undefined) return paragraph([say('explain.invoice_already_paid_on', { paid: time(paid) }), reviewSentence(why, speech)]);
  if (state !== undefined && state !== 'paid') {
    const unpaid = unpaidStates.find((known) => known === state) ?? 'other';
    return paragraph([say('explain.invoice_only_paid_invoice', { state: unpaid }), reviewSentence(why, speech)]);
  }
  if (why.earns_nothing !== undefined) return noCommissionSentence(why, speech);
  if (amount === undefined || holdUntil === undefined) return underReviewSentence(why, speech);
  const earns = say('explain.invoice_earns', { amount: money(amount), parts: describeParts(earned, speech) });
  return paragraph([earns, explainTerms(earned, speech), holdSentence(why, speech)]);
}

const underReviewSentence = (why: Why, speech: Speech): string | null =>
  why.relationship_held === undefined
    ? null
    : speech.paragraph([speech.say('explain.invoice_earns_nothing_until_subscription'), reviewSentence(why, speech)]);

/** A creator does not see which product the customer changed to. */
function reviewSentence(why: Why, { reader, say }: Speech): string | null {
  const { relationship_held: held, bound_product_id: bound, bound_price_id: price } = why;
  if (held === undefined) return null;
  if (reader === 'creator' || bound === undefined) return say('explain.subscription_on_hold', { held: holdLabel(held, say) });
  const invoiced = productLabel(why.billed_product_id, why.billed_price_id);
  return apiMessage('explain.subscription_on_hold_for_review', { bound: productLabel(bound, price), invoiced });
}

const productLabel = (product = '', price: string | undefined): string =>
  price === undefined ? product : apiMessage('explain.product_at_price', { product, price });

function noCommissionSentence(
  { earns_nothing: because, earns_until: until, invoices_max: count = 0 }: Why,
  { say, time }: Speech,
): string | null {
  switch (because) {
    case 'test':
      return say('explain.test_no_money_involved');
    case 'zero_commission':
      return say('explain.no_commission_rule_matched_when');
    case 'month_limit':
      return until === undefined ? null : say('explain.rule_applied_invoices_before', { until: time(until) });
    case 'invoice_limit':
      return say('explain.rule_applies_first_and', { count });
    case 'reversed_before':
      return say('explain.invoice_refunded_before_reported_as');
    case 'declined':
      return say('explain.invoice_reported_while_subscription_unde');
    default:
      return null;
  }
}

function conflictSentence({ first_recorded_at: first, paid_cents: paid }: Why, { time, money }: Speech): string | null {
  if (first === undefined) return null;
  if (paid !== undefined) return apiMessage('explain.invoice_reported_as_paid_on', { first: time(first), paid: money(paid) });
  return apiMessage('explain.event_id_sent_on_with_different', { first: time(first) });
}

export type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };

/** All parts of an order have the same budget, which is named once. */
const budgetText = ([first]: readonly EarnedWhy[], speech: Speech): string | null =>
  first?.budget === undefined ? null : explainBudget(first.budget, speech);

/** Such as `10% of 100.05 USD is 10.01 USD; 2.50 USD × 3 for sku-b`. */
function describeParts(earned: readonly EarnedWhy[], speech: Speech): string {
  const described = earned.map((part) => `${describeAmount(part, speech)}${explainRule(part.rule, speech)}`);
  return described.length === 0 ? '' : described.reduce((parts, part) => speech.say('explain.parts', { parts, part }));
}

function describeAmount(part: EarnedWhy, { say, money, percent }: Speech): string {
  const { product_id: product, of_cents: eligible, quantity, basis_points: points, flat_cents: flat, amount_cents: amount } = part;
  const of = money(eligible);
  if (points !== null) {
    const facts = { percent: percent(points), of, amount: money(amount) };
    return product === null ? say('explain.part_percent', facts) : say('explain.part_percent_for_product', { ...facts, product });
  }
  if (flat === null) return product === null ? say('explain.part_no_rule') : say('explain.part_no_rule_for_product', { product });
  const units = quantity === 1 ? money(flat) : `${money(flat)} × ${quantity}`;
  const described = product === null ? units : say('explain.part_flat_for_product', { flat: units, product });
  return amount < flat * quantity ? say('explain.part_limited', { part: described, of }) : described;
}

/** Labels of hold reasons, for merchants and creators. */
const holdLabels = {
  dispute: 'hold_labels.dispute',
  fraud_review: 'hold_labels.fraud_review',
  early_reversal: 'hold_labels.early_reversal',
  creator_suspended: 'hold_labels.creator_suspended',
  merchant_request: 'hold_labels.merchant_request',
  product_mismatch: 'hold_labels.product_mismatch',
  price_mismatch: 'hold_labels.price_mismatch',
} as const;

const isHoldReason = (held: string): held is keyof typeof holdLabels => Object.hasOwn(holdLabels, held);
const holdLabel = (held: string, say: Speech['say']): string => (isHoldReason(held) ? say(holdLabels[held]) : held);

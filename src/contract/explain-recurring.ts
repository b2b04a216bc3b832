import { day, holdWords, money, partWords, percent, plural, time, type Explained, type Reader } from './explain-words.ts';
import type { Operation } from './reasons.ts';
import type { Why } from './why.ts';

/** Sentences for the four recurring operations; null where the same is said as for orders. */
export function explainRecurring({ operation, reason, why }: Explained, reader: Reader): string | null {
  if (operation === 'conversion' || operation === 'reversal') return null;
  switch (reason) {
    case 'recorded':
      return againWords(why) ?? recorded[operation](why, reader);
    case 'no_matching_subscription_rule':
      return againWords(why) ?? boundWords(why);
    case 'environment_mismatch':
      return why.environment === undefined
        ? null
        : `It was sent for another environment than ${why.environment}, which is what it refers to.`;
    case 'relationship_ended':
      return why.ended_at === undefined || why.occurred_at === undefined
        ? null
        : `The subscription ended on ${time(why.ended_at)}; this invoice is from ${time(why.occurred_at)} and was not reported before.`;
    case 'duplicate_relationship_conflict':
      return why.first_recorded_at === undefined
        ? null
        : `This subscription was bound on ${time(why.first_recorded_at)} with another click, product, price or environment; the first bind stands.`;
    case 'duplicate_event':
      return why.first_recorded_at === undefined
        ? null
        : `This event was refused on ${time(why.first_recorded_at)} and never succeeds; stop sending it.`;
    case 'duplicate_event_conflict':
      return conflictWords(why);
    case 'active_hold':
      return why.relationship_held === undefined
        ? null
        : `The subscription is being reviewed (${heldWords(why.relationship_held)}); the refund succeeds once that is decided.`;
    default:
      return null;
  }
}

/** A replay of the same event, or another event for the same bind. */
const againWords = ({ first_recorded_at: first }: Why): string | null =>
  first === undefined ? null : `The same was reported and accepted on ${time(first)}; nothing was recorded twice.`;

type Sentence = (why: Why, reader: Reader) => string | null;

const recorded: Readonly<Record<Exclude<Operation, 'conversion' | 'reversal'>, Sentence>> = {
  relationship: boundWords,
  billing_event: billedWords,
  invoice_reversal: (why) => {
    if (why.reversed_at !== undefined) return `The invoice was refunded before, on ${time(why.reversed_at)}; nothing further happened.`;
    if (why.commission_cents !== undefined) return `The invoice was refunded, so its commission of ${money(why.commission_cents)} ended.`;
    return why.invoice_state === undefined ? null : 'The invoice was refunded; it had earned nothing, and earns nothing any more.';
  },
  relationship_end: ({ ended_at: ended, occurred_at: occurred }) => {
    if (ended !== undefined) return `The subscription had ended before, on ${time(ended)}; the first end stands.`;
    return occurred === undefined ? null : `The subscription ended on ${time(occurred)}; new invoices are refused from now on.`;
  },
};

function boundWords(why: Why): string | null {
  if (why.earns_nothing !== undefined) return nothingWords(why);
  const { basis_points: points, flat_cents: flat, invoices_max: invoices, months_max: months } = why;
  if (points === undefined && flat === undefined) return null;
  const rate = points === undefined ? money(flat ?? 0) : percent(points);
  const limits = [
    ...(invoices === undefined ? [] : [`for its first ${plural(invoices, 'earning invoice')}`]),
    ...(months === undefined ? [] : [`for ${plural(months, 'month')}`]),
  ];
  return `The subscription is bound; each paid invoice earns ${rate}${limits.length === 0 ? '' : `, ${limits.join(' and ')}`}.`;
}

function billedWords(why: Why, reader: Reader): string | null {
  const { payment_state: state, commission_cents: amount, hold_until: holdUntil, held, first_paid_at: paid, earned = [] } = why;
  if (paid !== undefined) return `The invoice was paid on ${time(paid)} already; only its first payment counts.${reviewWords(why, reader)}`;
  if (state !== undefined && state !== 'paid') return `The invoice is ${state}; only a paid one earns.${reviewWords(why, reader)}`;
  if (why.earns_nothing !== undefined) return nothingWords(why);
  if (amount === undefined || holdUntil === undefined) return waitingWords(why, reader);
  const hold = held === undefined ? `The refund hold ends on ${day(holdUntil)}.` : `It is held (${heldWords(held)}).`;
  return `The invoice earns ${money(amount)}: ${earned.map(partWords).join('; ')}. ${hold}`;
}

const waitingWords = (why: Why, reader: Reader): string | null =>
  why.relationship_held === undefined ? null : `The invoice earns nothing until the subscription is reviewed.${reviewWords(why, reader)}`;

/** Which product a customer changed to is the merchant's business. */
function reviewWords(why: Why, reader: Reader): string {
  const {
    relationship_held: held,
    bound_product_id: bound,
    billed_product_id: billed,
    bound_price_id: price,
    billed_price_id: billedPrice,
  } = why;
  if (held === undefined) return '';
  if (reader === 'creator' || bound === undefined) return ` The subscription is held (${heldWords(held)}).`;
  const withPrice = (product: string | undefined, its: string | undefined) => `${product ?? ''}${its === undefined ? '' : ` at ${its}`}`;
  return ` The subscription is held for review: bound is ${withPrice(bound, price)}, billed was ${withPrice(billed, billedPrice)}.`;
}

function nothingWords({ earns_nothing: because, earns_until: until, invoices_max: invoices }: Why): string | null {
  switch (because) {
    case 'test':
      return 'This is a test; no money is involved.';
    case 'zero_commission':
      return 'No commission rule fitted when the subscription was bound, so it earns nothing, for good.';
    case 'month_limit':
      return until === undefined ? null : `The rule paid for invoices before ${time(until)}, so this one earns nothing.`;
    case 'invoice_limit':
      return `The rule pays for the first ${plural(invoices, 'earning invoice')}, and these are paid, so this one earns nothing.`;
    case 'reversed_before':
      return 'The invoice was refunded before it was reported as paid, so it earns nothing.';
    case 'declined':
      return 'The invoice was billed while the subscription was under review, and the review was declined, so it earns nothing.';
    default:
      return null;
  }
}

function conflictWords({ first_recorded_at: first, paid_cents: paid }: Why): string | null {
  if (first === undefined) return null;
  if (paid !== undefined)
    return `This invoice was reported as paid on ${time(first)} with other amounts (${money(paid)}); the first report stands.`;
  return `This event_id was reported on ${time(first)} with other content; the first report stands.`;
}

const heldWords = (held: string): string => holdWords[held] ?? held;

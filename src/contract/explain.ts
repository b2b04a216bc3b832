import { explainRecurring } from './explain-recurring.ts';
import { day, holdWords, money, partWords, plural, time, type Explained, type Reader } from './explain-words.ts';
import type { Operation, Reason } from './reasons.ts';
import { rowOf } from './reasons.ts';
import type { Why } from './why.ts';

/** The one renderer from what a decision compared to a sentence. It looks nothing up and decides nothing again. */
export function explain({ operation, reason, why }: Explained, reader: Reader): string {
  if (reader === 'creator' && !concernsCreators.has(reason)) return 'This was between the merchant and us; nothing changed for you.';
  const sentence = explainRecurring({ operation, reason, why }, reader) ?? sentences[reason]?.(why, reader, operation);
  return sentence ?? rowOf(reason).means;
}

/** What is about their visit or their pay. All else is what the merchant's server did, and nobody else's business. */
const concernsCreators: ReadonlySet<Reason> = new Set<Reason>([
  'recorded',
  'duplicate_order',
  'unsupported_pricing_currency',
  'invalid_occurred_at',
  'order_precedes_click',
  'attribution_window_expired',
  'referral_click_already_converted',
  'relationship_ended',
  'no_matching_subscription_rule',
  'active_hold',
  'paid_conversion_not_auto_reversed',
]);

type Sentence = (why: Why, reader: Reader, operation: Operation) => string | null | undefined;

const sentences: Readonly<Partial<Record<Reason, Sentence>>> = {
  recorded: (why, reader, operation) => {
    if (operation === 'conversion') return recordedOrder(why, reader);
    if (operation !== 'reversal') return null;
    if (why.commission_cents === undefined) return 'The test order was reversed; no money was involved.';
    return `The order was refunded or cancelled, so its commission of ${money(why.commission_cents)} ended.`;
  },
  duplicate_order: ({ first_recorded_at: first }) => first && `The same report was accepted on ${time(first)}; nothing was recorded twice.`,
  duplicate_order_conflict: ({ first_recorded_at: first }) =>
    first && `This order_id was reported on ${time(first)} with other content; the first report stands.`,
  unsupported_pricing_currency: ({ currency }) => currency && `The order was in ${currency}; only orders in USD earn.`,
  invalid_occurred_at: (why, reader) => (reader === 'creator' ? badTimeForCreators(why) : badTime(why)),
  order_precedes_click: ({ occurred_at: occurred, clicked_at: clicked }) =>
    occurred && clicked && `The order is from ${time(occurred)}, before the click on ${time(clicked)}: the click cannot have led to it.`,
  attribution_window_expired: ({ occurred_at: occurred, clicked_at: clicked, attribution_days: days }) =>
    occurred &&
    clicked &&
    `The click was on ${time(clicked)} and the order on ${time(occurred)}; ` +
      `the program counts orders within ${plural(days, 'day')} of the click.`,
  referral_click_already_converted: ({ clicked_at: clicked }, reader) =>
    clicked &&
    (reader === 'merchant'
      ? `The click of ${time(clicked)} backs another order; one click backs one order.`
      : `The visit of ${time(clicked)} led to an order before; one visit counts for one order.`),
  test_link_expired: ({ expires_at: expires }) => expires && `The test link ran out on ${time(expires)}; make a new one.`,
  active_hold: (why, reader) => {
    if (reader === 'creator') return `A refund was reported; ${commissionWords(why)} is held, and it is decided first.`;
    return (
      why.held && `${capital(commissionWords(why))} is held (${holdWords[why.held] ?? why.held}); the refund succeeds once that is decided.`
    );
  },
  paid_conversion_not_auto_reversed: (why, reader) => {
    if (reader === 'creator') return `A refund was reported after ${commissionWords(why)} had been billed; nothing was reversed.`;
    if (why.commission_state === 'reversed')
      return `${capital(commissionWords(why))} was credited to you by a credit note already; there is nothing left to reverse.`;
    const already = why.commission_state && `${capital(commissionWords(why))} is ${why.commission_state} already, so nothing was reversed;`;
    return already && `${already} contact support for a credit note.`;
  },
};

const commissionWords = ({ commission_cents: amount }: Why): string =>
  `the commission${amount === undefined ? '' : ` of ${money(amount)}`}`;
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function recordedOrder(why: Why, reader: Reader): string | null {
  const { commission_cents: amount, hold_until: holdUntil, held, earned = [], attribution_days: days, clicked_at: clicked } = why;
  if (amount === undefined || holdUntil === undefined || clicked === undefined) return null;
  const earns = `The order earns ${money(amount)}: ${earned.map(partWords).join('; ') || 'no rule of the program fits it'}.`;
  const window = `It came within ${plural(days, 'day')} of the click on ${time(clicked)}.`;
  const hold = held === undefined ? `The refund hold ends on ${day(holdUntil)}.` : `It is held (${holdWords[held] ?? held}).`;
  return reader === 'merchant' ? `${earns} ${window} ${hold}` : `${earns} ${hold}`;
}

function badTime({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string | null {
  if (occurred === undefined || received === undefined) return null;
  // As times, not as texts: a year after 9999 is written with a sign, which sorts before every digit.
  if (Date.parse(occurred) > Date.parse(received))
    return `occurred_at is ${time(occurred)}, more than 5 minutes after it was received (${time(received)}).`;
  return `occurred_at is ${time(occurred)}, more than ${plural(daysMax, 'day')} before it was received (${time(received)}).`;
}

/** The merchant's field names mean nothing to a creator. */
function badTimeForCreators({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string {
  if (occurred === undefined || received === undefined) return 'The shop reported the order without a time that could be read.';
  if (Date.parse(occurred) > Date.parse(received))
    return `The shop reported the order on ${time(received)} with a time that had not come yet (${time(occurred)}).`;
  return `The order is from ${time(occurred)}, and the shop reported it on ${time(received)}: more than ${plural(daysMax, 'day')} later.`;
}

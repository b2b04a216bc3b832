import { cents, dollars } from '../platform/money.ts';
import type { Operation, Reason } from './reasons.ts';
import { rowOf } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';

/** Who reads it. A creator is told what concerns their click and their pay, nothing about other people's orders. */
export type Reader = 'merchant' | 'creator';
export type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };

/** The one renderer from what a decision compared to a sentence. It looks nothing up and decides nothing again. */
export function explain({ operation, reason, why }: Explained, reader: Reader): string {
  const sentence = sentences[reason]?.(why, reader, operation);
  return sentence ?? rowOf(reason).means;
}

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
  invalid_occurred_at: (why) => badTime(why),
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
  active_hold: ({ held, commission_cents: amount }) =>
    held &&
    `The commission${amount === undefined ? '' : ` of ${money(amount)}`} is held (${holdWords[held] ?? held}); the refund succeeds once that is decided.`,
  paid_conversion_not_auto_reversed: ({ commission_state: state, commission_cents: amount }) =>
    state &&
    `The commission${amount === undefined ? '' : ` of ${money(amount)}`} is ${state} already, so nothing was reversed; contact support for a credit note.`,
};

function recordedOrder(why: Why, reader: Reader): string | null {
  const { commission_cents: amount, hold_until: holdUntil, held, earned = [], attribution_days: days, clicked_at: clicked } = why;
  if (amount === undefined || holdUntil === undefined || clicked === undefined) return null;
  const earns = `The order earns ${money(amount)}: ${earned.map(partWords).join('; ') || 'no rule of the program fits it'}.`;
  const window = `It came within ${plural(days, 'day')} of the click on ${time(clicked)}.`;
  const hold = held === undefined ? `The refund hold ends on ${day(holdUntil)}.` : `It is held (${holdWords[held] ?? held}).`;
  return reader === 'merchant' ? `${earns} ${window} ${hold}` : `${earns} ${hold}`;
}

/** `10 % of 100.05 USD is 10.01 USD`. */
function partWords(part: EarnedWhy): string {
  const { product_id: product, of_cents: of, quantity, basis_points: points, flat_cents: flat, amount_cents: amount } = part;
  const item = product === null ? '' : ` for ${product}`;
  if (points !== null) return `${percent(points)} of ${money(of)}${item} is ${money(amount)}`;
  if (flat === null) return `no rule fits${item === '' ? ' it' : item}`;
  const units = quantity === 1 ? '' : ` × ${quantity}`;
  return `${money(flat)}${units}${item}${amount < flat * quantity ? `, at most the ${money(of)} that it is earned on` : ''}`;
}

function badTime({ occurred_at: occurred, received_at: received, age_days_max: daysMax }: Why): string | null {
  if (occurred === undefined || received === undefined) return null;
  if (occurred > received) return `occurred_at is ${time(occurred)}, more than 5 minutes after it was received (${time(received)}).`;
  return `occurred_at is ${time(occurred)}, more than ${plural(daysMax, 'day')} before it was received (${time(received)}).`;
}

/** Why something is held, in words that everybody may read. */
export const holdWords: Readonly<Record<string, string>> = {
  dispute: 'a dispute is open',
  fraud_review: 'it is being reviewed',
  early_reversal: 'a refund was reported before the order',
  creator_suspended: 'the creator is suspended',
  merchant_request: 'the merchant asked for it',
  product_mismatch: 'the product is not the one that was bound',
  price_mismatch: 'the price is not the one that was bound',
};

const money = (amount: number): string => dollars(cents(amount));
/** 1,250 basis points are 12.5 %. Whole numbers only, so that no figure is rounded. */
function percent(points: number): string {
  const fraction = String(points % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(points / 100)}${fraction === '' ? '' : `.${fraction}`} %`;
}

const plural = (count: number | undefined, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
const time = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
const day = (iso: string): string => iso.slice(0, 10);

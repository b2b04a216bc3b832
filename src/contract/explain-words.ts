import { cents, dollars } from '../platform/money.ts';
import type { Operation, Reason } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';

/** Who reads it. A creator is told what concerns their click and their pay, nothing about other people's orders. */
export type Reader = 'merchant' | 'creator';
export type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };

/** `10 % of 100.05 USD is 10.01 USD`. */
export function partWords(part: EarnedWhy): string {
  const { product_id: product, of_cents: of, quantity, basis_points: points, flat_cents: flat, amount_cents: amount } = part;
  const item = product === null ? '' : ` for ${product}`;
  if (points !== null) return `${percent(points)} of ${money(of)}${item} is ${money(amount)}`;
  if (flat === null) return `no rule fits${item === '' ? ' it' : item}`;
  const units = quantity === 1 ? '' : ` × ${quantity}`;
  return `${money(flat)}${units}${item}${amount < flat * quantity ? `, at most the ${money(of)} that it is earned on` : ''}`;
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

export const money = (amount: number): string => dollars(cents(amount));
/** 1,250 basis points are 12.5 %. Whole numbers only, so that no figure is rounded. */
export function percent(points: number): string {
  const fraction = String(points % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(points / 100)}${fraction === '' ? '' : `.${fraction}`} %`;
}

export const plural = (count: number | undefined, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
/** Up to its T: a year after 9999 or before 0, which an offset may make of what was sent, takes more places than four. */
export const day = (iso: string): string => iso.slice(0, iso.indexOf('T'));
export const time = (iso: string): string => `${day(iso)} ${iso.slice(day(iso).length + 1).slice(0, 5)} UTC`;

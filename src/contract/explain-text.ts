import { cents, dollars } from '../core/money.ts';

/** A creator sees what concerns their click and their pay, and nothing about other people's orders. */
export type Reader = 'merchant' | 'creator';

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** Cuts at the T: an offset can lead to a year after 9999 or before 0, which has more than four digits. */
export const day = (iso: string): string => iso.slice(0, iso.indexOf('T'));
export const time = (iso: string): string => `${day(iso)} ${iso.slice(day(iso).length + 1).slice(0, 5)} UTC`;
export const money = (amount: number): string => dollars(cents(amount));

/** 1,250 basis points are 12.5%. Uses whole numbers only, so that nothing is rounded. */
export function percent(points: number): string {
  const fraction = String(points % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(points / 100)}${fraction === '' ? '' : `.${fraction}`}%`;
}

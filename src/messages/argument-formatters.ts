import type { CustomFormatter } from '@messageformat/core';
import { invariant } from '../core/invariant.ts';

/**
 * The types of arguments that catalogs can use beside those of ICU, such as `{amount, money}`. Values are typed by the generated
 * `email-messages.ts`. The formatters use nothing but `Intl`, so that the browser can use them too.
 */
export const argumentFormatters: Readonly<Record<'money' | 'day' | 'moment' | 'percent', CustomFormatter>> = {
  money: formatMoney,
  day: (value, locale) => formatDate(value, new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })),
  moment: (value, locale) => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    return `${formatDate(value, format)} UTC`;
  },
  /** The value is in hundredths of a percent. */
  percent: (value, locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(value) / 10_000),
};

/** Formats 123456 cents as `1,234.56 USD` or `1.234,56 USD`. The whole part is formatted as a bigint, so that it is exact above 2^53. */
function formatMoney(value: unknown, locale: string): string {
  invariant(typeof value === 'bigint', 'money is in cents');
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).formatToParts(0);
  const separator = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const whole = new Intl.NumberFormat(locale).format(value / 100n);
  return `${whole}${separator}${(value % 100n).toString().padStart(2, '0')} USD`;
}

function formatDate(value: unknown, format: Intl.DateTimeFormat): string {
  invariant(value instanceof Date, 'days and moments are dates');
  return format.format(value);
}

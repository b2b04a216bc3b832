import type { CustomFormatter } from '@messageformat/core';

/**
 * The types of arguments that catalogs can use beside those of ICU, such as `{amount, money}`. Values are typed by the generated
 * `email-messages.ts`. The formatters use nothing but `Intl`, so that the browser can use them too.
 */
export const argumentFormatters: Readonly<Record<'money' | 'day' | 'moment' | 'percent', CustomFormatter>> = {
  money: (value, locale) => formatMoney(value as bigint, locale),
  day: (value, locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(value as Date),
  moment: (value, locale) => {
    const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
    return `${new Intl.DateTimeFormat(locale, style).format(value as Date)} UTC`;
  },
  /** The value is in hundredths of a percent. */
  percent: (value, locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(value) / 10_000),
};

/** Formats 123456 cents as `1,234.56 USD` or `1.234,56 USD`. A decimal string keeps amounts above 2^53 exact. */
function formatMoney(amountCents: bigint, locale: string): string {
  const decimal = `${amountCents / 100n}.${(amountCents % 100n).toString().padStart(2, '0')}` as `${number}`;
  return `${new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(decimal)} USD`;
}

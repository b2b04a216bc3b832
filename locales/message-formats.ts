/** What compiled messages call to format their arguments. They use nothing but `Intl`, in the service and in the browser alike. */
export type MessageFormats = {
  readonly number: (value: number) => string;
  readonly money: (cents: number | bigint) => string;
  readonly day: (value: Date | string) => string;
  readonly moment: (value: Date | string) => string;
  /** The value is in hundredths of a percent. */
  readonly percent: (basisPoints: number) => string;
  readonly plural: (value: number, cases: Cases, isOrdinal?: boolean) => string;
  readonly select: (value: string, cases: Cases) => string;
};
type Cases = Readonly<Record<string, () => string>>;

/** Times are in the viewer’s time zone, or in UTC, which they then name. */
export function createFormats(language: string, timeZone?: 'UTC'): MessageFormats {
  const numbers = once(() => new Intl.NumberFormat(language));
  const percents = once(() => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }));
  const days = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }));
  // Hours are those of a day, as in the dashboards.
  const moments = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone }));
  const cardinals = once(() => new Intl.PluralRules(language));
  const ordinals = once(() => new Intl.PluralRules(language, { type: 'ordinal' }));
  return {
    number: (value) => numbers().format(value),
    money: (cents) => `${formatAmount(language, BigInt(cents))} USD`,
    day: (value) => days().format(new Date(value)),
    moment: (value) => `${moments().format(new Date(value))}${timeZone === undefined ? '' : ` ${timeZone}`}`,
    percent: (basisPoints) => percents().format(basisPoints / 10_000),
    plural: (value, cases, isOrdinal = false) =>
      pick(cases, cases[`=${value}`] ? `=${value}` : (isOrdinal ? ordinals : cardinals)().select(value)),
    select: (value, cases) => pick(cases, value),
  };
}

/** A formatter takes milliseconds to create, and most texts need one of them, or none. */
function once<Formatter>(create: () => Formatter): () => Formatter {
  let created: Formatter | undefined;
  return () => (created ??= create());
}

/** Formats 123456 cents as `1,234.56` or `1.234,56`. The whole part is formatted as a bigint, so that it is exact above 2^53. */
export function formatAmount(language: string, cents: bigint): string {
  const parts = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).formatToParts(0);
  const separator = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const size = cents < 0n ? -cents : cents;
  const whole = new Intl.NumberFormat(language).format(size / 100n);
  return `${cents < 0n ? '−' : ''}${whole}${separator}${(size % 100n).toString().padStart(2, '0')}`;
}

/** `other` is required in every message that chooses. */
const pick = (cases: Cases, key: string): string => (cases[key] ?? cases['other'])?.() ?? '';

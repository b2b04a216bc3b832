import type { Cents } from '../../../sdk/src/exact-json.ts';
import { formatAmount } from '../../../locales/message-formats.ts';
import { formats, language } from '../messages/messages.ts';

/**
 * Amounts are whole cents and rates whole basis points. Typed amounts are parsed digit by digit, never as binary fractions. Sums can be
 * negative: balance changes, or days with more refunds than sales.
 */
export const formatDollars = (cents: Cents): string => formatAmount(language, BigInt(cents));

/** The sum of amounts, any of which may be a bigint. */
export const sumCents = (amounts: readonly Cents[]): bigint => amounts.reduce((sum: bigint, cents) => sum + BigInt(cents), 0n);

export const formatUsd = (cents: Cents): string => formats.money(cents);

/** Formats 1250 basis points as `12.5%`. */
export const formatPercent = (basisPoints: number): string => formats.percent(basisPoints);

export function formatHundredths(given: Cents): string {
  const hundredths = Number(given);
  const rest = (hundredths % 100).toString().padStart(2, '0').replace(/0+$/, '');
  return `${Math.trunc(hundredths / 100)}${rest === '' ? '' : `.${rest}`}`;
}

/** Parses `12.5` as 1250, for dollars (cents) and percent (basis points). Null when the text is not such a number. */
export function parseHundredths(typed: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

/** A number and its noun, such as "1 order" or "2,000 orders". */
export const formatCount = (count: number, one: string, more = `${one}s`): string => `${formats.number(count)} ${count === 1 ? one : more}`;

const unitFormat = (unit: 'kilobyte' | 'megabyte') => new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 });
const [kilobytes, megabytes] = [unitFormat('kilobyte'), unitFormat('megabyte')];

/** The size of a file, such as "34 kB" or "1.2 MB". */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes.format(Math.max(1, Math.round(bytes / 1_000))) : megabytes.format(bytes / 1_000_000);

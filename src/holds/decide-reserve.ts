import { plusDays } from '../core/time.ts';

/** How long the first payments of a store are kept back. */
export type ReserveRules = {
  readonly days: number;
  /** Null: the number of paid invoices does not matter. */
  readonly untilInvoices: number | null;
};

/** Null: no charge of the store has succeeded yet. */
export type ReserveFacts = {
  readonly firstChargedAt: Date;
  readonly paidInvoices: number;
  readonly releasedAt: Date | null;
} | null;

export type Reserve =
  | { readonly is: 'over' }
  /** `at`: when it ends; null: with an invoice that is not paid yet. */
  | { readonly is: 'running'; readonly at: Date | null }
  | { readonly is: 'not_started'; readonly days: number };

export const reserveOver: Reserve = { is: 'over' };

/**
 * The reserve period of a store, counted from its first successful charge. If the settings have both days and invoices, both must be
 * reached: many small invoices must not end the period early.
 */
export function decideReserve(facts: ReserveFacts, { days, untilInvoices }: ReserveRules, now: Date): Reserve {
  if (days === 0 && untilInvoices === null) return reserveOver;
  if (facts === null) return { is: 'not_started', days };
  if (facts.releasedAt !== null) return reserveOver;
  if (untilInvoices !== null && facts.paidInvoices < untilInvoices) return { is: 'running', at: null };
  const at = plusDays(facts.firstChargedAt, days);
  return now < at ? { is: 'running', at } : reserveOver;
}

import { invoiceSchedule, reviewDays } from '../billing/decide-issue.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import type { Reserve } from '../holds/decide-reserve.ts';
import { nextPayoutAt } from '../payouts/decide-payout.ts';
import { nextDue } from '../queue/due-times.ts';
import { plusDays, startOfDay } from '../core/time.ts';

/** What a sale waits for, or its final state. */
export const payDateStates = [
  'paid',
  'nothing',
  'held',
  'in_payout',
  'next_payout',
  'reserve',
  'merchant_cannot_pay',
  'charge',
  'refund_hold',
  'bill',
  'approval',
] as const;
export type PayDateState = (typeof payDateStates)[number];

/** The remaining steps in order, with their expected dates. */
export const payStepKinds = ['approved', 'refund_hold_over', 'billed', 'charged', 'reserve_over', 'paid_out'] as const;
export type PayStep = { readonly what: (typeof payStepKinds)[number]; readonly at: Date | null };

export type PayFacts = {
  readonly now: Date;
  readonly state: CommissionState;
  readonly isHeld: boolean;
  readonly amount: bigint;
  readonly holdUntil: Date;
  readonly autoApproveAt: Date | null;
  /** Its invoice: the next charge, and whether charging needs someone to act first. */
  readonly invoice: { readonly nextChargeAt: Date | null; readonly isStuck: boolean } | null;
  readonly reserve: Reserve;
  /** Its payout; `endedAt` is null while it is unfinished. */
  readonly payout: { readonly endedAt: Date | null } | null;
};

/** When the creator gets the money; `at` is null if unknown. `steps` explain the date. */
export type PayDate = { readonly state: PayDateState; readonly at: Date | null; readonly steps: readonly PayStep[] };

/**
 * An estimate that assumes that every step happens on its due date. A manual approval is assumed at the end of the refund hold, or now
 * if that has passed.
 */
export function decidePayDate(facts: PayFacts): PayDate {
  const { now, state, isHeld, amount, holdUntil, autoApproveAt, invoice, payout, reserve } = facts;
  if (state === 'paid') return { state: 'paid', at: payout?.endedAt ?? null, steps: [] };
  if (state === 'rejected' || state === 'reversed' || amount === 0n) return noPayment;
  if (isHeld) return { state: 'held', at: null, steps: [] };
  if (state === 'collected' && payout !== null) return { state: 'in_payout', at: null, steps: [] };
  if (state === 'collected') return afterPayout(reserve.is === 'over' ? 'next_payout' : 'reserve', { from: now, reserve }, []);
  if (state === 'billed' && invoice?.isStuck !== false) return { state: 'merchant_cannot_pay', at: null, steps: [] };
  if (state === 'billed') return afterCharge('charge', { from: latest(invoice?.nextChargeAt ?? now, now), reserve }, []);
  const holdOver: PayStep[] = holdUntil > now ? [{ what: 'refund_hold_over', at: holdUntil }] : [];
  if (state === 'approved') {
    return afterInvoice(holdUntil > now ? 'refund_hold' : 'bill', { from: latest(holdUntil, now), reserve }, holdOver, now);
  }
  const approved: PayStep = { what: 'approved', at: autoApproveAt };
  return afterInvoice('approval', { from: latest(holdUntil, autoApproveAt ?? now, now), reserve }, [approved, ...holdOver], now);
}

const noPayment: PayDate = { state: 'nothing', at: null, steps: [] };

/** The time at which the next step can start, and the store's reserve period. */
type Ready = { readonly from: Date; readonly reserve: Reserve };
type PayStepRule = (word: PayDateState, ready: Ready, before: readonly PayStep[]) => PayDate;

/** A billing run at exactly the time at which the commission is ready includes it; a run in the past does not. */
function afterInvoice(word: PayDateState, { from, reserve }: Ready, before: readonly PayStep[], now: Date): PayDate {
  const cut = nextDue(invoiceSchedule, latest(new Date(from.getTime() - 1), now));
  return afterCharge(word, { from: plusDays(startOfDay(cut), reviewDays), reserve }, [...before, { what: 'billed', at: cut }]);
}

const afterCharge: PayStepRule = (word, ready, before) => afterPayout(word, ready, [...before, { what: 'charged', at: ready.from }]);

/** A reserve period that has not started is assumed to start with the expected charge. */
const afterPayout: PayStepRule = (word, { from, reserve }, before) => {
  if (reserve.is === 'over') return withPayout(word, nextPayoutAt(from), before);
  const over = reserve.is === 'running' ? reserve.at : plusDays(from, reserve.days);
  const steps: readonly PayStep[] = [...before, { what: 'reserve_over', at: over }];
  // A payout run at exactly the end of the period includes it.
  return withPayout(word, over && nextPayoutAt(latest(from, new Date(over.getTime() - 1))), steps);
};

const withPayout = (word: PayDateState, at: Date | null, before: readonly PayStep[]): PayDate => ({
  state: word,
  at,
  steps: [...before, { what: 'paid_out', at }],
});

const latest = (...times: readonly Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())));

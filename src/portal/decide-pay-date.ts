import { cutRhythm, daysToLook } from '../billing/calendar.ts';
import { startOfDay } from '../billing/decide-charge.ts';
import type { CommissionState } from '../commissions/commission.ts';
import type { Reserve } from '../holds/decide-reserve.ts';
import { nextPayoutAt } from '../payouts/calendar.ts';
import { nextDue } from '../platform/rhythm.ts';
import { plusDays } from '../platform/time.ts';

/** What a sale waits for, or how it ended. */
export const payWords = [
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
export type PayWord = (typeof payWords)[number];

/** What still has to happen, in its order, with its expected day. */
export const payStepWords = ['approved', 'refund_hold_over', 'billed', 'charged', 'reserve_over', 'paid_out'] as const;
export type PayStep = { readonly what: (typeof payStepWords)[number]; readonly at: Date | null };

export type PayFacts = {
  readonly now: Date;
  readonly state: CommissionState;
  readonly isHeld: boolean;
  readonly amount: bigint;
  readonly holdUntil: Date;
  readonly autoApproveAt: Date | null;
  /** The bill that it stands on: when it is charged next, and whether that failed for good. */
  readonly bill: { readonly nextChargeAt: Date | null; readonly isStuck: boolean } | null;
  /** The reserve period of its store. */
  readonly reserve: Reserve;
  /** The payout that it is in, and when that one ended. */
  readonly payout: { readonly endedAt: Date | null } | null;
};

/** When the creator has the money: `at` is null where nobody can say. `steps` are the reasons for the date. */
export type PayDate = { readonly word: PayWord; readonly at: Date | null; readonly steps: readonly PayStep[] };

/**
 * Expected, not promised: as it goes when everybody does what is due on the day on which it is due. Whoever approves by hand
 * is taken to have done it by the end of the refund hold, or now where that is over.
 */
export function decidePayDate(facts: PayFacts): PayDate {
  const { now, state, isHeld, amount, holdUntil, autoApproveAt, bill, payout, reserve } = facts;
  if (state === 'paid') return { word: 'paid', at: payout?.endedAt ?? null, steps: [] };
  if (state === 'rejected' || state === 'reversed' || amount === 0n) return nothing;
  if (isHeld) return { word: 'held', at: null, steps: [] };
  if (state === 'collected' && payout !== null) return { word: 'in_payout', at: null, steps: [] };
  if (state === 'collected') return paidOut(reserve.is === 'over' ? 'next_payout' : 'reserve', { from: now, reserve }, []);
  if (state === 'billed' && bill?.isStuck !== false) return { word: 'merchant_cannot_pay', at: null, steps: [] };
  if (state === 'billed') return charged('charge', { from: latest(bill?.nextChargeAt ?? now, now), reserve }, []);
  const holdOver: PayStep[] = holdUntil > now ? [{ what: 'refund_hold_over', at: holdUntil }] : [];
  if (state === 'approved') {
    return billed(holdUntil > now ? 'refund_hold' : 'bill', { from: latest(holdUntil, now), reserve }, holdOver, now);
  }
  const approved: PayStep = { what: 'approved', at: autoApproveAt };
  return billed('approval', { from: latest(holdUntil, autoApproveAt ?? now, now), reserve }, [approved, ...holdOver], now);
}

const nothing: PayDate = { word: 'nothing', at: null, steps: [] };

/** When it is ready for what comes next, and what its store's reserve period adds to that. */
type Ready = { readonly from: Date; readonly reserve: Reserve };
type Way = (word: PayWord, ready: Ready, before: readonly PayStep[]) => PayDate;

/** What is ready at the very moment of a cut is on that bill; a cut that is over takes nothing more. */
function billed(word: PayWord, { from, reserve }: Ready, before: readonly PayStep[], now: Date): PayDate {
  const cut = nextDue(cutRhythm, latest(new Date(from.getTime() - 1), now));
  return charged(word, { from: plusDays(startOfDay(cut), daysToLook), reserve }, [...before, { what: 'billed', at: cut }]);
}

const charged: Way = (word, ready, before) => paidOut(word, ready, [...before, { what: 'charged', at: ready.from }]);

/** A reserve period that has not started is taken to start with the expected charge. */
const paidOut: Way = (word, { from, reserve }, before) => {
  if (reserve.is === 'over') return withPayout(word, nextPayoutAt(from), before);
  const over = reserve.is === 'running' ? reserve.at : plusDays(from, reserve.days);
  const steps: readonly PayStep[] = [...before, { what: 'reserve_over', at: over }];
  // A run at the very moment of the end pays it.
  return withPayout(word, over && nextPayoutAt(latest(from, new Date(over.getTime() - 1))), steps);
};

const withPayout = (word: PayWord, at: Date | null, before: readonly PayStep[]): PayDate => ({
  word,
  at,
  steps: [...before, { what: 'paid_out', at }],
});

const latest = (...times: readonly Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())));

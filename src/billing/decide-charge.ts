import type { MoneyOutcome } from '../payments/provider.ts';
import { plusDays, startOfDay } from '../core/time.ts';
import { isOpenCharge, type ChargeState } from './charge-states.ts';
import type { ChargeableState } from './invoice-states.ts';

/** `absent` is passed only when it is certain that the provider never had the charge and never will. */
export type ChargeOutcome = MoneyOutcome | { readonly is: 'absent' };

export type ChargeFacts = {
  readonly now: Date;
  readonly charge: { readonly state: ChargeState; readonly isBackup: boolean; readonly invoiceWas: ChargeableState };
  readonly invoice: {
    readonly failures: number;
    readonly firstFailedAt: Date | null;
    /** No money is due: the invoice is paid or void, or another charge is unfinished. */
    readonly isTakenCareOf: boolean;
  };
};

/** The invoice after a charge failed. */
export type AfterFailure = {
  readonly state: 'issued' | 'retrying' | 'past_due' | 'charged_back';
  /** Null: no retry is scheduled. */
  readonly nextChargeAt: Date | null;
  readonly failures: number;
  readonly firstFailedAt: Date | null;
  readonly isBackupTried: boolean;
};

export type ChargeDecision =
  | { readonly do: 'nothing' }
  /** The outcome is not known yet. */
  | { readonly do: 'wait'; readonly charge: 'pending' | 'unknown'; readonly invoice: 'charging' | 'unknown' }
  | { readonly do: 'collect' }
  /** The charge matches no open invoice; an operator has to return the money. */
  | { readonly do: 'raise alarm' }
  | { readonly do: 'fail'; readonly charge: 'declined' | 'absent'; readonly invoice: AfterFailure };

/** Days after the first failure. After the last retry failed, the invoice is past due. */
export const retryDays = [1, 3, 5, 7] as const;

/** Decides what an outcome means for a charge and its invoice, in any order. An end is final, except that a success always counts. */
export function decideCharge(outcome: ChargeOutcome, facts: ChargeFacts): ChargeDecision {
  const { charge, invoice } = facts;
  if (charge.state === 'succeeded') return { do: 'nothing' };
  if (outcome.is === 'succeeded' && isOpenCharge(charge.state)) return { do: 'collect' };
  if (outcome.is === 'succeeded' && invoice.isTakenCareOf) return { do: 'raise alarm' };
  if (outcome.is === 'succeeded') return { do: 'collect' };
  if (!isOpenCharge(charge.state)) return { do: 'nothing' };
  if (outcome.is === 'pending') return { do: 'wait', charge: 'pending', invoice: 'charging' };
  if (charge.state === 'pending' && outcome.is !== 'declined') return { do: 'nothing' };
  if (outcome.is === 'unknown') return { do: 'wait', charge: 'unknown', invoice: 'unknown' };
  if (outcome.is === 'absent') return { do: 'fail', charge: 'absent', invoice: stateBefore(facts) };
  return { do: 'fail', charge: 'declined', invoice: afterDecline(facts.now, charge, invoice) };
}

/** The provider never had the charge: the next job charges again, and it does not count as a failure. */
function stateBefore({ now, charge, invoice }: ChargeFacts): AfterFailure {
  const { failures, firstFailedAt } = invoice;
  return { state: charge.invoiceWas, nextChargeAt: now, failures, firstFailedAt, isBackupTried: false };
}

type Declined = Pick<ChargeFacts['charge'], 'isBackup' | 'invoiceWas'>;
type Failures = Pick<ChargeFacts['invoice'], 'failures' | 'firstFailedAt'>;

/** Also applies to a store without a payment method. */
export function afterDecline(now: Date, { isBackup, invoiceWas }: Declined, { failures, firstFailedAt }: Failures): AfterFailure {
  const first = firstFailedAt ?? now;
  const isOverdue = invoiceWas === 'past_due' || invoiceWas === 'charged_back';
  const current = { failures, firstFailedAt: first };
  // The other method is tried immediately; only both together count as one failure.
  if (isBackup) return { ...current, state: isOverdue ? invoiceWas : 'retrying', nextChargeAt: now, isBackupTried: true };
  if (isOverdue) return { ...current, state: invoiceWas, nextChargeAt: null, isBackupTried: false };
  // A charge before its retry day, such as a merchant trying several cards, uses up none of the scheduled retries.
  const dueDay = retryDay(failures, first);
  if (dueDay !== null && now < dueDay) return { ...current, state: 'retrying', nextChargeAt: dueDay, isBackupTried: false };
  const days = retryDays[failures];
  const counted = { failures: failures + 1, firstFailedAt: first, isBackupTried: false };
  if (days === undefined) return { ...counted, state: 'past_due', nextChargeAt: null };
  return { ...counted, state: 'retrying', nextChargeAt: plusDays(startOfDay(first), days) };
}

/**
 * The next retry after that many failures. Null: no failure yet, or no retry left. Dunning counts calendar days in UTC, because the daily
 * job finds what became due that day.
 */
function retryDay(failures: number, first: Date): Date | null {
  const days = retryDays[failures - 1];
  return days === undefined ? null : plusDays(startOfDay(first), days);
}

/** Which invoices to charge: due ones; also issued ones, ignoring the schedule; or all open ones, because the payment method is new. */
export type ChargeScope = 'due' | 'due or issued' | 'open';

/** Checked again under the invoice lock: another process may have charged it since it was listed. */
export function isChargeable(
  wanted: ChargeScope,
  { state, nextChargeAt }: { readonly state: ChargeableState; readonly nextChargeAt: Date | null },
  now: Date,
): boolean {
  if (wanted === 'open') return true;
  if (wanted === 'due or issued' && state === 'issued') return true;
  return nextChargeAt !== null && nextChargeAt <= now;
}

type Method = { readonly isBackup: boolean };

/**
 * The first charge uses the default method. After a failure or a chargeback, the backup method comes first. Null: the store has no
 * method.
 */
export function chooseMethod<Saved extends Method>(
  { state, failures, isBackupTried }: { readonly state: ChargeableState; readonly failures: number; readonly isBackupTried: boolean },
  methods: readonly Saved[],
): Saved | null {
  const usual = methods.find(({ isBackup }) => !isBackup) ?? null;
  const backup = methods.find(({ isBackup }) => isBackup) ?? null;
  if (backup === null || isBackupTried) return usual ?? backup;
  return failures > 0 || state === 'charged_back' ? backup : (usual ?? backup);
}

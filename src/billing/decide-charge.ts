import type { MoneyOutcome } from '../providers/provider.ts';
import { dayMs, plusDays } from '../platform/time.ts';

export const openChargeStates = ['ready', 'sending', 'pending', 'unknown'] as const;
export type OpenChargeState = (typeof openChargeStates)[number];
export type ChargeState = OpenChargeState | 'succeeded' | 'declined' | 'absent';

/** What an invoice was when it was charged. */
export type ChargeableState = 'issued' | 'retrying' | 'past_due' | 'charged_back';

/** `absent` is told here only when it is sure: the provider never had that charge, and never will. */
export type ChargeOutcome = MoneyOutcome | { readonly is: 'absent' };

export type ChargeFacts = {
  readonly now: Date;
  readonly charge: { readonly state: ChargeState; readonly isBackup: boolean; readonly invoiceWas: ChargeableState };
  readonly invoice: {
    readonly failures: number;
    readonly firstFailedAt: Date | null;
    /** It waits for no money any more: paid or void, or another charge of it is under way. */
    readonly isTakenCareOf: boolean;
  };
};

/** What a charge that came to nothing leaves of its invoice. */
export type AfterFailure = {
  readonly state: 'issued' | 'retrying' | 'past_due' | 'charged_back';
  /** Null: not by itself. */
  readonly nextChargeAt: Date | null;
  readonly failures: number;
  readonly firstFailedAt: Date | null;
  readonly isBackupTried: boolean;
};

export type ChargeDecision =
  | { readonly do: 'nothing' }
  /** The end is still to come. */
  | { readonly do: 'wait'; readonly charge: 'pending' | 'unknown'; readonly invoice: 'charging' | 'unknown' }
  | { readonly do: 'collect' }
  /** Money came in for what was taken care of already: somebody has to send it back. */
  | { readonly do: 'raise alarm' }
  | { readonly do: 'fail'; readonly charge: 'declined' | 'absent'; readonly invoice: AfterFailure };

/** After the first failure, counted from its day. The last one failed: past due. */
export const retryDays = [1, 3, 5, 7] as const;

const isOpen = (state: ChargeState): boolean => openChargeStates.some((open) => open === state);

/** What an outcome makes of a charge and its invoice, in whatever order it is told. An end is an end, but money that came in counts. */
export function decideCharge(outcome: ChargeOutcome, facts: ChargeFacts): ChargeDecision {
  const { charge, invoice } = facts;
  if (charge.state === 'succeeded') return { do: 'nothing' };
  if (outcome.is === 'succeeded' && isOpen(charge.state)) return { do: 'collect' };
  if (outcome.is === 'succeeded' && invoice.isTakenCareOf) return { do: 'raise alarm' };
  if (outcome.is === 'succeeded') return { do: 'collect' };
  if (!isOpen(charge.state)) return { do: 'nothing' };
  if (outcome.is === 'pending') return { do: 'wait', charge: 'pending', invoice: 'charging' };
  if (charge.state === 'pending' && outcome.is !== 'declined') return { do: 'nothing' };
  if (outcome.is === 'unknown') return { do: 'wait', charge: 'unknown', invoice: 'unknown' };
  if (outcome.is === 'absent') return { do: 'fail', charge: 'absent', invoice: asItWas(facts) };
  return { do: 'fail', charge: 'declined', invoice: afterDecline(facts.now, charge, invoice) };
}

/** Nobody refused anything: it is charged again at the next look, and counts as no failure. */
function asItWas({ now, charge, invoice }: ChargeFacts): AfterFailure {
  const { failures, firstFailedAt } = invoice;
  return { state: charge.invoiceWas, nextChargeAt: now, failures, firstFailedAt, isBackupTried: false };
}

type Declined = Pick<ChargeFacts['charge'], 'isBackup' | 'invoiceWas'>;
type Failures = Pick<ChargeFacts['invoice'], 'failures' | 'firstFailedAt'>;

/** Also where there was nothing to charge: a store without any payment method. */
export function afterDecline(now: Date, { isBackup, invoiceWas }: Declined, { failures, firstFailedAt }: Failures): AfterFailure {
  const first = firstFailedAt ?? now;
  const isOverdue = invoiceWas === 'past_due' || invoiceWas === 'charged_back';
  const standing = { failures, firstFailedAt: first };
  // The other method is tried at once; only both together are one failure.
  if (isBackup) return { ...standing, state: isOverdue ? invoiceWas : 'retrying', nextChargeAt: now, isBackupTried: true };
  if (isOverdue) return { ...standing, state: invoiceWas, nextChargeAt: null, isBackupTried: false };
  // Ahead of its day, as where somebody tries one card after the other: that costs none of the tries that are still to come.
  const dueDay = dayOfTry(failures, first);
  if (dueDay !== null && now < dueDay) return { ...standing, state: 'retrying', nextChargeAt: dueDay, isBackupTried: false };
  const days = retryDays[failures];
  const counted = { failures: failures + 1, firstFailedAt: first, isBackupTried: false };
  if (days === undefined) return { ...counted, state: 'past_due', nextChargeAt: null };
  return { ...counted, state: 'retrying', nextChargeAt: plusDays(startOfDay(first), days) };
}

/** When an invoice that failed so often is tried next; null where it never failed, or is not tried again by itself. */
function dayOfTry(failures: number, first: Date): Date | null {
  const days = retryDays[failures - 1];
  return days === undefined ? null : plusDays(startOfDay(first), days);
}

/** Days of dunning are days of the calendar, in UTC: the daily job finds what became due that day. */
export const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);

/** Of one invoice: only what is due; what is issued as well, whatever the calendar says; or whatever is open, for the method is new. */
export type Wanted = 'due' | 'due or issued' | 'open';

/** Asked once more under its lock: who listed it may be slow, and another one has charged it meanwhile, in vain. */
export function isWanted(
  wanted: Wanted,
  { state, nextChargeAt }: { readonly state: ChargeableState; readonly nextChargeAt: Date | null },
  now: Date,
): boolean {
  if (wanted === 'open') return true;
  if (wanted === 'due or issued' && state === 'issued') return true;
  return nextChargeAt !== null && nextChargeAt <= now;
}

type Method = { readonly isBackup: boolean };

/**
 * The first charge goes to the usual method; once that failed, or what it paid was taken back, each time the backup comes first. Null:
 * there is none at all.
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

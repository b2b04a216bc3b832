import type { Schedule } from '../queue/due-times.ts';
import { type BasisPoints, cents, type Cents, minCents, noCents, shareHalfUp } from '../core/money.ts';
import { plusDays } from '../core/time.ts';

/** Invoices are issued on the 1st and charged on the 4th: the merchant has three days to review them. */
export const invoiceSchedule: Schedule = { every: 'month', days: [1], hour: 3, minute: 0 };

export const reviewDays = 3;

/** `cut`: the first of the month. `day`: the daily job. `now`: an operator's run on any day. */
export type IssueMoment = 'cut' | 'day' | 'now';

export type IssueFacts = {
  readonly now: Date;
  readonly moment: IssueMoment;
  /** A crashed run left a draft with commissions, and this run resumes it. */
  readonly isBegun: boolean;
  /** The sum of drafted and billable commissions. */
  readonly linesCents: Cents;
  /** The time from which the oldest could have been invoiced. Null: none. */
  readonly since: Date | null;
  readonly creditCents: Cents;
  /** An invoice of the store is past due or was charged back. */
  readonly isUnpaid: boolean;
  /** The store is archived and was not invoiced since. */
  readonly isArchivingUnbilled: boolean;
  readonly settings: { readonly fee: BasisPoints; readonly minimum: Cents; readonly early: Cents };
  /** The minimum charge of the provider. */
  readonly chargeMin: Cents;
};

export type Amounts = { readonly linesCents: Cents; readonly feeCents: Cents; readonly creditCents: Cents; readonly totalCents: Cents };

export const issueReasons = ['begun', 'archived', 'age', 'early', 'cut', 'asked'] as const;

export const carryReasons = ['nothing', 'unpaid_invoice', 'below_provider_minimum', 'below_minimum', 'not_yet'] as const;

export type IssueDecision =
  | { readonly do: 'issue'; readonly why: (typeof issueReasons)[number]; readonly amounts: Amounts }
  | { readonly do: 'carry on'; readonly why: (typeof carryReasons)[number]; readonly amounts: Amounts };

/** The longest carry-over. The daily job invoices the day before, so that no commission exceeds it. */
export const carriedDaysMax = 90;

const daysBetweenLooks = 1;

/** Decides whether to invoice a store. A total with fee and after credit that is below a minimum is carried over. */
export function decideIssue(facts: IssueFacts): IssueDecision {
  const { moment, settings, chargeMin } = facts;
  const amounts = amountsOf(facts.linesCents, { fee: settings.fee, credit: facts.creditCents });
  const carryOn = (why: (typeof carryReasons)[number]) => ({ do: 'carry on', why, amounts }) as const;
  const issue = (why: (typeof issueReasons)[number]) => ({ do: 'issue', why, amounts }) as const;
  if (facts.linesCents === noCents) return carryOn('nothing');
  if (facts.isBegun) return issue('begun');
  if (facts.isUnpaid) return carryOn('unpaid_invoice');
  if (amounts.totalCents > noCents && amounts.totalCents < chargeMin) return carryOn('below_provider_minimum');
  if (facts.isArchivingUnbilled) return issue('archived');
  if (isOverdue(facts)) return issue('age');
  if (amounts.totalCents < settings.minimum) return carryOn('below_minimum');
  if (moment === 'now') return issue('asked');
  if (moment === 'cut') return issue('cut');
  if (amounts.totalCents < settings.early) return carryOn('not_yet');
  return issue('early');
}

const isOverdue = ({ now, since }: IssueFacts): boolean =>
  since !== null && plusDays(since, carriedDaysMax) < plusDays(now, daysBetweenLooks);

/** Rounds the fee half up, once per invoice. Credit never makes the total negative. */
export function amountsOf(linesCents: Cents, { fee, credit }: { readonly fee: BasisPoints; readonly credit: Cents }): Amounts {
  const feeCents = shareHalfUp(linesCents, fee);
  const gross = cents(linesCents + feeCents);
  const creditCents = minCents(credit, gross);
  return { linesCents, feeCents, creditCents, totalCents: cents(gross - creditCents) };
}

import { cents, noCents, shareHalfUp, smaller, type BasisPoints, type Cents } from '../platform/money.ts';
import { plusDays } from '../platform/time.ts';

/** `cut`: the first of the month. `day`: the daily look. `now`: an operator's run, whatever the calendar says. */
export type IssueMoment = 'cut' | 'day' | 'now';

export type IssueFacts = {
  readonly now: Date;
  readonly moment: IssueMoment;
  /** A run that died has gathered some already. They are on the bill, and it is gone on with. */
  readonly isBegun: boolean;
  /** What is gathered and what is billable, together. */
  readonly linesCents: Cents;
  /** Since when the oldest of them could have been billed. Null: there is none. */
  readonly since: Date | null;
  readonly creditCents: Cents;
  /** An invoice of the store is past due or was charged back. */
  readonly isUnpaid: boolean;
  /** The store is archived, and this archiving was not billed yet. */
  readonly isArchivingUnbilled: boolean;
  readonly settings: { readonly fee: BasisPoints; readonly minimum: Cents; readonly early: Cents };
  /** The smallest charge that the provider takes. */
  readonly chargeMin: Cents;
};

export type Amounts = { readonly linesCents: Cents; readonly feeCents: Cents; readonly creditCents: Cents; readonly totalCents: Cents };

export const issueReasons = ['begun', 'archived', 'age', 'early', 'cut', 'asked'] as const;
export const carryReasons = ['nothing', 'unpaid_invoice', 'below_provider_minimum', 'below_minimum', 'not_yet'] as const;
export type IssueDecision =
  | { readonly do: 'issue'; readonly why: (typeof issueReasons)[number]; readonly amounts: Amounts }
  | { readonly do: 'carry on'; readonly why: (typeof carryReasons)[number]; readonly amounts: Amounts };

/** Nothing is carried on for longer; who looks once a day bills it the day before. */
export const carriedDaysMax = 90;
const daysBetweenLooks = 1;

/** Whether a store is billed now. What is below a minimum with the fee and after credit is carried on. */
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
  if (isTooOld(facts)) return issue('age');
  if (amounts.totalCents < settings.minimum) return carryOn('below_minimum');
  if (moment === 'now') return issue('asked');
  if (moment === 'cut') return issue('cut');
  if (amounts.totalCents < settings.early) return carryOn('not_yet');
  return issue('early');
}

const isTooOld = ({ now, since }: IssueFacts): boolean =>
  since !== null && plusDays(since, carriedDaysMax) < plusDays(now, daysBetweenLooks);

/** The fee is a share of the commissions, half up once per invoice; credit makes what is left smaller, never negative. */
export function amountsOf(linesCents: Cents, { fee, credit }: { readonly fee: BasisPoints; readonly credit: Cents }): Amounts {
  const feeCents = shareHalfUp(linesCents, fee);
  const gross = cents(linesCents + feeCents);
  const creditCents = smaller(credit, gross);
  return { linesCents, feeCents, creditCents, totalCents: cents(gross - creditCents) };
}

import { newId, type Id } from '../core/ids.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';
import { noBudgets, type Budgets } from './decide-budget.ts';
import type { Partners } from './decide-attribution.ts';
import { decideConversion, type ConversionDecision } from './decide-conversion.ts';
import type { ConversionReport } from './report.ts';

type SimulationFacts = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly now: Date;
  /** Null: the order has no click. */
  readonly clickedAt: Date | null;
  /** The creator of the click; without it, one that does not exist. */
  readonly creatorId?: Id<'crt'>;
  readonly terms: TermsOfCreator;
  /** Null: only the click counts. */
  readonly partners: Partners | null;
  readonly isNewCustomer?: boolean;
  /** What was earned of a budget so far; by default nothing. */
  readonly budgets?: Pick<Budgets, 'usedBy'>;
};

/** The decision of real orders on an order that was not placed. */
export function simulate(report: ConversionReport, facts: SimulationFacts): ConversionDecision {
  const { storeId, programId, now, clickedAt, terms, partners, isNewCustomer, budgets = noBudgets, creatorId = newId<'crt'>(now) } = facts;
  const click = clickedAt && { clickId: newId<'click'>(now), at: clickedAt, linkNumber: 0n, programId, creatorId };
  return decideConversion(click === null ? { ...report, clickId: null } : report, {
    now,
    storeId,
    earlier: null,
    wasReversedEarly: false,
    partners,
    budgets,
    ...(isNewCustomer === undefined ? {} : { isNewCustomer }),
    click: click && { kind: 'referral', ...click, isCreatorSuspended: false, backsAnotherOrder: false, terms },
    fresh: { transactionId: newId(now), commissionId: newId(now) },
  });
}

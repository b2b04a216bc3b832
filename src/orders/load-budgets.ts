import { lockBudgets, sumEarnedUnderBudgets, type BudgetOwner, type EarnedUnderBudget } from '../commissions/budget-sql.ts';
import { sum, type Cents } from '../core/money.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Terms } from '../merchants/terms.ts';
import { noBudgets, type Budgets } from './decide-budget.ts';

export type OwnerOfTerms = BudgetOwner & { readonly terms: Pick<Terms, 'budget'> | null };
type OrderTimes = ReadonlyArray<Date | 'unreadable'>;

const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** Locks the budgets of the owners, if they have any, and reads them in a later statement than the lock. No statement without a budget. */
export async function lockAndReadBudgets(tx: Transaction, owners: readonly OwnerOfTerms[], times: OrderTimes): Promise<Budgets> {
  const limited = owners.filter(({ terms }) => terms?.budget !== undefined);
  if (limited.length === 0) return noBudgets;
  await lockBudgets(tx, limited);
  return readBudgets(tx, { owners: limited, times, hasTotal: hasTotal(limited) });
}

export const hasTotal = (owners: readonly OwnerOfTerms[]): boolean =>
  owners.some(({ terms }) => (terms?.budget?.programTotal ?? terms?.budget?.creatorTotal ?? null) !== null);

type WantedBudgets = { readonly owners: readonly BudgetOwner[]; readonly times: OrderTimes; readonly hasTotal: boolean };

/** Reads days before the months of the orders only if a limit has no period. */
export async function readBudgets(db: Queryable, { owners, times, ...wanted }: WantedBudgets): Promise<Budgets> {
  const months = [...new Set(times.flatMap((at) => (at === 'unreadable' ? [] : [monthOf(at)])))].toSorted();
  return budgetsOf(await sumEarnedUnderBudgets(db, { owners, months, since: wanted.hasTotal ? null : (months[0] ?? null) }));
}

function budgetsOf(rows: readonly EarnedUnderBudget[]): Budgets {
  const earned = [...rows];
  const sumOf = (isCounted: (row: EarnedUnderBudget) => boolean): Cents =>
    sum(earned.filter(isCounted).map(({ earnedCents }) => earnedCents));
  return {
    usedBy: ({ programId, creatorId }, at) => ({
      programMonth: sumOf((row) => row.programId === programId && row.month === monthOf(at)),
      programTotal: sumOf((row) => row.programId === programId),
      creatorMonth: sumOf((row) => row.programId === programId && row.creatorId === creatorId && row.month === monthOf(at)),
      creatorTotal: sumOf((row) => row.programId === programId && row.creatorId === creatorId),
    }),
    add: ({ programId, creatorId }, at, earnedCents) => void earned.push({ programId, creatorId, month: monthOf(at), earnedCents }),
  };
}

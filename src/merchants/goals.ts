import { amountToJson, cents, type Cents } from '../core/money.ts';
import type { FieldError } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A month is that of the approvals, in UTC. */
export const goalPeriods = ['month', 'total'] as const;

/** A bonus for a creator's approved orders. One order in all is the first sale. */
export type Goal = {
  readonly orders: number;
  readonly period: (typeof goalPeriods)[number];
  readonly amount: Cents;
};

/** The same goal in another version of the terms, also with another amount: a creator reaches it once in a period. */
export const goalKey = ({ orders, period }: Pick<Goal, 'orders' | 'period'>): string => `${period} ${orders}`;

export function goalOfKey(key: string): Pick<Goal, 'orders' | 'period'> {
  const [period, orders] = key.split(' ');
  return { orders: Number(orders), period: period === 'month' ? 'month' : 'total' };
}

const ordersMax = 1_000;
const amountMax = 500_000;

/** A goal as the API has it. */
export type GoalJson = { readonly orders: number; readonly period: Goal['period']; readonly amount_cents: number };

export function errorsOfGoals(goals: readonly GoalJson[]): readonly FieldError[] {
  const numberFrom = (least: number, most: number): string => apiMessage('decide_terms.must_whole_number_from', { least, most });
  return goals.flatMap((goal, index): readonly FieldError[] => {
    const field = `goals.${index}`;
    if (goal.orders < 1 || goal.orders > ordersMax) return [{ field: `${field}.orders`, message: numberFrom(1, ordersMax) }];
    if (goal.amount_cents < 1 || goal.amount_cents > amountMax)
      return [{ field: `${field}.amount_cents`, message: numberFrom(1, amountMax) }];
    const isTwice = goals.findIndex((other) => goalKey(other) === goalKey(goal)) < index;
    return isTwice ? [{ field: `${field}.orders`, message: apiMessage('decide_terms.goal_twice') }] : [];
  });
}

export const writeGoal = ({ orders, period, amount }: Goal): GoalJson => ({ orders, period, amount_cents: amountToJson(amount) });
const goalOf = ({ orders, period, amount_cents: amount }: GoalJson): Goal => ({ orders, period, amount: cents(amount) });

/** The field of terms, if there are goals. */
export const readGoals = (goals: readonly GoalJson[] | null | undefined): { readonly goals?: readonly Goal[] } =>
  goals && goals.length > 0 ? { goals: goals.map(goalOf) } : {};

import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { amountToJson, type Cents } from '../core/money.ts';
import { namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { budgetOf } from './budget-limits.ts';
import type { Budget } from './terms.ts';

/** The form of a budget in the API and in the database, with every field present. */
export const budgetJson = namedObject('Budget', {
  program_month_cents: orNull(singleAmountField()),
  program_total_cents: orNull(singleAmountField()),
  creator_month_cents: orNull(singleAmountField()),
  creator_total_cents: orNull(singleAmountField()),
});
export type BudgetJson = Static<typeof budgetJson>;

const limitBody = T.Optional(orNull(T.Integer()));
export const budgetBody = T.Object(
  { program_month_cents: limitBody, program_total_cents: limitBody, creator_month_cents: limitBody, creator_total_cents: limitBody },
  {
    additionalProperties: false,
    description:
      'The most that the program or each creator may earn in a month (UTC) or in all. An order whose commission would exceed a limit ' +
      'is recorded and earns nothing',
  },
);

const limitJson = (limit: Cents | null): number | null => (limit === null ? null : amountToJson(limit));

export const writeBudget = ({ programMonth, programTotal, creatorMonth, creatorTotal }: Budget): BudgetJson => ({
  program_month_cents: limitJson(programMonth),
  program_total_cents: limitJson(programTotal),
  creator_month_cents: limitJson(creatorMonth),
  creator_total_cents: limitJson(creatorTotal),
});

/** The field of terms, if there is a limit. */
export function readBudget(json: BudgetJson | null): { readonly budget?: Budget } {
  const budget = budgetOf(json ?? {});
  return budget === undefined ? {} : { budget };
}

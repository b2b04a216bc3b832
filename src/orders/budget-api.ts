import { Type as T } from 'typebox';
import { newId } from '../core/ids.ts';
import { centsField, namedObject, orNull } from '../http/fields.ts';
import { notFound } from '../http/responses.ts';
import { budgetJson, writeBudget } from '../merchants/budget-json.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { readBudgets } from './load-budgets.ts';

export const getBudgetEndpoint = endpoint({
  summary: 'Get the budget of a program now, and what was earned of it: commissions that were not rejected or reversed',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: namedObject('BudgetUse', {
    month: T.String({ description: 'The present month (UTC)' }),
    budget: orNull(budgetJson),
    program_month_used_cents: centsField('By all creators, in the present month'),
    program_total_used_cents: centsField('By all creators, in all'),
  }),
  async handle({ db, ids, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await findProgram(db, of)) === null) return notFound;
    const budget = termsInForce(await termsOfProgram(db, of), now)?.budget;
    // No creator: the sums of the program are those of all.
    const owner = { ...of, creatorId: newId<'crt'>(now) };
    const { programMonth, programTotal } = (await readBudgets(db, { owners: [owner], times: [now], hasTotal: true })).usedBy(owner, now);
    return {
      month: now.toISOString().slice(0, 7),
      budget: budget === undefined ? null : writeBudget(budget),
      program_month_used_cents: programMonth,
      program_total_used_cents: programTotal,
    };
  },
});

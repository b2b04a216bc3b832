import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, namedObject, orNull } from '../http/fields.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { findMember, findOwnMembership, listStoresOfCreator, type Member } from '../creators/members-sql.ts';
import { ratesOfCreator, type TermsOfCreator } from '../merchants/applied-rule.ts';
import {
  leadRuleJson,
  orderRuleJson,
  subscriptionRuleJson,
  writeLeadRule,
  writeOrderRule,
  writeSubscriptionRule,
} from '../merchants/terms-json.ts';
import { tiersJson, writeTiers } from '../merchants/tiers-json.ts';
import { writeGoal, type Goal } from '../merchants/goals.ts';
import { goalJson } from '../merchants/goals-json.ts';
import { monthName, monthOf } from '../merchants/goal-months.ts';
import { nextTier, periodStart } from '../merchants/tiers.ts';
import type { OwnRates, TermsRules } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { countGoalOrders } from './goals-sql.ts';
import { sumEarnedUnderBudgets } from './budget-sql.ts';
import { loadTermsOfCreators } from './terms-of-creators.ts';
import { tierFigure } from './tiers-sql.ts';

export const ratesJson = T.Object({
  level: T.Enum(['member', 'group', 'tier', 'program'], {
    description: 'The rates of the membership, of its group, of the tier that it has now, or of the program',
  }),
  order_rules: T.Array(orderRuleJson),
  subscription_rules: T.Array(subscriptionRuleJson),
});

const progressJson = namedObject('TierProgress', {
  ...tiersJson.properties,
  period_start: T.String({ description: 'Approvals since then are counted' }),
  figure: centsField('What is approved in the period: commissions, or cents of revenue'),
  current: orNull(T.Object({ number: T.Integer({ minimum: 1 }), reached_at: T.String() })),
  next: orNull(T.Object({ number: T.Integer({ minimum: 1 }), missing: centsField('Commissions or cents') })),
});

const creatorBudgetJson = namedObject('CreatorBudget', {
  creator_month_cents: orNull(centsField('The most that one creator may earn in a month (UTC)')),
  creator_total_cents: orNull(centsField('The most that one creator may earn in all')),
  month_used_cents: centsField('What this creator has earned in the present month, without rejected and reversed commissions'),
  total_used_cents: centsField('The same, in all'),
});

const goalProgressJson = namedObject('GoalProgress', {
  ...goalJson.properties,
  figure: centsField('Approved orders in the present month or in all'),
});

const replyJson = namedObject('OwnRatesOfMembership', {
  terms_version: T.Integer(),
  effective_from: T.String(),
  pays: T.Enum(['order', 'product']),
  rates: T.Array(ratesJson),
  leads: T.Array(leadRuleJson, { description: 'What leads earn by their kind, the same for all creators' }),
  tiers: orNull(progressJson),
  budget: orNull(creatorBudgetJson),
  goals: T.Optional(T.Array(goalProgressJson, { description: 'Absent without goals' })),
});

const rulesJson = ({ orderRules, subscriptionRules }: Pick<OwnRates & TermsRules, 'orderRules' | 'subscriptionRules'>) => ({
  order_rules: orderRules.map(writeOrderRule),
  subscription_rules: subscriptionRules.map(writeSubscriptionRule),
});

/** The levels whose rules may apply to the creator, first match first. */
export const showRatesOf = (terms: TermsOfCreator) => [
  ...ratesOfCreator(terms).map(({ level, ...rules }) => ({ level, ...rulesJson(rules) })),
  { level: 'program' as const, ...rulesJson(terms) },
];

/** Only the member's own rates, and no name of a group. */
async function showRates(db: Queryable, member: Member, now: Date): Promise<Static<typeof replyJson> | Refusal> {
  const terms = (await loadTermsOfCreators(db, [member], [now]))(member, now);
  if (!terms) return refuse('terms_missing', apiMessage('simulate_api.program_has_no_terms_yet'));
  return {
    terms_version: terms.version,
    effective_from: isoTime(terms.effectiveFrom),
    pays: terms.pays,
    rates: showRatesOf(terms),
    leads: terms.attribution.leads.map(writeLeadRule),
    tiers: await showProgress(db, { member, terms, now }),
    budget: await showBudget(db, { member, terms, now }),
    ...(terms.goals === undefined ? {} : { goals: await showGoals(db, terms.goals, { member, now }) }),
  };
}

type Progress = { readonly member: Member; readonly terms: TermsOfCreator; readonly now: Date };

async function showProgress(db: Queryable, { member, terms, now }: Progress): Promise<Static<typeof progressJson> | null> {
  const { tiers } = terms.rates;
  if (tiers === null) return null;
  const { storeId, programId, creatorId } = member;
  const from = periodStart(tiers, now);
  const figure = await tierFigure(db, { storeId, programId, creatorId, from, tiers }, now);
  const [reached, next] = [terms.facts?.tier, nextTier(tiers, figure)];
  return {
    ...writeTiers(tiers),
    period_start: isoTime(from),
    figure,
    current: reached === undefined ? null : { number: reached.number, reached_at: isoTime(reached.reachedAt) },
    next,
  };
}

async function showGoals(
  db: Queryable,
  goals: readonly Goal[],
  { member, now }: Omit<Progress, 'terms'>,
): Promise<Array<Static<typeof goalProgressJson>>> {
  const counts = new Map<Goal['period'], bigint>();
  for (const period of new Set(goals.map((goal) => goal.period)))
    counts.set(period, await countGoalOrders(db, member, period === 'total' ? null : monthOf(monthName(now))));
  return goals.map((goal) => ({ ...writeGoal(goal), figure: counts.get(goal.period) ?? 0n }));
}

/** Only the limits for one creator, and not those of the program. */
async function showBudget(db: Queryable, { member, terms, now }: Progress): Promise<Static<typeof creatorBudgetJson> | null> {
  const { creatorMonth = null, creatorTotal = null } = terms.budget ?? {};
  if (creatorMonth === null && creatorTotal === null) return null;
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const earned = (await sumEarnedUnderBudgets(db, { owners: [member], months: [month], since: null })).filter(
    ({ creatorId }) => creatorId === member.creatorId,
  );
  return {
    creator_month_cents: creatorMonth,
    creator_total_cents: creatorTotal,
    month_used_cents: earned.reduce((sum, row) => (row.month === month ? sum + row.earnedCents : sum), 0n),
    total_used_cents: earned.reduce((sum, row) => sum + row.earnedCents, 0n),
  };
}

export const getOwnRatesEndpoint = endpoint({
  summary: "Get a creator's rates in a program now: the first level with a rule that matches wins",
  access: { allow: 'creator', permission: 'creator:read' },
  ids: { member: 'mem' },
  reply: replyJson,
  async handle({ db, ids, now }) {
    const storeIds = await listStoresOfCreator(db, ids.creator);
    const member = await findOwnMembership(db, { creatorId: ids.creator, storeIds, memberId: ids.member });
    return member === null ? notFound : showRates(db, member, now);
  },
});

export const getMemberRatesEndpoint = endpoint({
  summary: "Get a member's rates in a program now, with the tier and what is missing to the next one",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog', member: 'mem' },
  reply: replyJson,
  async handle({ db, ids, now }) {
    const member = await findMember(db, { storeId: ids.store, programId: ids.program, memberId: ids.member });
    return member === null ? notFound : showRates(db, member, now);
  },
});

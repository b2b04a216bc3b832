/** What an order or an invoice earns, and why: levels of rules, conditions, tiers, and budgets, for the model of test/model/model.ts. */
import type { Books, Explained, Part } from './model-books.ts';
import type { Applied } from './model-terms.ts';
import { tierAt } from './model-tiers.ts';
import { failingOf, rulesFor, shareOf, subscriptionRule, type Compared, type ConditionName } from './rates.ts';
import {
  budgetLimits,
  type Conditions,
  type Group,
  type OrderRule,
  type Owner,
  type Rules,
  type SubscriptionRule,
  type TermsVariant,
} from './terms.ts';

export type EarnedPart = Part & { readonly explained: Explained };
type Level = Rules & { readonly level: 'member' | 'group' | 'tier' | 'program'; readonly subject: Explained };
type Earner = { readonly owner: Owner; readonly at: number; readonly terms: Applied };

/** The lists of rules that may apply, in their order: of the membership, of its group, of its tier, and of the program. */
function levelsAt(books: Books, { owner, at, terms }: Earner): readonly Level[] {
  const group = books.moves.filter((move) => move.owner === owner && move.at <= at).at(-1)?.to ?? null;
  const reached = terms.tiers === undefined ? null : tierAt(books, { owner, at, tiers: terms.tiers });
  const tier = reached && terms.tiers?.tiers[reached.number - 1];
  if (!reached || !tier || !terms.tiers) return levelsFor(terms, { owner, group, tier: null });
  const { measure, period } = terms.tiers;
  const { reachedAt, ...counted } = reached;
  const subject = { tier: { measure, period, ...counted, reached_at: new Date(reachedAt).toISOString() } };
  return levelsFor(terms, { owner, group, tier: { ...tier, level: 'tier', subject } });
}

type Rated = { readonly owner: Owner | null; readonly group: Group | null; readonly tier: Level | null };

export function levelsFor(terms: TermsVariant, { owner, group, tier }: Rated): readonly Level[] {
  const own = (of: string | null) => (terms.own_rates ?? []).filter((rates) => rates.of === of);
  return [
    ...own(owner).map((rates): Level => ({ ...rates, level: 'member', subject: { member_id: owner } })),
    ...own(group).map((rates): Level => ({ ...rates, level: 'group', subject: { group_id: group, group_name: group } })),
    ...(tier === null ? [] : [tier]),
    { ...terms, level: 'program', subject: {} },
  ];
}

const areRatesDifferent = ({ own_rates: own = [], tiers }: TermsVariant): boolean => own.length > 0 || tiers !== undefined;

type SoldPart = { readonly product: string | null; readonly amount: number; readonly quantity: number };
type Ordered = Earner & { readonly compared: Compared; readonly lines: readonly SoldPart[] };

/** Without a matching rule, a part earns nothing. If the parts together exceed a budget, none earns. */
export function earnedByOrder(books: Books, { owner, at, terms, compared, lines }: Ordered): readonly EarnedPart[] {
  const levels = levelsAt(books, { owner, at, terms });
  const sold = terms.pays === 'order' ? [{ product: null, amount: compared.eligible, quantity: 1 }] : lines;
  const parts = sold.map((part): EarnedPart => {
    const { applied, skipped } = choose(levels, part.product, compared);
    if (applied?.rule.conditions) for (const name of Object.keys(applied.rule.conditions)) books.tally(`condition holds: ${name}`);
    for (const { failed } of skipped) books.tally(`condition fails: ${failed}`);
    books.tally(`order by level: ${applied === null ? 'none' : levelOf(applied)}`);
    if (applied?.level.level === 'tier') books.tally(`order by tier: ${terms.tiers?.period} of ${terms.tiers?.measure}`);
    const isExplained = areRatesDifferent(terms) || skipped.length > 0 || applied?.rule.conditions !== undefined;
    return {
      ...part,
      rule: applied?.rule ?? null,
      explained: {
        ...(applied && isExplained ? { rule: explainedRule(applied, compared) } : {}),
        ...(skipped.length === 0 ? {} : { skipped: skipped.slice(0, 5).map((one) => explainedSkip(one, compared)) }),
      },
    };
  });
  const cents = parts.reduce((sum, part) => sum + (part.rule ? shareOf(part.rule, part) : 0), 0);
  const budget = exceeded(books, { owner, at, terms, cents });
  const earned = budget === null ? parts : parts.map((part) => ({ ...part, rule: null, explained: { budget } }));
  const why = terms.chosen && { terms: terms.chosen };
  if (terms.chosen) books.tally(`order by version: ${String(terms.chosen['because'])}`);
  return earned.map((part, place) => (place === 0 ? { ...part, explained: { ...part.explained, ...why } } : part));
}

type Candidate<Rule = OrderRule> = { readonly rule: Rule; readonly level: Level };
type Skipped = Candidate & { readonly failed: ConditionName };

/** The first rule that applies, and those before it. */
export function choose(
  levels: readonly Level[],
  product: string | null,
  compared: Compared,
): { readonly applied: Candidate | null; readonly skipped: readonly Skipped[] } {
  const candidates = levels
    .flatMap((level) => rulesFor(level.order_rules, product).map((rule) => ({ rule, level })))
    .map((one) => ({ ...one, failed: failingOf(one.rule.conditions ?? {}, product, compared) }));
  const place = candidates.findIndex(({ failed }) => failed === null);
  const skipped = candidates.slice(0, place === -1 ? candidates.length : place);
  return { applied: candidates[place] ?? null, skipped: skipped.flatMap((one) => (one.failed ? [{ ...one, failed: one.failed }] : [])) };
}

/** Rules of the program for products are a level of their own. */
function levelOf({ rule, level: { level } }: Candidate<OrderRule | SubscriptionRule>): string {
  const isForProducts = rule.product_id !== undefined || rule.conditions?.products !== undefined || ('price_id' in rule && rule.price_id);
  return level === 'program' && isForProducts ? 'product' : level;
}

const explainedRule = (one: Candidate, compared: Compared): Explained => ({
  level: levelOf(one),
  ...one.level.subject,
  ...explainedConditions(one.rule.conditions, compared),
});

/** Countries are sorted, and only what the conditions ask for is copied. */
function explainedConditions(conditions: Conditions | undefined, { customer, eligible, country }: Compared): Explained {
  if (conditions === undefined) return {};
  const { countries, new_customers: isForNew, min_order_cents: least } = conditions;
  const facts = {
    ...(isForNew && { customer }),
    ...(least !== undefined && { order_cents: eligible }),
    ...(countries && { country }),
  };
  return { conditions: { ...conditions, ...(countries && { countries: countries.toSorted() }) }, facts };
}

const explainedSkip = ({ failed, ...one }: Skipped, compared: Compared): Explained => ({
  ...explainedRule(one, compared),
  product_id: one.rule.product_id ?? null,
  basis_points: one.rule.basis_points ?? null,
  flat_cents: one.rule.flat_cents ?? null,
  failed,
});

type Subscribed = Earner & { readonly product: string; readonly price: string | null };

/** The rule of a subscription is chosen once, with its explanation. */
export function subscriptionRuleAt(
  books: Books,
  { owner, at, terms, product, price }: Subscribed,
): { readonly rule: SubscriptionRule; readonly explained: Explained } | null {
  for (const level of levelsAt(books, { owner, at, terms })) {
    const rule = subscriptionRule(level.subscription_rules, product, price);
    if (rule === null) continue;
    const name = levelOf({ rule, level });
    books.tally(`subscription by level: ${name}`);
    if (terms.chosen) books.tally(`subscription by version: ${String(terms.chosen['because'])}`);
    const why = terms.chosen && { terms: terms.chosen };
    return { rule, explained: why || areRatesDifferent(terms) ? { rule: { level: name, ...level.subject, ...why } } : {} };
  }
  return null;
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The first limit that would be exceeded. Rejected and reversed commissions use nothing, and all others of any kind do. */
function exceeded(books: Books, { owner, at, terms: { budget }, cents }: Earner & { readonly cents: number }): Explained | null {
  if (budget === undefined || cents === 0) return null;
  const earned = books.commissions.filter(({ state }) => state !== 'rejected' && state !== 'reversed');
  for (const limit of budgetLimits) {
    const most = budget[`${limit}_cents`];
    const counted = earned
      .filter((one) => limit.startsWith('program') || one.owner === owner)
      .filter((one) => limit.endsWith('total') || monthOf(one.at) === monthOf(at));
    const used = counted.reduce((sum, { amount }) => sum + amount, 0);
    if (most === undefined || used + cents <= most) continue;
    books.tally(`budget exceeded: ${limit}`);
    return { limit, limit_cents: most, used_cents: used, commission_cents: cents };
  }
  books.tally('budget covers the order');
  return null;
}

/** The whole copied part, with its rate and the amounts that it was opened with. */
export const earnedText = (parts: readonly EarnedPart[]): string =>
  canonical(
    parts.map(({ product, amount, quantity, rule, explained }) => ({
      product_id: product,
      of_cents: amount,
      quantity,
      basis_points: rule?.basis_points ?? null,
      flat_cents: rule?.flat_cents ?? null,
      amount_cents: rule ? shareOf(rule, { amount, quantity }) : 0,
      ...explained,
    })),
  );

/** JSON with sorted names. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

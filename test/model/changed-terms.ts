import fc from 'fast-check';
import { budget, goals, leads, orderRule, ownRules, returning, subscriptionRule, tiers } from './random-terms.ts';
import type { OrderRule, Rules, TermsVariant } from './terms.ts';

/** Terms that differ from others in one or two places, so that many are better for all creators, and others only nearly so. */

type Edit = (terms: TermsVariant) => TermsVariant;

const raised = <Rule extends OrderRule>(rule: Rule, points: number): Rule =>
  rule.basis_points === undefined ? rule : { ...rule, basis_points: Math.min(10_000, rule.basis_points + points) };

const raisedRules = ({ order_rules: orders, subscription_rules: subscriptions }: Rules, points: number): Rules => ({
  order_rules: orders.map((rule) => raised(rule, points)),
  subscription_rules: subscriptions.map((rule) => raised(rule, points)),
});

const nameOf = ({ product_id: product, conditions }: OrderRule): string => JSON.stringify([product, conditions]);

function editsOf(terms: TermsVariant): fc.Arbitrary<Edit> {
  const points = fc.constantFrom(100, 3_000);
  return fc.oneof(
    points.map((more) => (of: TermsVariant) => ({ ...of, ...raisedRules(of, more) })),
    orderRule(terms.pays).map((rule) => (of: TermsVariant) => ({
      ...of,
      order_rules: [rule, ...of.order_rules.filter((one) => nameOf(one) !== nameOf(rule))],
    })),
    { weight: 3, arbitrary: subscriptionRule.map((rule) => (of: TermsVariant) => ({ ...of, ...withSubscriptionRule(of, rule) })) },
    fc
      .tuple(fc.constantFrom('ada' as const, 'ben' as const, 'core' as const, 'vip' as const), ownRules(terms.pays))
      .map(([name, own]) => (of: TermsVariant) => ({
        ...of,
        own_rates: [...(of.own_rates ?? []).filter((one) => one.of !== name), { of: name, ...own }],
      })),
    points.map((more) => (of: TermsVariant) => ({
      ...of,
      ...(of.tiers && { tiers: { ...of.tiers, tiers: of.tiers.tiers.map((tier) => ({ ...tier, ...raisedRules(tier, more) })) } }),
    })),
    tiers(terms.pays).map((added) => (of: TermsVariant) => ({ ...of, tiers: added })),
    leads.map((list) => (of: TermsVariant) => ({ ...of, leads: [...of.leads, ...list.filter(({ kind }) => !kindsOf(of).includes(kind))] })),
    goals.map((added) => (of: TermsVariant) => ({ ...of, goals: added })),
    fc.constant(({ budget: _budget, ...of }: TermsVariant) => of),
    budget.map((limits) => (of: TermsVariant) => ({ ...of, budget: limits })),
    returning.map((changed) => (of: TermsVariant) => ({ ...of, returning: changed })),
    fc
      .constantFrom('off' as const, 'when_no_click' as const, 'before_click' as const)
      .map((codes) => (of: TermsVariant) => ({ ...of, codes })),
    fc.constantFrom(7, 30).map((days) => (of: TermsVariant) => ({ ...of, notice_days: days })),
    fc.constant((of: TermsVariant) => ({ ...of, order_rules: of.order_rules.slice(1) })),
  );
}

const kindsOf = ({ leads: list }: TermsVariant): readonly string[] => list.map(({ kind }) => kind);

const withSubscriptionRule = (of: TermsVariant, rule: TermsVariant['subscription_rules'][number]) => ({
  subscription_rules: [
    rule,
    ...of.subscription_rules.filter((one) => one.product_id !== rule.product_id || one.price_id !== rule.price_id),
  ],
});

export const changedTerms = (terms: TermsVariant): fc.Arbitrary<TermsVariant> =>
  fc.array(editsOf(terms), { minLength: 1, maxLength: 2 }).map((edits) => edits.reduce((of, edit) => edit(of), terms));

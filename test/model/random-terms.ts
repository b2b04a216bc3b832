import fc from 'fast-check';
import type { Budget, Conditions, Goal, OrderRule, OwnRates, Rules, SubscriptionRule, TermsVariant, Tiers } from './terms.ts';
import { firstVariants, termsVariants } from './terms.ts';

/** Any terms that the service accepts, so that rules of all levels, with all conditions, meet in one history. */

type Rate = Pick<OrderRule, 'basis_points' | 'flat_cents'>;
const rate: fc.Arbitrary<Rate> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(333, 600, 1_000, 1_777, 2_500, 10_000, 0).map((points) => ({ basis_points: points })) },
  { weight: 2, arbitrary: fc.constantFrom(80, 333, 500, 6_000, 0).map((flat) => ({ flat_cents: flat })) },
);

/** Undefined in one of `times` cases. */
const orNone = <Value>(times: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: times });

/** Without the fields that are undefined. */
const defined = <Value extends object>(value: { [Name in keyof Value]: Value[Name] | undefined }): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;

const patterns = ['a', 'b*', 'shirt-*', '*-red', '*', 's*t-*e', 'SHIRT-*', '*shirt-red', 'shirt-*red*', '**'] as const;
const countries = fc.constantFrom(['US'], ['DE'], ['US', 'DE'], ['DE', 'BR']);
const leasts = [1, 499, 500, 2_450, 4_900, 4_901, 9_905, 123_457] as const;

const conditionsOf = (isForProducts: boolean): fc.Arbitrary<Conditions | undefined> =>
  fc
    .record({
      products: isForProducts
        ? orNone(2, fc.uniqueArray(fc.constantFrom(...patterns), { minLength: 1, maxLength: 2 }))
        : fc.constant(undefined),
      new_customers: orNone(2, fc.constant<true>(true)),
      min_order_cents: orNone(2, fc.constantFrom(...leasts)),
      countries: orNone(2, countries),
    })
    .map((conditions) => defined<Conditions>(conditions))
    .map((conditions) => (Object.keys(conditions).length === 0 ? undefined : conditions));

type Pays = TermsVariant['pays'];

export function orderRule(pays: Pays): fc.Arbitrary<OrderRule> {
  const product = pays === 'order' ? fc.constant(undefined) : orNone(3, fc.constantFrom('a', 'b', 'shirt-red'));
  return product.chain((product_id) =>
    fc
      .tuple(rate, orNone(3, conditionsOf(pays === 'product' && product_id === undefined)))
      .map(([of, conditions]) => defined<OrderRule>({ product_id, ...of, conditions })),
  );
}

const orderRules = (pays: Pays, maxLength: number): fc.Arbitrary<readonly OrderRule[]> =>
  fc.uniqueArray(orderRule(pays), { maxLength, selector: ({ product_id: id, conditions }) => JSON.stringify([id, conditions]) });

export const subscriptionRule: fc.Arbitrary<SubscriptionRule> = fc
  .record({
    product_id: orNone(2, fc.constantFrom('basic', 'pro')),
    price_id: orNone(2, fc.constantFrom('monthly', 'yearly')),
    max_invoices: orNone(2, fc.constantFrom(1, 2)),
    max_months: orNone(2, fc.constantFrom(1, 2, null)),
    of: rate,
  })
  .map(({ of, ...rule }) => defined<SubscriptionRule>({ ...rule, ...of }));

const subscriptionRules: fc.Arbitrary<readonly SubscriptionRule[]> = fc.uniqueArray(subscriptionRule, {
  maxLength: 2,
  selector: ({ product_id: product, price_id: price }) => JSON.stringify([product, price]),
});

/** Half of the time with a rule for all orders. */
const rules = (pays: Pays): fc.Arbitrary<Rules> =>
  fc.record({ order_rules: orderRules(pays, 3), subscription_rules: subscriptionRules, all: orNone(2, rate) }).map(({ all, ...of }) => {
    const hasAll = of.order_rules.some(({ product_id: id, conditions }) => id === undefined && conditions === undefined);
    return all === undefined || hasAll ? of : { ...of, order_rules: [...of.order_rules, all] };
  });

/** At least one rule. */
export const ownRules = (pays: Pays): fc.Arbitrary<Rules> =>
  fc
    .tuple(orderRule(pays), rules(pays))
    .map(([first, of]) => (of.order_rules.length + of.subscription_rules.length === 0 ? { ...of, order_rules: [first] } : of));

const ownRates = (pays: Pays): fc.Arbitrary<readonly OwnRates[]> =>
  fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('ada' as const, 'ben' as const, 'core' as const, 'vip' as const), ownRules(pays))
      .map(([of, own]) => ({ of, ...own })),
    { maxLength: 2, selector: ({ of }) => of },
  );

/** Their midnights are far apart, some change their clocks at midnight, and one has a quarter of an hour. */
const timeZones = [
  'UTC',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'America/Santiago',
  'Europe/Berlin',
] as const;

export const tiers = (pays: Pays): fc.Arbitrary<Tiers> =>
  fc
    .record({
      measure: fc.constantFrom('approved_commissions' as const, 'approved_revenue' as const),
      period: fc.constantFrom('month' as const, 'month' as const, 'days_30' as const, 'days_90' as const),
      time_zone: fc.constantFrom(...timeZones),
      of: fc.array(ownRules(pays), { minLength: 1, maxLength: 3 }),
    })
    .chain(({ of, ...tier }) => {
      const thresholds = tier.measure === 'approved_commissions' ? [1, 2, 3, 4] : [1, 499, 4_900, 9_800, 20_000];
      return fc.shuffledSubarray(thresholds, { minLength: of.length, maxLength: of.length }).map((chosen) => ({
        ...tier,
        tiers: chosen.toSorted((one, other) => one - other).map((threshold, place) => ({ threshold, ...(of[place] ?? noRules) })),
      }));
    });
const noRules: Rules = { order_rules: [], subscription_rules: [] };

const limit = orNone(2, fc.constantFrom(0, 333, 600, 1_000, 1_500, 3_000, 12_000));
export const budget: fc.Arbitrary<Budget> = fc
  .record({ program_month_cents: limit, program_total_cents: limit, creator_month_cents: limit, creator_total_cents: limit })
  .map((of) => defined<Budget>(of));

export const leads: fc.Arbitrary<TermsVariant['leads']> = fc.uniqueArray(
  fc
    .record({ kind: fc.constantFrom('sign_up', 'call'), flat_cents: fc.constantFrom(0, 90, 250, 5_000) })
    .chain((rule) =>
      orNone(2, fc.constantFrom(1, 2)).map((max) => defined<TermsVariant['leads'][number]>({ ...rule, max_per_month: max })),
    ),
  { maxLength: 2, selector: ({ kind }) => kind },
);

export const returning: fc.Arbitrary<TermsVariant['returning']> = fc.option(
  fc.record({
    days: fc.constantFrom(12, 20, 40),
    orders: fc.constantFrom(null, 1, 2),
    new_click: fc.constantFrom('last_click' as const, 'first_partner' as const),
  }),
);

export const goals: fc.Arbitrary<readonly Goal[]> = fc.uniqueArray(
  fc.record({
    orders: fc.integer({ min: 1, max: 3 }),
    period: fc.constantFrom('month' as const, 'total' as const),
    amount_cents: fc.constantFrom(1, 300, 2_500),
  }),
  { minLength: 1, maxLength: 3, selector: ({ orders, period }) => `${period} ${orders}` },
);

const randomTerms: fc.Arbitrary<TermsVariant> = fc.constantFrom('order' as const, 'product' as const).chain((pays) =>
  fc
    .record({
      of: rules(pays),
      leads,
      returning,
      codes: fc.constantFrom('off' as const, 'when_no_click' as const, 'before_click' as const),
      own_rates: orNone(2, ownRates(pays)),
      tiers: orNone(3, tiers(pays)),
      budget: orNone(2, budget),
      goals: orNone(4, goals),
      notice_days: orNone(5, fc.constantFrom(7, 7, 8, 30)),
      protect_click_days: orNone(5, fc.constantFrom(1, 10, 30)),
    })
    .map(({ of, ...terms }) => defined<TermsVariant>({ pays, ...of, ...terms })),
);

/** Half of the time those of the list, which have what random terms rarely have together. */
const termsFrom = (variants: readonly TermsVariant[]): fc.Arbitrary<TermsVariant> =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...variants) }, { weight: 5, arbitrary: fc.noBias(randomTerms) });
export const firstTerms = termsFrom(termsVariants.filter((_terms, place) => firstVariants.includes(place)));
export const laterTerms = termsFrom(termsVariants);

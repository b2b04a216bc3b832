import { plusDays } from '../core/time.ts';
import type { Id } from '../core/ids.ts';
import { orderRulesOf, ratesOfCreator, type RateFacts } from './applied-rule.ts';
import { writeConditions } from './conditions-why.ts';
import {
  changesOfSubjects,
  decideTermsChanges,
  effectiveRule,
  rateEffect,
  rateText,
  subscriptionEffect,
  subscriptionText,
  textOfConditions,
  tiersText,
  together,
  type ChangeEffect,
  type SubscriptionSubject,
  type TermsChange,
} from './decide-terms-changes.ts';
import type { OrderRule, Rate, SubscriptionRule, Terms, TierTerms } from './terms.ts';

/** A membership that either version names in own rates, with its present group. */
export type NamedMember = { readonly memberId: Id<'mem'>; readonly groupId: Id<'grp'> | null };

/** What rates of a creator depend on besides tiers. Both null: a creator without own rates. */
export type RatedCreator = { readonly memberId: Id<'mem'> | null; readonly groupId: Id<'grp'> | null };
export const anyCreator: RatedCreator = { memberId: null, groupId: null };

type NoticeFacts = {
  readonly now: Date;
  /** The version in force now. Null: none. */
  readonly inForce: Terms | null;
  readonly wasEverPublished: boolean;
  /** Undefined: as early as possible. */
  readonly requestedFrom: Date | undefined;
  readonly members: readonly NamedMember[];
};

export type NoticeDecision =
  | { readonly do: 'start'; readonly effectiveFrom: Date }
  | { readonly do: 'announce'; readonly effectiveFrom: Date }
  | { readonly do: 'refuse'; readonly noticeDays: number };

/** When a version may start: a worse one only after the notice that the version in force promises. */
export function decideNotice(next: Terms, { now, inForce, wasEverPublished, requestedFrom, members }: NoticeFacts): NoticeDecision {
  const noticeDays = inForce?.noticeDays;
  if (inForce === null || noticeDays === undefined) return { do: 'start', effectiveFrom: requestedFrom ?? now };
  if (!wasEverPublished) return { do: 'start', effectiveFrom: requestedFrom ?? now };
  if (!isWorseForAnyone(inForce, next, members)) return { do: 'start', effectiveFrom: requestedFrom ?? now };
  const earliest = plusDays(now, noticeDays);
  if (requestedFrom !== undefined && requestedFrom < earliest) return { do: 'refuse', noticeDays };
  return { do: 'announce', effectiveFrom: requestedFrom ?? earliest };
}

/** A change that is better for some orders and worse for others counts as worse. */
export const isWorse = (changes: readonly TermsChange[]): boolean => changes.some(({ effect }) => effect !== 'better');

function isWorseForAnyone(before: Terms, after: Terms, members: readonly NamedMember[]): boolean {
  const groups = [...before.rates.own, ...after.rates.own].flatMap(({ subject }) => (subject.is === 'group' ? [subject.groupId] : []));
  const creators: readonly RatedCreator[] = [
    anyCreator,
    ...[...new Set(groups)].map((groupId) => ({ memberId: null, groupId })),
    ...members,
  ];
  return creators.some((creator) => isWorse(decideChangesFor(before, after, creator)));
}

const ofRates: ReadonlySet<TermsChange['field']> = new Set(['order_rule', 'order_of_rules', 'subscription_rule', 'own_rates', 'tiers']);

/** `rates` is set where only a rate changed. */
export type ChangeForCreator = TermsChange & { readonly rates?: { readonly before: Rate | null; readonly after: Rate | null } };

/** What changes for one creator: the rates that the creator has in each tier, and everything that is the same for all creators. */
export function decideChangesFor(before: Terms, after: Terms, creator: RatedCreator): readonly ChangeForCreator[] {
  return [
    ...rateChanges(before, after, creator),
    ...tierChanges(before, after, creator),
    ...decideTermsChanges(before, after).filter(({ field }) => !ofRates.has(field)),
  ];
}

const rateChanges = (before: Terms, after: Terms, creator: RatedCreator, tiers: TierNumbers = noTiers): readonly ChangeForCreator[] => [
  ...orderRateChanges(before, after, creator, tiers),
  ...subscriptionRateChanges(before, after, creator, tiers),
];

const noSubject = { priceId: null, leadKind: null, ownerId: null, conditions: null };

function orderRateChanges(before: Terms, after: Terms, creator: RatedCreator, tiers: TierNumbers): readonly ChangeForCreator[] {
  const [one, other] = [withFacts(before, creator, tiers.before), withFacts(after, creator, tiers.after)];
  const products = new Set([null, ...[one, other].flatMap(namedProducts)]);
  return [...products].flatMap((productId) => {
    const [former, next] = [chainOf(one, productId), chainOf(other, productId)];
    const effect = chainEffect(former, next);
    const texts = { before: chainText(former), after: chainText(next) };
    if (texts.before === texts.after || effect === null) return [];
    const isRateOnly = former.conditional.length + next.conditional.length === 0;
    const rates = { rates: { before: former.rest, after: next.rest } };
    return [{ ...noSubject, field: 'order_rule' as const, productId, ...texts, effect, ...(isRateOnly ? rates : {}) }];
  });
}

type TierNumbers = { readonly before: number; readonly after: number };
/** Below the first tier. */
const noTiers: TierNumbers = { before: 0, after: 0 };

type OfCreator = Terms & { readonly facts: RateFacts };

function withFacts(terms: Terms, { memberId, groupId }: RatedCreator, tier: number): OfCreator {
  const { tiers } = terms.rates;
  const threshold = tiers?.tiers[tier - 1]?.threshold;
  return {
    ...terms,
    facts: {
      memberId,
      group: groupId === null ? null : { groupId, name: '' },
      ...(tiers === null || threshold === undefined
        ? {}
        : { tier: { number: tier, threshold, figure: threshold, reachedAt: terms.madeAt, measure: tiers.measure, period: tiers.period } }),
    },
  };
}

const namedProducts = (terms: OfCreator): ReadonlyArray<string | null> =>
  [...ratesOfCreator(terms), terms].flatMap(({ orderRules }) => orderRules.map(({ productId }) => productId));

/** The rules that an order of a product tries one after the other, and the rate if the conditions of none hold. */
type Chain = { readonly conditional: readonly OrderRule[]; readonly rest: Rate | null };

function chainOf(terms: OfCreator, productId: string | null): Chain {
  const rules = orderRulesOf(terms, productId).map(({ rule }) => rule);
  const end = rules.findIndex(({ conditions }) => conditions === undefined);
  return { conditional: end < 0 ? rules : rules.slice(0, end), rest: rules[end]?.rate ?? null };
}

const conditionsKey = ({ conditions }: OrderRule): string => JSON.stringify(conditions && writeConditions(conditions));

/** Null: the same for every order. */
function chainEffect(before: Chain, after: Chain): ChangeEffect | null {
  const [former, next] = [before.conditional.map(conditionsKey), after.conditional.map(conditionsKey)];
  const kept = former.filter((key) => next.includes(key));
  if (kept.join('\n') !== next.filter((key) => former.includes(key)).join('\n')) return 'depends';
  const rateOf = (chain: Chain, key: string): Rate | null => chain.conditional.find((rule) => conditionsKey(rule) === key)?.rate ?? null;
  return together([
    rateEffect(before.rest, after.rest),
    ...kept.map((key) => rateEffect(rateOf(before, key), rateOf(after, key))),
    ...after.conditional.flatMap((rule, place) => (former.includes(conditionsKey(rule)) ? [] : effectsOfRule(after, rule, place))),
    ...before.conditional.flatMap((rule, place) =>
      next.includes(conditionsKey(rule)) ? [] : effectsOfRule(before, rule, place).map(opposite),
    ),
  ]);
}

/** A rule is better if it gives more than each rate that orders would have had otherwise. */
const effectsOfRule = ({ conditional, rest }: Chain, { rate }: OrderRule, place: number): ReadonlyArray<ChangeEffect | null> =>
  [...conditional.slice(place + 1).map((later) => later.rate), rest].map((otherwise) => rateEffect(otherwise, rate));

const opposites = { better: 'worse', worse: 'better', depends: 'depends' } as const;
const opposite = (effect: ChangeEffect | null): ChangeEffect | null => effect && opposites[effect];

const chainText = ({ conditional, rest }: Chain): string =>
  [
    ...conditional.map(({ rate, conditions }) => `${rateText(rate)} ${conditions === undefined ? '' : textOfConditions(conditions)}`),
    rateText(rest),
  ].join('; ');

function subscriptionRateChanges(before: Terms, after: Terms, creator: RatedCreator, tiers: TierNumbers): readonly ChangeForCreator[] {
  const levels = [levelsOf(withFacts(before, creator, tiers.before)), levelsOf(withFacts(after, creator, tiers.after))] as const;
  return changesOfSubjects<ChangeForCreator>(levels.flat(2), (subject) => {
    const [one, other] = levels.map((rules) => firstRule(rules, subject));
    const texts = { before: subscriptionText(one ?? null), after: subscriptionText(other ?? null) };
    const effect = subscriptionEffect(one ?? null, other ?? null);
    if (texts.before === texts.after || effect === null) return [];
    const isRateOnly = one?.maxMonths === other?.maxMonths && one?.maxInvoices === other?.maxInvoices;
    const rates = { rates: { before: one?.rate ?? null, after: other?.rate ?? null } };
    return [{ ...noSubject, field: 'subscription_rule' as const, ...subject, ...texts, effect, ...(isRateOnly ? rates : {}) }];
  });
}

const levelsOf = (terms: OfCreator): ReadonlyArray<readonly SubscriptionRule[]> =>
  [...ratesOfCreator(terms), terms].map(({ subscriptionRules }) => subscriptionRules);

const firstRule = (levels: ReadonlyArray<readonly SubscriptionRule[]>, subject: SubscriptionSubject): SubscriptionRule | null =>
  levels.map((subscriptionRules) => effectiveRule({ subscriptionRules }, subject)).find((rule) => rule !== null) ?? null;

/** Compares what the creator has in each tier. Tiers with other thresholds are better for some and worse for others. */
function tierChanges(before: Terms, after: Terms, creator: RatedCreator): readonly ChangeForCreator[] {
  const [former, next] = [before.rates.tiers, after.rates.tiers];
  const texts = { before: tiersText(former), after: tiersText(next) };
  if (texts.before === texts.after) return changesWithinTiers(before, after, creator);
  const change = (effect: ChangeEffect | null): readonly TermsChange[] =>
    effect === null ? [] : [{ ...noSubject, field: 'tiers', productId: null, ...texts, effect }];
  if (former !== null && next !== null && !areComparable(former, next)) return change('depends');
  const numbers = (former ?? next)?.tiers.map((_tier, index) => index + 1) ?? [];
  const effects = numbers.flatMap((number) =>
    rateChanges(before, after, creator, { before: former === null ? 0 : number, after: next === null ? 0 : number }),
  );
  return change(together(effects.map(({ effect }) => effect)));
}

/** With equal tiers: an own rate may replace one of a tier. What changes below the first tier as well is listed there. */
function changesWithinTiers(before: Terms, after: Terms, creator: RatedCreator): readonly ChangeForCreator[] {
  const keyOf = (one: TermsChange): string => JSON.stringify([one.field, one.productId, one.priceId, one.before, one.after]);
  const listed = new Set(rateChanges(before, after, creator).map(keyOf));
  const found = (before.rates.tiers?.tiers ?? []).flatMap((_tier, index) =>
    rateChanges(before, after, creator, { before: index + 1, after: index + 1 }),
  );
  return [...new Map(found.map((one) => [keyOf(one), one])).values()].filter((one) => !listed.has(keyOf(one)));
}

const areComparable = (one: TierTerms, other: TierTerms): boolean =>
  one.measure === other.measure &&
  one.period === other.period &&
  one.timeZone === other.timeZone &&
  one.tiers.map(({ threshold }) => threshold).join() === other.tiers.map(({ threshold }) => threshold).join();

/**
 * New terms, their acceptance and their cancellation, implemented independently from decision 0127 for the model of test/model/model.ts:
 * worse terms are found by computing orders under both.
 */
import { day, inForce, type Books } from './model-books.ts';
import { canonical, choose, levelsFor } from './model-earning.ts';
import { monthsOf, shareOf, subscriptionRule, type Compared } from './rates.ts';
import { budgetLimits, groups, type Group, type Owner, type SubscriptionRule, type TermsVariant } from './terms.ts';

/** What the service did with new terms. */
export type CameTerms =
  | { readonly do: 'added'; readonly from: number; readonly isAnnounced: boolean }
  | { readonly do: 'refused'; readonly because: 'conflict' | 'notice' };

type NewTerms = { readonly next: TermsVariant; readonly requested: number | null; readonly at: number };

/** Returns what is not as promised, or null. The service decides that terms are worse; the model finds whether it overlooked a loss. */
export function addTerms(books: Books, { next, requested, at }: NewTerms, came: CameTerms): string | null {
  const before = inForce(books, at);
  const promised = before.notice_days;
  const isBlocked =
    (next.notice_days ?? promised) !== undefined && books.versions.some(({ from, canceledAt }) => from > at && canceledAt === null);
  const earliest = at + (promised ?? 0) * day;
  if (came.do === 'refused') {
    books.tally(`new terms refused: ${came.because}`);
    if (came.because === 'conflict') return isBlocked ? null : 'new terms were refused with a conflict, but none are scheduled';
    const isEarly = promised !== undefined && requested !== null && requested < earliest;
    if (!isEarly) return 'new terms were refused, but they are not too early';
    return isEqual(before, next) ? 'equal terms were refused as worse' : null;
  }
  if (isBlocked) return 'new terms were added while others are scheduled';
  const { from, isAnnounced } = came;
  books.versions.push({ ...next, from, number: books.versions.length + 1, isAnnounced, canceledAt: null });
  if (promised === undefined) return isAnnounced || from !== (requested ?? at) ? 'terms without a promise do not start as requested' : null;
  books.tally(isAnnounced ? 'new terms: announced' : 'new terms: immediate in spite of a promise');
  if (isAnnounced) {
    if (from !== (requested ?? earliest) || from < earliest) return `announced terms start at ${from}, not at ${earliest} or later`;
    return isEqual(before, next) ? 'equal terms were announced' : null;
  }
  if (from !== (requested ?? at)) return 'better terms do not start as requested';
  const loss = lossIn(books, before, { next, at });
  return loss === null ? null : `worse terms were not announced: ${loss}`;
}

const rulesOf = ({
  pays,
  order_rules,
  subscription_rules,
  leads,
  own_rates,
  tiers,
  budget,
  codes,
  returning,
  goals,
  notice_days,
}: TermsVariant) =>
  canonical({ pays, order_rules, subscription_rules, leads, own_rates, tiers, budget, codes, returning, goals, notice_days });
const isEqual = (one: TermsVariant, other: TermsVariant): boolean => rulesOf(one) === rulesOf(other);

type Changing = { readonly next: TermsVariant; readonly at: number };

/** Something that a creator can earn less by, in words. */
function lossIn(books: Books, before: TermsVariant, { next, at }: Changing): string | null {
  return lossOfAll(before, next) ?? lossOfRates(books, before, { next, at });
}

/** What is the same for all creators. */
function lossOfAll(before: TermsVariant, next: TermsVariant): string | null {
  const most = (value: number | null | undefined): number => value ?? Number.POSITIVE_INFINITY;
  for (const { kind, flat_cents: amount, max_per_month: max } of before.leads) {
    const after = next.leads.find((one) => one.kind === kind);
    if (amount > 0 && ((after?.flat_cents ?? 0) < amount || most(after?.max_per_month) < most(max))) return `lead ${kind}`;
  }
  for (const { orders, period, amount_cents: amount } of before.goals ?? []) {
    const after = next.goals?.find((one) => one.orders === orders && one.period === period);
    if ((after?.amount_cents ?? 0) < amount) return `goal ${period} ${orders}`;
  }
  for (const limit of budgetLimits)
    if (most(next.budget?.[`${limit}_cents`]) < most(before.budget?.[`${limit}_cents`])) return `budget ${limit}`;
  if ((next.notice_days ?? 0) < (before.notice_days ?? 0)) return 'notice';
  if (before.codes !== next.codes && (next.codes === 'off' || [before.codes, next.codes].includes('before_click'))) return 'codes';
  const [former, later] = [before.returning, next.returning];
  // A code that counts takes orders of a customer who would have returned to another creator.
  if (before.codes !== next.codes && former !== null && later !== null) return 'codes, for returning customers';
  if (former === null) return later?.new_click === 'first_partner' ? 'first partners' : null;
  if (later === null || later.days < former.days || most(later.orders) < most(former.orders)) return 'returning customers';
  if (later.new_click !== former.new_click) return 'first partners';
  const isLonger = later.days > former.days || most(later.orders) > most(former.orders);
  return later.new_click === 'first_partner' && isLonger ? 'longer for first partners' : null;
}

type Creator = { readonly owner: Owner | null; readonly group: Group | null };
const soldProducts = ['a', 'b', 'shirt-red', 'shirt-blue', 'other'];
const amounts = [499, 4_900, 123_457];
const comparedOrders: readonly Compared[] = amounts.flatMap((eligible) =>
  (['new', 'known', 'unnamed'] as const).flatMap((customer) => [null, 'US', 'DE'].map((country) => ({ eligible, customer, country }))),
);

type Sold = { readonly product: string; readonly compared: Compared };
const soldOrders: readonly Sold[] = soldProducts.flatMap((product) => comparedOrders.map((compared) => ({ product, compared })));

function lossOfRates(books: Books, before: TermsVariant, { next, at }: Changing): string | null {
  const groupOf = (owner: Owner): Group | null => books.moves.filter((move) => move.owner === owner && move.at <= at).at(-1)?.to ?? null;
  const creators: readonly Creator[] = [
    { owner: null, group: null },
    ...groups.map((group) => ({ owner: null, group })),
    { owner: 'ada', group: groupOf('ada') },
    { owner: 'ben', group: groupOf('ben') },
  ];
  const cases = creators.flatMap((creator) => tierPairs(before, next).map((tiers) => ({ creator, tiers })));
  for (const { creator, tiers } of cases) {
    const [one, other] = tiers;
    const former = { terms: before, levels: levelsOf(before, creator, one) };
    const loss = lossAt(former, { terms: next, levels: levelsOf(next, creator, other) });
    if (loss !== null) return `${loss} ${JSON.stringify({ creator, tiers })}`;
  }
  return null;
}

type Rated = { readonly terms: TermsVariant; readonly levels: Levels };

/** Of one creator in one tier. */
function lossAt(former: Rated, later: Rated): string | null {
  const order = soldOrders.find((sold) => earnedBy(later, sold) < earnedBy(former, sold));
  if (order !== undefined) return `order ${JSON.stringify(order)}`;
  const plan = subscribed.find(([product, price]) => isLess(firstOf(former.levels, product, price), firstOf(later.levels, product, price)));
  return plan === undefined ? null : `subscription ${JSON.stringify(plan)}`;
}

/** The tiers of creators with the same number before and after. What is counted in another way cannot be compared. */
function tierPairs({ tiers: before }: TermsVariant, { tiers: next }: TermsVariant): ReadonlyArray<readonly [number, number]> {
  const isSameFigure = before?.measure === next?.measure && before?.period === next?.period && before?.time_zone === next?.time_zone;
  if (before !== undefined && next !== undefined && !isSameFigure) return [[0, 0]];
  const thresholds = [before, next].flatMap((tiers) => tiers?.tiers.map(({ threshold }) => threshold) ?? []);
  const numberAt = (tiers: TermsVariant['tiers'], figure: number) =>
    tiers?.tiers.filter(({ threshold }) => threshold <= figure).length ?? 0;
  return [0, ...thresholds].map((figure) => [numberAt(before, figure), numberAt(next, figure)]);
}

type Levels = ReturnType<typeof levelsFor>;

function levelsOf(terms: TermsVariant, { owner, group }: Creator, tier: number): Levels {
  const of = terms.tiers?.tiers[tier - 1];
  return levelsFor(terms, { owner, group, tier: of === undefined ? null : { ...of, level: 'tier', subject: {} } });
}

function earnedBy({ terms, levels }: Rated, { product, compared }: Sold): number {
  const { applied } = choose(levels, terms.pays === 'order' ? null : product, compared);
  return applied === null ? 0 : shareOf(applied.rule, { amount: compared.eligible, quantity: 1 });
}

const subscribed = ['basic', 'pro', 'team'].flatMap((product) => ['monthly', 'yearly', null].map((price) => [product, price] as const));

function firstOf(levels: Levels, product: string, price: string | null): SubscriptionRule | null {
  for (const { subscription_rules: rules } of levels) {
    const rule = subscriptionRule(rules, product, price);
    if (rule !== null) return rule;
  }
  return null;
}

function isLess(former: SubscriptionRule | null, later: SubscriptionRule | null): boolean {
  const earned = (rule: SubscriptionRule | null, amount: number) => (rule === null ? 0 : shareOf(rule, { amount, quantity: 1 }));
  if (former === null || earned(former, 123_457) === 0) return false;
  const most = (value: number | null | undefined): number => value ?? Number.POSITIVE_INFINITY;
  return (
    later === null ||
    amounts.some((amount) => earned(later, amount) < earned(former, amount)) ||
    most(later.max_invoices) < most(former.max_invoices) ||
    most(monthsOf(later)) < most(monthsOf(former))
  );
}

/** A repeated acceptance keeps the time of the first one. Returns the expected status. */
export function accept(books: Books, { owner, version: number, at }: { owner: Owner; version: number; at: number }): 200 | 409 {
  if (books.acceptances.some((one) => one.owner === owner && one.version === number)) return 200;
  const version = books.versions.find((one) => one.number === number);
  const isOpen = version?.isAnnounced === true && version.canceledAt === null && version.from > at;
  if (isOpen) books.acceptances.push({ owner, version: number, at });
  books.tally(`acceptance: ${isOpen ? 'accepted' : 'refused'}`);
  return isOpen ? 200 : 409;
}

/** Returns the expected status. */
export function cancel(books: Books, { version: number, at }: { version: number; at: number }): 200 | 409 {
  const version = books.versions.find((one) => one.number === number);
  if (version === undefined) throw new Error('histories cancel versions that exist');
  if (version.canceledAt !== null) return 200;
  if (version.from <= at) return 409;
  version.canceledAt = at;
  books.tally(version.isAnnounced ? 'canceled: announced' : 'canceled: scheduled');
  return 200;
}

import { apiMessage } from '../messages/api-message.ts';
import { publicId } from '../core/ids.ts';
import { dollars, noCents } from '../core/money.ts';
import { ruleFor, sameRates, type LeadRule, type OwnRates, type Rate, type Returning, type SubscriptionRule, type Terms } from './terms.ts';

/** What a change means for the creators of a program. `depends`: better for some orders or creators, and worse for others. */
export const changeEffects = ['better', 'worse', 'depends'] as const;
export type ChangeEffect = (typeof changeEffects)[number];

export const changedFields = [
  'pays',
  'order_rule',
  'subscription_rule',
  'own_rates',
  'lead_rule',
  'attribution_days',
  'hold_days',
  'approval',
  'codes',
  'returning',
] as const;

export type TermsChange = {
  readonly field: (typeof changedFields)[number];
  /** Of a rule for orders or subscriptions; null for all others. */
  readonly productId: string | null;
  readonly priceId: string | null;
  /** Of a rule for leads. */
  readonly leadKind: string | null;
  /** Of own rates: the group or the membership. */
  readonly ownerId: string | null;
  readonly before: string;
  readonly after: string;
  readonly effect: ChangeEffect;
};

/** Whether all changes together are better or worse. Null: nothing changed. */
export function overallEffect(changes: readonly TermsChange[]): ChangeEffect | null {
  const effects = new Set(changes.map(({ effect }) => effect));
  const [only = null] = effects;
  return effects.size > 1 ? 'depends' : only;
}

/**
 * What changes between two versions. Rules are compared by what they give: for each product that either version names, and for all
 * others, the rate before and after. So a removed rule that equals the general one changes nothing. Before the first version nothing earns.
 */
export function decideTermsChanges(before: Terms | null, after: Terms): readonly TermsChange[] {
  const former = before ?? {
    ...after,
    orderRules: [],
    subscriptionRules: [],
    attribution: { ...after.attribution, leads: [] },
    rates: sameRates,
  };
  return [
    ...change('pays', { before: paysText(former), after: paysText(after) }, 'depends'),
    ...orderChanges(former, after),
    ...subscriptionChanges(former, after),
    ...ownRatesChanges(former, after),
    ...leadChanges(former, after),
    ...change(
      'attribution_days',
      { before: days(former.attributionDays), after: days(after.attributionDays) },
      more(former.attributionDays, after.attributionDays),
    ),
    ...change('hold_days', { before: days(former.holdDays), after: days(after.holdDays) }, more(after.holdDays, former.holdDays)),
    ...change('approval', { before: approvalText(former), after: approvalText(after) }, more(approvalDays(after), approvalDays(former))),
    ...change('codes', { before: codesText(former), after: codesText(after) }, codesEffect(former, after)),
    ...change(
      'returning',
      { before: returningText(former), after: returningText(after) },
      returningEffect(former.attribution.returning, after.attribution.returning),
    ),
  ];
}

type Subject = Partial<Pick<TermsChange, 'productId' | 'priceId' | 'leadKind' | 'ownerId'>>;

/** Effects are compared only if the texts differ. */
const change = (
  field: TermsChange['field'],
  { before, after }: Pick<TermsChange, 'before' | 'after'>,
  effect: ChangeEffect | null,
  { productId = null, priceId = null, leadKind = null, ownerId = null }: Subject = {},
): readonly TermsChange[] =>
  before === after ? [] : [{ field, productId, priceId, leadKind, ownerId, before, after, effect: effect ?? 'depends' }];

/** Null: equal. */
const more = <Value extends number | bigint>(before: Value, after: Value): ChangeEffect | null =>
  after === before ? null : after > before ? 'better' : 'worse';

function orderChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const products = new Set([null, ...[...before.orderRules, ...after.orderRules].map(({ productId }) => productId)]);
  return [...products].flatMap((productId) => {
    const [one, other] = [ruleFor(before, { productId })?.rate ?? null, ruleFor(after, { productId })?.rate ?? null];
    return change('order_rule', { before: rateText(one), after: rateText(other) }, rateEffect(one, other), { productId });
  });
}

type SubscriptionSubject = Pick<SubscriptionRule, 'productId' | 'priceId'>;

function subscriptionChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const all: readonly SubscriptionSubject[] = [{ productId: null, priceId: null }, ...before.subscriptionRules, ...after.subscriptionRules];
  const subjects = new Map(all.map(({ productId, priceId }) => [JSON.stringify([productId, priceId]), { productId, priceId }]));
  return [...subjects.values()].flatMap((subject) => {
    const [one, other] = [effectiveRule(before, subject), effectiveRule(after, subject)];
    return change(
      'subscription_rule',
      { before: subscriptionText(one), after: subscriptionText(other) },
      subscriptionEffect(one, other),
      subject,
    );
  });
}

/** The order of `subscriptionRuleFor`, also for a subject without a product. */
function effectiveRule({ subscriptionRules }: Terms, { productId, priceId }: SubscriptionSubject): SubscriptionRule | null {
  const matching = subscriptionRules.filter(
    (rule) => (rule.productId === null || rule.productId === productId) && (rule.priceId === null || rule.priceId === priceId),
  );
  const rank = (rule: SubscriptionRule): number => (rule.productId === null ? 0 : 2) + (rule.priceId === null ? 0 : 1);
  return matching.reduce<SubscriptionRule | null>((best, rule) => (best === null || rank(rule) > rank(best) ? rule : best), null);
}

/** Whether another list of rates is better depends on the products of the creator's orders. */
function ownRatesChanges(before: Terms, after: Terms): readonly TermsChange[] {
  const owners = new Set([...before.rates.own, ...after.rates.own].map(ownerOf));
  return [...owners].flatMap((ownerId) => {
    const [one, other] = [before, after].map(({ rates }) => rates.own.find((own) => ownerOf(own) === ownerId) ?? null);
    return change('own_rates', { before: ownRatesText(one ?? null), after: ownRatesText(other ?? null) }, 'depends', { ownerId });
  });
}

const ownerOf = ({ subject }: OwnRates): string =>
  subject.is === 'group' ? publicId('grp', subject.groupId) : publicId('mem', subject.memberId);

function ownRatesText(own: OwnRates | null): string {
  if (own === null) return apiMessage('terms_changes.no_own_rates');
  const named = (names: ReadonlyArray<string | null>, text: string) => [...names.filter((name) => name !== null), text].join(' ');
  return [
    ...own.orderRules.map(({ productId, rate }) => named([productId], rateText(rate))),
    ...own.subscriptionRules.map((rule) => named([rule.productId, rule.priceId], subscriptionText(rule))),
  ].join('; ');
}

function leadChanges({ attribution: before }: Terms, { attribution: after }: Terms): readonly TermsChange[] {
  const kinds = new Set([...before.leads, ...after.leads].map(({ kind }) => kind));
  return [...kinds].flatMap((leadKind) => {
    const ofKind = ({ kind }: LeadRule): boolean => kind === leadKind;
    const [one, other] = [before.leads.find(ofKind) ?? null, after.leads.find(ofKind) ?? null];
    return change('lead_rule', { before: leadText(one), after: leadText(other) }, leadEffect(one, other), { leadKind });
  });
}

function leadEffect(before: LeadRule | null, after: LeadRule | null): ChangeEffect | null {
  const amount = more(before?.amount ?? noCents, after?.amount ?? noCents);
  if (before === null || after === null) return amount;
  return together([amount, more(before.perMonthMax ?? Number.POSITIVE_INFINITY, after.perMonthMax ?? Number.POSITIVE_INFINITY)]);
}

function leadText(rule: LeadRule | null): string {
  if (rule === null) return nothing;
  const { amount, perMonthMax } = rule;
  const limit =
    perMonthMax === null ? apiMessage('terms_changes.no_limit') : apiMessage('terms_changes.leads_a_month', { count: perMonthMax });
  return `${dollars(amount)}, ${limit}`;
}

/** Without a rule nothing is earned, which is a rate of 0 of either kind. */
function rateEffect(before: Rate | null, after: Rate | null): ChangeEffect | null {
  const [one, other] = [amountOf(before), amountOf(after)];
  if (one === 0n || other === 0n || before?.is === after?.is) return more(one, other);
  return 'depends';
}

const amountOf = (rate: Rate | null): bigint => (rate === null ? 0n : rate.is === 'share' ? BigInt(rate.basisPoints) : rate.cents);

function subscriptionEffect(before: SubscriptionRule | null, after: SubscriptionRule | null): ChangeEffect | null {
  const rate = rateEffect(before?.rate ?? null, after?.rate ?? null);
  if (before === null || after === null) return rate;
  const limit = (most: number | null): number => most ?? Number.POSITIVE_INFINITY;
  return together([rate, more(limit(before.maxInvoices), limit(after.maxInvoices)), more(limit(before.maxMonths), limit(after.maxMonths))]);
}

/** One direction, or it depends. */
function together(effects: ReadonlyArray<ChangeEffect | null>): ChangeEffect | null {
  const found = new Set(effects.filter((effect) => effect !== null));
  const [only = null] = found;
  return found.size > 1 ? 'depends' : only;
}

/** A code before a click takes orders from the creator of the click. */
function codesEffect({ attribution: { codes: before } }: Terms, { attribution: { codes: after } }: Terms): ChangeEffect {
  if (before === 'before_click' || after === 'before_click') return 'depends';
  return after === 'off' ? 'worse' : 'better';
}

/** `first_partner` gives orders of a new click to another creator. */
function returningEffect(before: Returning | null, after: Returning | null): ChangeEffect | null {
  if ((before?.newClick ?? after?.newClick) !== (after?.newClick ?? before?.newClick)) return 'depends';
  if (before === null || after === null) {
    if ((before ?? after)?.newClick === 'first_partner') return 'depends';
    return before === null ? 'better' : 'worse';
  }
  const limit = (most: number | null): number => most ?? Number.POSITIVE_INFINITY;
  return together([more(before.days, after.days), more(limit(before.ordersMax), limit(after.ordersMax))]);
}

const days = (count: number): string => apiMessage('terms_changes.days', { count });
const paysText = ({ pays }: Terms): string => apiMessage(pays === 'order' ? 'terms_changes.pays_order' : 'terms_changes.pays_product');
const nothing = apiMessage('terms_changes.nothing');

function rateText(rate: Rate | null): string {
  if (rate === null) return nothing;
  return rate.is === 'share' ? `${rate.basisPoints / 100}%` : dollars(rate.cents);
}

function subscriptionText(rule: SubscriptionRule | null): string {
  if (rule === null) return nothing;
  const { rate, maxInvoices, maxMonths } = rule;
  const limits = [
    ...(maxInvoices === null ? [] : [apiMessage('terms_changes.invoices', { count: maxInvoices })]),
    ...(maxMonths === null ? [] : [apiMessage('terms_changes.months', { count: maxMonths })]),
  ];
  return apiMessage('terms_changes.per_invoice', {
    rate: rateText(rate),
    limits: limits.join(', ') || apiMessage('terms_changes.no_limit'),
  });
}

/** By hand takes the longest. */
const approvalDays = ({ approval }: Terms): number => (approval.by === 'time' ? approval.afterDays : Number.POSITIVE_INFINITY);

const approvalText = ({ approval }: Terms): string =>
  approval.by === 'time'
    ? apiMessage('terms_changes.approval_auto', { count: approval.afterDays })
    : apiMessage('terms_changes.approval_manual');

const codesTexts = {
  off: apiMessage('terms_changes.codes_off'),
  when_no_click: apiMessage('terms_changes.codes_when_no_click'),
  before_click: apiMessage('terms_changes.codes_before_click'),
} as const;
const codesText = ({ attribution: { codes } }: Terms): string => codesTexts[codes];

function returningText({ attribution: { returning } }: Terms): string {
  if (returning === null) return apiMessage('terms_changes.returning_off');
  const facts = {
    days: days(returning.days),
    orders:
      returning.ordersMax === null
        ? apiMessage('terms_changes.no_limit')
        : apiMessage('terms_changes.orders', { count: returning.ordersMax }),
  };
  return returning.newClick === 'last_click'
    ? apiMessage('terms_changes.returning_last_click', facts)
    : apiMessage('terms_changes.returning_first_partner', facts);
}

const labels = {
  pays: apiMessage('terms_changes.label_pays'),
  order_rule: apiMessage('terms_changes.label_order_rule'),
  subscription_rule: apiMessage('terms_changes.label_subscription_rule'),
  own_rates: apiMessage('terms_changes.label_own_rates'),
  lead_rule: apiMessage('terms_changes.label_lead_rule'),
  attribution_days: apiMessage('terms_changes.label_attribution_days'),
  hold_days: apiMessage('terms_changes.label_hold_days'),
  approval: apiMessage('terms_changes.label_approval'),
  codes: apiMessage('terms_changes.label_codes'),
  returning: apiMessage('terms_changes.label_returning'),
} as const satisfies Readonly<Record<TermsChange['field'], string>>;

/** One sentence, such as: Commission of one-time orders of mug: 10%, before: 15%. */
export function describeChange({ field, productId, priceId, leadKind, ownerId, before, after }: TermsChange): string {
  const price = priceId === null ? null : apiMessage('terms_changes.price', { price: priceId });
  const named = [productId, price, leadKind, ownerId].filter((name) => name !== null).join(', ');
  const subject = named === '' ? labels[field] : apiMessage('terms_changes.of_product', { label: labels[field], product: named });
  return apiMessage('terms_changes.change', { subject, before, after });
}

import type { Goal } from './goals.ts';
import type { Id } from '../core/ids.ts';
import type { BasisPoints, Cents } from '../core/money.ts';
import type { RuleConditions } from './rule-conditions.ts';

/** A share of the eligible amount, or a flat amount in cents. */
export type Rate = { readonly is: 'share'; readonly basisPoints: BasisPoints } | { readonly is: 'flat'; readonly cents: Cents };

/** Null matches all products. A rule whose conditions do not hold for an order is skipped. */
export type OrderRule = { readonly productId: string | null; readonly rate: Rate; readonly conditions?: RuleConditions };

/** The rate applies to each paid invoice; null months or invoices set no limit. */
export type SubscriptionRule = {
  readonly productId: string | null;
  readonly priceId: string | null;
  readonly rate: Rate;
  readonly maxInvoices: number | null;
  readonly maxMonths: number | null;
};

export type Approval = { readonly by: 'hand' } | { readonly by: 'time'; readonly afterDays: number };

/** The longest attribution window that a program may have. */
export const attributionDaysMax = 365;

/** A program's settings; a new version copies them. */
export type TermsSettings = { readonly attributionDays: number; readonly holdDays: number; readonly approval: Approval };

/** Whether a discount code can earn: never, for an order without a click that counts, or before a click of another creator. */
export const codesModes = ['off', 'when_no_click', 'before_click'] as const;
export type CodesMode = (typeof codesModes)[number];

/** Which creator earns if another creator brings a customer back: the creator of the new click or code, or the customer's first one. */
export const newClickRules = ['last_click', 'first_partner'] as const;

/** Later orders of a customer without a click or code earn for this long, and at most for so many orders. */
export type Returning = {
  readonly days: number;
  /** Null: no limit. */
  readonly ordersMax: number | null;
  readonly newClick: (typeof newClickRules)[number];
};

/** What a lead of a kind earns. */
export type LeadRule = {
  readonly kind: string;
  readonly amount: Cents;
  /** How many leads of the kind a creator is paid for in a month (UTC); null for no limit. */
  readonly perMonthMax: number | null;
};

/** What can earn besides the click of an order. */
export type AttributionTerms = {
  readonly codes: CodesMode;
  readonly returning: Returning | null;
  readonly leads: readonly LeadRule[];
};
export const clicksOnly: AttributionTerms = { codes: 'off', returning: null, leads: [] };

/** A group of a program's members, or one membership. */
export type RateSubject = { readonly is: 'group'; readonly groupId: Id<'grp'> } | { readonly is: 'member'; readonly memberId: Id<'mem'> };

/** Rules that precede the program's for a group or a membership. */
export type OwnRates = {
  readonly subject: RateSubject;
  readonly orderRules: readonly OrderRule[];
  readonly subscriptionRules: readonly SubscriptionRule[];
};

/** What of a creator's is counted for tiers: approved commissions of orders and subscription invoices, or what these were earned on. */
export const tierMeasures = ['approved_commissions', 'approved_revenue'] as const;
/** A calendar month, or the last days with the present one. */
export const tierPeriods = ['month', 'days_30', 'days_90'] as const;

/** Rules that precede the program's for creators who have reached a number: of commissions, or of cents. */
export type Tier = {
  readonly threshold: bigint;
  readonly orderRules: readonly OrderRule[];
  readonly subscriptionRules: readonly SubscriptionRule[];
};

/** Tiers with ascending thresholds. A period begins at midnight of the time zone. */
export type TierTerms = {
  readonly measure: (typeof tierMeasures)[number];
  readonly period: (typeof tierPeriods)[number];
  readonly timeZone: string;
  readonly tiers: readonly Tier[];
};

/** What differs between the creators of a program. */
export type RateTerms = { readonly own: readonly OwnRates[]; readonly tiers: TierTerms | null };
export const sameRates: RateTerms = { own: [], tiers: null };

/** The most that orders may earn; null for no limit. Months are in UTC. */
export type Budget = {
  readonly programMonth: Cents | null;
  readonly programTotal: Cents | null;
  readonly creatorMonth: Cents | null;
  readonly creatorTotal: Cents | null;
};

export type TermsRules = {
  readonly pays: 'order' | 'product';
  readonly orderRules: readonly OrderRule[];
  readonly subscriptionRules: readonly SubscriptionRule[];
  readonly attribution: AttributionTerms;
  readonly rates: RateTerms;
  /** Absent: no limit. */
  readonly budget?: Budget;
  /** The notice that creators get of worse terms while this version is in force. Absent: none. */
  readonly noticeDays?: number;
  /** For so long after its start, orders whose click came before it keep the former version. Absent: they do not. */
  readonly protectClickDays?: number;
  /** Absent: none. */
  readonly goals?: readonly Goal[];
};

/** One version of a program's terms. Versions are only ever added, and can be canceled until they start. */
export type Terms = TermsSettings &
  TermsRules & {
    readonly version: number;
    readonly effectiveFrom: Date;
    readonly madeAt: Date;
    /** The creators are informed of it, and each may accept it before its start. */
    readonly isAnnounced?: true;
    readonly canceledAt?: Date;
  };

/**
 * The terms at a moment: the version with the latest start time by then; of two with the same start time, the later-created one. Before the
 * first version, its window and hold apply without any rules. Null if there is no version.
 */
export function termsInForce(versions: readonly Terms[], at: Date): Terms | null {
  const started = versions.filter(({ effectiveFrom, canceledAt }) => effectiveFrom <= at && canceledAt === undefined);
  if (started.length > 0) return started.reduce(later);
  const first = applicableVersions(versions)[0];
  return first === undefined ? null : { ...first, orderRules: [], subscriptionRules: [], attribution: clicksOnly, rates: sameRates };
}

/** Removes versions that never apply: canceled ones, and those where a later-created one has the same start time. Sorted by time. */
export function applicableVersions(versions: readonly Terms[]): readonly Terms[] {
  const byStart = new Map<number, Terms>();
  for (const terms of versions) {
    if (terms.canceledAt !== undefined) continue;
    const time = terms.effectiveFrom.getTime();
    byStart.set(time, later(byStart.get(time) ?? terms, terms));
  }
  return [...byStart.values()].sort((one, other) => one.effectiveFrom.getTime() - other.effectiveFrom.getTime());
}

function later(one: Terms, other: Terms): Terms {
  const apartMs = other.effectiveFrom.getTime() - one.effectiveFrom.getTime();
  return apartMs > 0 || (apartMs === 0 && other.version > one.version) ? other : one;
}

export type OrderItem = { readonly productId: string | null };

/** Of rules without conditions: prefers the rule of the product to the rule for all. Null: no commission. */
export function ruleFor({ orderRules }: Pick<TermsRules, 'orderRules'>, { productId }: OrderItem): OrderRule | null {
  return (
    orderRules.find((rule) => rule.productId !== null && rule.productId === productId) ??
    orderRules.find((rule) => rule.productId === null) ??
    null
  );
}

export type Subscribed = { readonly productId: string; readonly priceId: string | null };

/** Returns the first match of: product and price, product, price, all. A rule with a price does not match an order without one. */
export function subscriptionRuleFor(
  { subscriptionRules }: Pick<TermsRules, 'subscriptionRules'>,
  { productId, priceId }: Subscribed,
): SubscriptionRule | null {
  const matching = subscriptionRules.filter(
    (rule) => (rule.productId === null || rule.productId === productId) && (rule.priceId === null || rule.priceId === priceId),
  );
  return (
    matching.find((rule) => rule.productId !== null && rule.priceId !== null) ??
    matching.find((rule) => rule.productId !== null) ??
    matching.find((rule) => rule.priceId !== null) ??
    matching[0] ??
    null
  );
}

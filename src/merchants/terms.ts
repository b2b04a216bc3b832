import type { BasisPoints, Cents } from '../platform/money.ts';

/** What is paid: a share of the eligible amount, or so many cents. */
export type Rate = { readonly is: 'share'; readonly basisPoints: BasisPoints } | { readonly is: 'flat'; readonly cents: Cents };

/** Null names all products. */
export type OrderRule = { readonly productId: string | null; readonly rate: Rate };

/** The rate is per paid invoice; null months or invoices: no end by them. */
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

/** What a program's terms are besides their rules; the next version takes it over. */
export type TermsSettings = { readonly attributionDays: number; readonly holdDays: number; readonly approval: Approval };

export type TermsRules = {
  readonly pays: 'order' | 'product';
  readonly orderRules: readonly OrderRule[];
  readonly subscriptionRules: readonly SubscriptionRule[];
};

/** One version of a program's terms. Versions are only ever added. */
export type Terms = TermsSettings & TermsRules & { readonly version: number; readonly effectiveFrom: Date; readonly madeAt: Date };

/**
 * The terms that hold at a moment: the latest that had begun by then, and of two with the same time the later made.
 * Before the first one its window and hold are what holds, and nothing is earned. Null where there is no version at all.
 */
export function termsInForce(versions: readonly Terms[], at: Date): Terms | null {
  const begun = versions.filter(({ effectiveFrom }) => effectiveFrom <= at);
  if (begun.length > 0) return begun.reduce(later);
  const first = standingVersions(versions)[0];
  return first === undefined ? null : { ...first, orderRules: [], subscriptionRules: [] };
}

/** Of versions with the same time only the later made ever holds. Sorted by time. */
export function standingVersions(versions: readonly Terms[]): readonly Terms[] {
  const standing = new Map<number, Terms>();
  for (const terms of versions) {
    const time = terms.effectiveFrom.getTime();
    standing.set(time, later(standing.get(time) ?? terms, terms));
  }
  return [...standing.values()].sort((one, other) => one.effectiveFrom.getTime() - other.effectiveFrom.getTime());
}

function later(one: Terms, other: Terms): Terms {
  const apartMs = other.effectiveFrom.getTime() - one.effectiveFrom.getTime();
  return apartMs > 0 || (apartMs === 0 && other.version > one.version) ? other : one;
}

type OrderItem = { readonly productId: string | null };

/** The product's own rule before the one for all. Null: nothing is earned. */
export function ruleFor({ orderRules }: TermsRules, { productId }: OrderItem): OrderRule | null {
  return (
    orderRules.find((rule) => rule.productId !== null && rule.productId === productId) ??
    orderRules.find((rule) => rule.productId === null) ??
    null
  );
}

type Subscribed = { readonly productId: string; readonly priceId: string | null };

/** Product and price, product, price, all: the first that there is. A rule that names a price does not meet an unnamed one. */
export function subscriptionRuleFor({ subscriptionRules }: TermsRules, { productId, priceId }: Subscribed): SubscriptionRule | null {
  const meeting = subscriptionRules.filter(
    (rule) => (rule.productId === null || rule.productId === productId) && (rule.priceId === null || rule.priceId === priceId),
  );
  return (
    meeting.find((rule) => rule.productId !== null && rule.priceId !== null) ??
    meeting.find((rule) => rule.productId !== null) ??
    meeting.find((rule) => rule.priceId !== null) ??
    meeting[0] ??
    null
  );
}

import { precedesClick } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { subscriptionRuleFor, type Terms } from '../merchants/terms.ts';
import type { Id } from '../platform/ids.ts';
import { plusDays } from '../platform/time.ts';
import { decideAgain, eventTime, recorded, refuse, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Claim, Plan, Product, Relationship, RelationshipKey } from './relationship.ts';
import type { BindReport } from './report.ts';
import { amountToJson } from '../platform/money.ts';

export type BindFacts = {
  readonly now: Date;
  readonly key: RelationshipKey;
  readonly earlier: EarlierEvent | null;
  /** Null: forged, unknown, or another store's. */
  readonly click: BoundClick | null;
  /** The relationship that was bound under this id before. */
  readonly before: Relationship | null;
  readonly fresh: { readonly bindingId: Id<'bind'>; readonly eventId: Id<'evt'> };
};

export type BoundClick =
  | {
      readonly kind: 'referral';
      readonly clickId: Id<'click'>;
      readonly at: Date;
      readonly linkNumber: bigint;
      readonly programId: Id<'prog'>;
      readonly creatorId: Id<'crt'>;
      /** In force when it was bound. Null: the history cannot be read. */
      readonly terms: Terms | null;
    }
  | { readonly kind: 'test'; readonly clickId: Id<'click'>; readonly at: Date; readonly expiresAt: Date };

export type BindDecision =
  | { readonly do: 'bind'; readonly relationship: Relationship; readonly answer: Answer; readonly why: Why }
  /** Another event, the same bind: it is kept too, with the answer of the first. */
  | { readonly do: 'bound before'; readonly answer: Answer; readonly why: Why }
  | Repeated
  | Refused;

/** The whole law of binding a subscription to its click, in the order of the contract's table. */
export function decideBind(report: BindReport, facts: BindFacts): BindDecision {
  const { earlier, click, before, now } = facts;
  if (earlier) return decideAgain(earlier);
  if (report.currency !== 'USD') return refuse('unsupported_pricing_currency', { currency: report.currency });
  const boundAt = eventTime(report.occurredAt, now);
  if (!(boundAt instanceof Date)) return boundAt;
  if (click === null) return refuse('unknown_referral_click', {});
  if (environmentOf(click) !== report.environment) return refuse('environment_mismatch', { environment: environmentOf(click) });
  if (click.kind === 'test' && click.expiresAt <= now) return refuse('test_link_expired', { expires_at: click.expiresAt.toISOString() });
  if (before && isSameBind(report, click, before)) return { do: 'bound before', answer: answerOf(before), why: firstBound(before) };
  if (before) return refuse('duplicate_relationship_conflict', firstBound(before));

  const terms = click.kind === 'referral' ? click.terms : null;
  const times = { occurred_at: boundAt.toISOString(), clicked_at: click.at.toISOString() };
  if (click.kind === 'referral' && terms === null) return refuse('pricing_history_unavailable', times);
  const compared = { ...times, ...(terms && { attribution_days: terms.attributionDays, terms_version: terms.version }) };
  if (precedesClick(boundAt, click.at)) return refuse('order_precedes_click', compared);
  if (terms && boundAt > plusDays(click.at, terms.attributionDays)) return refuse('attribution_window_expired', compared);
  return bind(report, facts, { boundAt, claim: claimOf(report, click, terms), clickId: click.clickId, why: compared });
}

const environmentOf = ({ kind }: BoundClick) => (kind === 'test' ? 'test' : 'live');
const firstBound = ({ recordedAt }: Relationship): Why => ({ first_recorded_at: recordedAt.toISOString() });

/** Compared with what was bound first, also where a review has moved it since. */
function isSameBind({ product }: BindReport, { clickId, kind }: BoundClick, { firstBound: first, ...before }: Relationship): boolean {
  const isSameKind = before.claim.environment === (kind === 'test' ? 'test' : 'live');
  return isSameKind && before.clickId === clickId && isSame(product, first);
}

const isSame = (one: Product, other: Product): boolean => one.productId === other.productId && one.priceId === other.priceId;

/** Bound without a rule is bound all the same, and says so. */
function answerOf({ claim, bindingId, bindEventId }: Pick<Relationship, 'claim' | 'bindingId' | 'bindEventId'>): Answer {
  const hasNoRule = claim.environment === 'live' && claim.plan === null;
  return hasNoRule
    ? { ...recorded({ bindingId }), reason: 'no_matching_subscription_rule' }
    : recorded({ bindingId, eventId: bindEventId });
}

function claimOf({ product }: BindReport, click: BoundClick, terms: Terms | null): Claim {
  if (click.kind === 'test') return { environment: 'test' };
  const { programId, creatorId, linkNumber } = click;
  return { environment: 'live', programId, creatorId, linkNumber, plan: terms && planOf(terms, product) };
}

function planOf(terms: Terms, product: Product): Plan | null {
  const rule = subscriptionRuleFor(terms, product);
  if (rule === null) return null;
  const { version, attributionDays, holdDays, approval } = terms;
  const { rate, maxInvoices, maxMonths } = rule;
  return { version, attributionDays, holdDays, approval, rate, maxInvoices, maxMonths };
}

type Bound = Pick<Relationship, 'boundAt' | 'claim' | 'clickId'> & { readonly why: Why };

function bind({ relationshipId, product }: BindReport, { key, now, fresh }: BindFacts, { why, ...bound }: Bound): BindDecision {
  const relationship: Relationship = {
    ...key,
    ...bound,
    bindingId: fresh.bindingId,
    bindEventId: fresh.eventId,
    relationshipId,
    firstBound: product,
    bound: product,
    recordedAt: now,
    paidInvoices: 0,
    earningInvoices: 0,
    life: { state: 'active' },
    hold: null,
  };
  return { do: 'bind', relationship, answer: answerOf(relationship), why: { ...why, ...planWhy(bound.claim) } };
}

function planWhy(claim: Claim): Why {
  if (claim.environment === 'test') return { earns_nothing: 'test' };
  if (claim.plan === null) return { earns_nothing: 'zero_commission' };
  const { rate, maxInvoices, maxMonths } = claim.plan;
  return {
    ...(rate.is === 'share' ? { basis_points: rate.basisPoints } : { flat_cents: amountToJson(rate.cents) }),
    ...(maxInvoices === null ? {} : { invoices_max: maxInvoices }),
    ...(maxMonths === null ? {} : { months_max: maxMonths }),
  };
}

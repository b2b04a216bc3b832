import { precedesClick } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { ruleWhy } from '../commissions/decide-earning.ts';
import { appliedSubscriptionRule, type TermsOfCreator } from '../merchants/applied-rule.ts';
import type { Id } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import { decideRepeat, eventTime, recorded, refuseEvent, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Attribution, Plan, Product, Relationship, RelationshipKey } from './relationship.ts';
import type { BindReport } from './report.ts';
import { amountToJson } from '../core/money.ts';

export type BindFacts = {
  readonly now: Date;
  readonly key: RelationshipKey;
  readonly earlier: EarlierEvent | null;
  /** Null: the click is forged, unknown, or another store's. */
  readonly click: BoundClick | null;
  /** The relationship already bound with this ID. */
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
      /** The terms in force at the bind. Null: their history cannot be read. */
      readonly terms: TermsOfCreator | null;
    }
  | { readonly kind: 'test'; readonly clickId: Id<'click'>; readonly at: Date; readonly expiresAt: Date };

export type BindDecision =
  | { readonly do: 'bind'; readonly relationship: Relationship; readonly answer: Answer; readonly why: Why }
  /** Another event that repeats the bind. It is stored with the answer of the first. */
  | { readonly do: 'bound before'; readonly answer: Answer; readonly why: Why }
  | Repeated
  | Refused;

/** The rules of the contract for a bind, in their order; the first match wins. */
export function decideBind(report: BindReport, facts: BindFacts): BindDecision {
  const { earlier, click, before, now } = facts;
  if (earlier) return decideRepeat(earlier);
  if (report.currency !== 'USD') return refuseEvent('unsupported_pricing_currency', { currency: report.currency });
  const boundAt = eventTime(report.occurredAt, now);
  if (!(boundAt instanceof Date)) return boundAt;
  if (click === null) return refuseEvent('unknown_referral_click', {});
  if (environmentOf(click) !== report.environment) return refuseEvent('environment_mismatch', { environment: environmentOf(click) });
  if (click.kind === 'test' && click.expiresAt <= now)
    return refuseEvent('test_link_expired', { expires_at: click.expiresAt.toISOString() });
  if (before && isSameBind(report, click, before)) return { do: 'bound before', answer: answerOf(before), why: firstBound(before) };
  if (before) return refuseEvent('duplicate_relationship_conflict', firstBound(before));

  const terms = click.kind === 'referral' ? click.terms : null;
  const times = { occurred_at: boundAt.toISOString(), clicked_at: click.at.toISOString() };
  if (click.kind === 'referral' && terms === null) return refuseEvent('pricing_history_unavailable', times);
  const compared = { ...times, ...(terms && { attribution_days: terms.attributionDays, terms_version: terms.version }) };
  if (precedesClick(boundAt, click.at)) return refuseEvent('order_precedes_click', compared);
  if (terms && boundAt > plusDays(click.at, terms.attributionDays)) return refuseEvent('attribution_window_expired', compared);
  return bind(report, facts, { boundAt, attribution: claimOf(report, click, terms), clickId: click.clickId, why: compared });
}

const environmentOf = ({ kind }: BoundClick) => (kind === 'test' ? 'test' : 'live');
const firstBound = ({ recordedAt }: Relationship): Why => ({ first_recorded_at: recordedAt.toISOString() });

/** Compares with the first bound product, even if a review has accepted another one. */
function isSameBind({ product }: BindReport, { clickId, kind }: BoundClick, { firstBound: first, ...before }: Relationship): boolean {
  const isSameKind = before.attribution.environment === (kind === 'test' ? 'test' : 'live');
  return isSameKind && before.clickId === clickId && isSame(product, first);
}

const isSame = (one: Product, other: Product): boolean => one.productId === other.productId && one.priceId === other.priceId;

/** A bind without a matching rule is recorded, with its own reason. */
function answerOf({ attribution, bindingId, bindEventId }: Pick<Relationship, 'attribution' | 'bindingId' | 'bindEventId'>): Answer {
  const hasNoRule = attribution.environment === 'live' && attribution.plan === null;
  return hasNoRule
    ? { ...recorded({ bindingId }), reason: 'no_matching_subscription_rule' }
    : recorded({ bindingId, eventId: bindEventId });
}

function claimOf({ product }: BindReport, click: BoundClick, terms: TermsOfCreator | null): Attribution {
  if (click.kind === 'test') return { environment: 'test' };
  const { programId, creatorId, linkNumber } = click;
  return { environment: 'live', programId, creatorId, linkNumber, plan: terms && planOf(terms, product) };
}

function planOf(terms: TermsOfCreator, product: Product): Plan | null {
  const applied = appliedSubscriptionRule(terms, product);
  if (applied === null) return null;
  const { version, attributionDays, holdDays, approval } = terms;
  const { rate, maxInvoices, maxMonths } = applied.rule;
  const plan = { version, attributionDays, holdDays, approval, rate, maxInvoices, maxMonths };
  return terms.facts === undefined ? plan : { ...plan, rule: ruleWhy(applied, terms.facts) };
}

type Bound = Pick<Relationship, 'boundAt' | 'attribution' | 'clickId'> & { readonly why: Why };

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
    lifecycle: { state: 'active' },
    hold: null,
  };
  return { do: 'bind', relationship, answer: answerOf(relationship), why: { ...why, ...planWhy(bound.attribution) } };
}

function planWhy(attribution: Attribution): Why {
  if (attribution.environment === 'test') return { earns_nothing: 'test' };
  if (attribution.plan === null) return { earns_nothing: 'zero_commission' };
  const { rate, maxInvoices, maxMonths, rule } = attribution.plan;
  return {
    ...(rate.is === 'share' ? { basis_points: rate.basisPoints } : { flat_cents: amountToJson(rate.cents) }),
    ...(maxInvoices === null ? {} : { invoices_max: maxInvoices }),
    ...(maxMonths === null ? {} : { months_max: maxMonths }),
    ...(rule === undefined ? {} : { applied_rule: rule }),
  };
}

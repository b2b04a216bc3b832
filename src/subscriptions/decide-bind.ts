import { precedesClick } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { ruleWhy, termsWhy } from '../commissions/decide-earning.ts';
import { appliedSubscriptionRule, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { bindingOf, decideAttribution, type Attribution as PartnerAttribution, type Partners } from '../orders/decide-attribution.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { plusDays } from '../core/time.ts';
import { decideRepeat, eventTime, recorded, refuseEvent, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Attribution, Plan, Product, Relationship, RelationshipKey } from './relationship.ts';
import type { BindReport } from './report.ts';
import { amountToJson } from '../core/money.ts';
import { apiMessage } from '../messages/api-message.ts';

export type BindFacts = {
  readonly now: Date;
  readonly key: RelationshipKey;
  readonly earlier: EarlierEvent | null;
  /** Null: the click is forged, unknown, or another store's. */
  readonly click: BoundClick | null;
  /** Null: the store counts only clicks. */
  readonly partners: Partners | null;
  /** The hash of what decides who earns the subscription. */
  readonly touchHash: Buffer;
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
  | ({ readonly do: 'bind'; readonly relationship: Relationship; readonly answer: Answer; readonly why: Why } & Partnered)
  /** Another event that repeats the bind. It is stored with the answer of the first. */
  | { readonly do: 'bound before'; readonly answer: Answer; readonly why: Why }
  | Repeated
  | Refused;

type Partnered = {
  /** Null for the click of a test link. */
  readonly partners: PartnerAttribution | null;
  /** The number of the binding that the subscription makes between its customer and its creator. */
  readonly binding: { readonly number: number } | null;
};

/** The rules of the contract for a bind, in their order; the first match wins. */
export function decideBind(report: BindReport, facts: BindFacts): BindDecision {
  const { earlier, click, before, now } = facts;
  if (earlier) return decideRepeat(earlier);
  if (report.currency !== 'USD') return refuseEvent('unsupported_pricing_currency', { currency: report.currency });
  const boundAt = eventTime(report.occurredAt, now);
  if (!(boundAt instanceof Date)) return boundAt;
  if (click === null && report.clickId === null) return bindWithoutClick(report, facts, boundAt);
  if (click === null) return refuseEvent('unknown_referral_click', {});
  if (environmentOf(click) !== report.environment) return refuseEvent('environment_mismatch', { environment: environmentOf(click) });
  if (click.kind === 'test' && click.expiresAt <= now)
    return refuseEvent('test_link_expired', { expires_at: click.expiresAt.toISOString() });
  if (before) return repeatBind(report, facts, before);

  const terms = click.kind === 'referral' ? click.terms : null;
  const times = { occurred_at: boundAt.toISOString(), clicked_at: click.at.toISOString() };
  if (click.kind === 'referral' && terms === null) return refuseEvent('pricing_history_unavailable', times);
  const compared = { ...times, ...(terms && { attribution_days: terms.attributionDays, terms_version: terms.version }) };
  if (precedesClick(boundAt, click.at))
    return bindByPartner(report, facts, { boundAt, refusal: refuseEvent('order_precedes_click', compared) });
  if (terms && boundAt > plusDays(click.at, terms.attributionDays))
    return bindByPartner(report, facts, { boundAt, refusal: refuseEvent('attribution_window_expired', compared) });
  if (click.kind === 'test' || terms === null)
    return bind(report, facts, { boundAt, attribution: { environment: 'test' }, clickId: click.clickId, why: compared, ...onlyClick });
  const { attribution } = attribute(facts, boundAt, { ...click, terms, ...asActive });
  invariant(attribution !== null, 'a click that counts earns, unless another creator does');
  return bindTo(report, facts, { boundAt, partners: attribution, why: compared });
}

const onlyClick = { touchHash: null, comparedAtBind: null, partners: null, binding: null };
/** A suspension concerns each invoice when it is paid, and not the bind. */
const asActive = { isCreatorSuspended: false };
const noPartners: Partners = { codes: [], bindings: [], customerHash: null };

const attribute = ({ partners }: BindFacts, occurredAt: Date, click: Parameters<typeof decideAttribution>[0]['click']) =>
  decideAttribution({ earns: null, occurredAt, click, partners: partners ?? noPartners });

const noClick = (boundAt: Date): Refused => ({
  ...refuseEvent('missing_referral_click', { occurred_at: boundAt.toISOString() }),
  message: apiMessage('bind.no_click'),
});

function bindWithoutClick(report: BindReport, facts: BindFacts, boundAt: Date): BindDecision {
  if (facts.before) return repeatBind(report, facts, facts.before);
  return bindByPartner(report, facts, { boundAt, refusal: noClick(boundAt) });
}

type WithoutClick = { readonly boundAt: Date; readonly refusal: Refused };

/** Without a click that counts, a code earns, or the creator of the customer's binding, as for an order. */
function bindByPartner(report: BindReport, facts: BindFacts, { boundAt, refusal }: WithoutClick): BindDecision {
  const { attribution, rejectedCodes } = attribute(facts, boundAt, null);
  if (attribution === null || report.environment === 'test')
    return { ...refusal, why: { ...refusal.why, ...(rejectedCodes.length === 0 ? {} : { rejected_codes: rejectedCodes }) } };
  const { version } = attribution.credited.terms;
  return bindTo(report, facts, { boundAt, partners: attribution, why: { occurred_at: boundAt.toISOString(), terms_version: version } });
}

type Credit = { readonly boundAt: Date; readonly partners: PartnerAttribution; readonly why: Why };

/** By the terms of the creator who is credited. */
function bindTo(report: BindReport, facts: BindFacts, { boundAt, partners, why }: Credit): BindDecision {
  const { programId, creatorId, linkNumber, click, terms } = partners.credited;
  const isOther = click === null;
  return bind(report, facts, {
    boundAt,
    attribution: { environment: 'live', programId, creatorId, linkNumber, plan: planOf(terms, report.product) },
    clickId: click && click.clickId,
    touchHash: isOther ? facts.touchHash : null,
    comparedAtBind: partners.why,
    partners,
    binding: facts.partners && bindingOf(partners, { partners: facts.partners, occurredAt: boundAt }),
    why: { ...(isOther ? { occurred_at: boundAt.toISOString(), terms_version: terms.version } : why), ...partners.why },
  });
}

function repeatBind(report: BindReport, facts: BindFacts, before: Relationship): BindDecision {
  return isSameBind(report, facts, before)
    ? { do: 'bound before', answer: answerOf(before), why: firstBound(before) }
    : refuseEvent('duplicate_relationship_conflict', firstBound(before));
}

const environmentOf = ({ kind }: BoundClick) => (kind === 'test' ? 'test' : 'live');
const firstBound = ({ recordedAt }: Relationship): Why => ({ first_recorded_at: recordedAt.toISOString() });

/** Compares with the first bound product, even if a review has accepted another one. */
function isSameBind({ product }: BindReport, { click, touchHash }: BindFacts, { firstBound: first, ...before }: Relationship): boolean {
  const isSameKind = before.attribution.environment === (click === null ? 'live' : environmentOf(click));
  const isSameTouch = before.touchHash === null ? before.clickId === click?.clickId : before.touchHash.equals(touchHash);
  return isSameKind && isSameTouch && isSame(product, first);
}

const isSame = (one: Product, other: Product): boolean => one.productId === other.productId && one.priceId === other.priceId;

/** A bind without a matching rule is recorded, with its own reason. */
function answerOf({ attribution, bindingId, bindEventId }: Pick<Relationship, 'attribution' | 'bindingId' | 'bindEventId'>): Answer {
  const hasNoRule = attribution.environment === 'live' && attribution.plan === null;
  return hasNoRule
    ? { ...recorded({ bindingId }), reason: 'no_matching_subscription_rule' }
    : recorded({ bindingId, eventId: bindEventId });
}

function planOf(terms: TermsOfCreator, product: Product): Plan | null {
  const applied = appliedSubscriptionRule(terms, product);
  if (applied === null) return null;
  const { version, attributionDays, holdDays, approval } = terms;
  const { rate, maxInvoices, maxMonths } = applied.rule;
  const plan = { version, attributionDays, holdDays, approval, rate, maxInvoices, maxMonths };
  const why = termsWhy(terms);
  return terms.facts === undefined && why === undefined
    ? plan
    : { ...plan, rule: { ...ruleWhy(applied, terms.facts), ...(why && { terms: why }) } };
}

type Bound = Pick<Relationship, 'boundAt' | 'attribution' | 'clickId' | 'touchHash' | 'comparedAtBind'> & Partnered & { readonly why: Why };

function bind(
  { relationshipId, product }: BindReport,
  { key, now, fresh }: BindFacts,
  { why, partners, binding, ...bound }: Bound,
): BindDecision {
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
  return { do: 'bind', relationship, partners, binding, answer: answerOf(relationship), why: { ...why, ...planWhy(bound.attribution) } };
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

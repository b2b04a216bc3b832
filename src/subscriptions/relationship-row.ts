import { basisPoints, cents, type Cents } from '../core/money.ts';
import type { Id } from '../core/ids.ts';
import type { AttributionWhy, RuleWhy } from '../contract/why.ts';
import { invariant } from '../core/invariant.ts';
import type { Approval, Rate } from '../merchants/terms.ts';
import type {
  Attribution,
  Environment,
  Lifecycle,
  Plan,
  Product,
  Relationship,
  RelationshipHold,
  RelationshipHoldReason,
  RelationshipKey,
} from './relationship.ts';

/** The row of a relationship: each field of a union is a column, which is null in the other cases. */
export type RelationshipRow = RelationshipKey & {
  readonly relationshipId: string;
  readonly bindingId: Id<'bind'>;
  readonly bindEventId: Id<'evt'>;
  readonly environment: Environment;
  readonly clickId: Id<'click'> | null;
  readonly touchHash: Buffer | null;
  readonly attribution: AttributionWhy | null;
  readonly linkNumber: bigint | null;
  readonly programId: Id<'prog'> | null;
  readonly creatorId: Id<'crt'> | null;
  readonly firstProductId: string;
  readonly firstPriceId: string | null;
  readonly productId: string;
  readonly priceId: string | null;
  readonly boundAt: Date;
  readonly recordedAt: Date;
  readonly paidInvoices: number;
  readonly earningInvoices: number;
} & PlanColumns &
  LifecycleColumns &
  HoldColumns;

type PlanColumns = {
  readonly basisPoints: number | null;
  readonly flatCents: Cents | null;
  readonly maxInvoices: number | null;
  readonly maxMonths: number | null;
  readonly termsVersion: number | null;
  readonly attributionDays: number | null;
  readonly holdDays: number | null;
  readonly autoApproveDays: number | null;
  readonly rule: RuleWhy | null;
};

type LifecycleColumns = {
  readonly state: Lifecycle['state'];
  readonly endedRecordedAt: Date | null;
  readonly endOccurredAt: Date | null;
  readonly endReason: string | null;
};

type HoldColumns = {
  readonly heldReason: RelationshipHoldReason | null;
  readonly heldSince: Date | null;
  readonly heldProductId: string | null;
  readonly heldPriceId: string | null;
};

export function fromRelationshipRow(row: RelationshipRow): Relationship {
  return {
    storeId: row.storeId,
    relationshipHash: row.relationshipHash,
    relationshipId: row.relationshipId,
    bindingId: row.bindingId,
    bindEventId: row.bindEventId,
    clickId: row.clickId,
    touchHash: row.touchHash,
    comparedAtBind: row.attribution,
    attribution: claimOf(row),
    firstBound: product(row.firstProductId, row.firstPriceId),
    bound: product(row.productId, row.priceId),
    boundAt: row.boundAt,
    recordedAt: row.recordedAt,
    paidInvoices: row.paidInvoices,
    earningInvoices: row.earningInvoices,
    lifecycle: lifeOf(row),
    hold: holdOf(row),
  };
}

export function toRelationshipRow(relationship: Relationship): RelationshipRow {
  const { attribution, comparedAtBind, firstBound, bound, lifecycle, hold, ...same } = relationship;
  const live = attribution.environment === 'live' ? attribution : null;
  return {
    ...same,
    attribution: comparedAtBind,
    environment: attribution.environment,
    linkNumber: live?.linkNumber ?? null,
    programId: live?.programId ?? null,
    creatorId: live?.creatorId ?? null,
    firstProductId: firstBound.productId,
    firstPriceId: firstBound.priceId,
    productId: bound.productId,
    priceId: bound.priceId,
    ...planColumns(live?.plan ?? null),
    ...lifecycleColumns(lifecycle),
    ...holdColumns(hold),
  };
}

const product = (productId: string, priceId: string | null): Product => ({ productId, priceId });

function claimOf(row: RelationshipRow): Attribution {
  if (row.environment === 'test') return { environment: 'test' };
  const { programId, creatorId, linkNumber } = row;
  invariant(programId !== null && creatorId !== null && linkNumber !== null, 'a live relationship has a creator and a program');
  return { environment: 'live', programId, creatorId, linkNumber, plan: planOf(row) };
}

function planOf({ termsVersion, attributionDays, holdDays, autoApproveDays, maxInvoices, maxMonths, ...row }: PlanColumns): Plan | null {
  if (termsVersion === null) return null;
  invariant(attributionDays !== null && holdDays !== null, 'a copied rule has its terms');
  const approval: Approval = autoApproveDays === null ? { by: 'hand' } : { by: 'time', afterDays: autoApproveDays };
  const plan = { version: termsVersion, attributionDays, holdDays, approval, rate: rateOf(row), maxInvoices, maxMonths };
  return row.rule === null ? plan : { ...plan, rule: row.rule };
}

function rateOf({ basisPoints: points, flatCents }: Pick<PlanColumns, 'basisPoints' | 'flatCents'>): Rate {
  if (points !== null) return { is: 'share', basisPoints: basisPoints(points) };
  invariant(flatCents !== null, 'a copied rule has a rate');
  return { is: 'flat', cents: cents(flatCents) };
}

function planColumns(plan: Plan | null): PlanColumns {
  return {
    basisPoints: plan?.rate.is === 'share' ? plan.rate.basisPoints : null,
    flatCents: plan?.rate.is === 'flat' ? plan.rate.cents : null,
    maxInvoices: plan?.maxInvoices ?? null,
    maxMonths: plan?.maxMonths ?? null,
    termsVersion: plan?.version ?? null,
    attributionDays: plan?.attributionDays ?? null,
    holdDays: plan?.holdDays ?? null,
    autoApproveDays: plan?.approval.by === 'time' ? plan.approval.afterDays : null,
    rule: plan?.rule ?? null,
  };
}

function lifeOf({ state, endedRecordedAt, endOccurredAt, endReason }: LifecycleColumns): Lifecycle {
  if (state === 'active') return { state };
  invariant(endedRecordedAt !== null, 'an ended relationship has the time of its end');
  return { state, recordedAt: endedRecordedAt, occurredAt: endOccurredAt, reason: endReason };
}

function lifecycleColumns(lifecycle: Lifecycle): LifecycleColumns {
  if (lifecycle.state === 'active') return { state: lifecycle.state, endedRecordedAt: null, endOccurredAt: null, endReason: null };
  return {
    state: lifecycle.state,
    endedRecordedAt: lifecycle.recordedAt,
    endOccurredAt: lifecycle.occurredAt,
    endReason: lifecycle.reason,
  };
}

function holdOf({ heldReason, heldSince, heldProductId, heldPriceId }: HoldColumns): RelationshipHold | null {
  if (heldReason === null) return null;
  invariant(heldSince !== null && heldProductId !== null, 'a held relationship has the time and the product of its hold');
  return { reason: heldReason, since: heldSince, billed: product(heldProductId, heldPriceId) };
}

const holdColumns = (hold: RelationshipHold | null): HoldColumns => ({
  heldReason: hold?.reason ?? null,
  heldSince: hold?.since ?? null,
  heldProductId: hold?.billed.productId ?? null,
  heldPriceId: hold?.billed.priceId ?? null,
});

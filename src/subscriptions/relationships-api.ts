import { relationshipStates } from './relationship-states.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { explainAttribution } from '../contract/explain-attribution.ts';
import { explain } from '../contract/explain.ts';
import { speechToMerchants } from '../contract/speech.ts';
import { textLengthMax } from '../contract/fields.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction, type Queryable } from '../db/database.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, searchField, singleAmountField, idField } from '../http/fields.ts';
import { pageFields, pageReply, readPage, sortField, uuidShape } from '../http/page.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { earnedByRelationship } from './invoices-sql.ts';
import { listInvoices } from './invoices-sql.ts';
import { noCommissionReasons, relationshipHoldReasons, type Earns, type Invoice, type Relationship } from './relationship.ts';
import { attributedBy, comparedCreator, withNames } from '../orders/attribution-json.ts';
import { reviewRelationship } from './review.ts';
import {
  countRelationships,
  listRelationships,
  liveRelationship,
  relationshipSorts,
  type RelationshipFilter,
} from './relationships-sql.ts';
import { amountToJson } from '../core/money.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';

const ruleJson = namedObject('SubscriptionTerms', {
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  max_invoices: orNull(T.Integer()),
  max_months: orNull(T.Integer()),
  terms_version: T.Integer(),
});

const relationshipFields = {
  id: T.String(),
  relationship_id: T.String({ description: "The merchant's ID of the subscription" }),
  state: T.Enum(relationshipStates),
  held: orNull(
    T.Object({
      reason: T.Enum(relationshipHoldReasons),
      by: T.String(),
      since: T.String(),
      product_id: T.String({ description: 'The product on the invoice; accepting the review binds it' }),
      price_id: orNull(T.String()),
    }),
  ),
  program_id: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  product_id: T.String(),
  price_id: orNull(T.String()),
  rule: orNull(ruleJson),
  paid_invoices: T.Integer(),
  earning_invoices: T.Integer({ description: 'The number of invoices that count toward the limit of the rule' }),
  earned_cents: centsField('The commissions of its invoices so far, without rejected and reversed ones'),
  bound_at: T.String(),
  recorded_at: T.String(),
  ended_at: orNull(T.String()),
  end_reason: orNull(T.String()),
  attributed_by: attributedBy,
  credited_code: orNull(T.String({ description: 'The discount code that earned the subscription' })),
  attribution_explanation: orNull(T.String({ description: 'What was compared when it was bound; null if there was only a click' })),
};
const relationshipJson = namedObject('Subscription', relationshipFields);
export type RelationshipJson = Static<typeof relationshipJson>;

/** The columns of the CSV file, named as in JSON. New columns are added at the end, because spreadsheets count them. */
const relationshipColumns: ReadonlyArray<CsvColumn<RelationshipJson>> = [
  ...fieldColumns('id', 'relationship_id', 'state'),
  { title: 'held_reason', cell: ({ held }) => held?.reason ?? null },
  { title: 'held_since', cell: ({ held }) => held?.since ?? null },
  ...fieldColumns('creator_id', 'creator_name', 'program_id', 'product_id', 'price_id'),
  { title: 'terms_version', cell: ({ rule }) => rule?.terms_version ?? null },
  ...fieldColumns('paid_invoices', 'earning_invoices', 'earned_cents', 'bound_at', 'recorded_at', 'ended_at', 'end_reason'),
  ...fieldColumns('attributed_by', 'credited_code'),
];

const invoiceJson = namedObject('SubscriptionInvoice', {
  id: T.String(),
  invoice_id: T.String({ description: "The merchant's ID of the invoice" }),
  state: T.Enum(['paid', 'failed', 'open', 'void', 'uncollectible']),
  first_recorded_at: T.String(),
  paid_at: orNull(T.String()),
  amount_paid_cents: orNull(centsField()),
  eligible_cents: orNull(centsField()),
  product_id: orNull(T.String()),
  price_id: orNull(T.String()),
  earns: T.Enum(['not_paid', 'commission', 'waits', 'nothing']),
  commission_id: orNull(T.String()),
  nothing_because: orNull(T.Enum(noCommissionReasons)),
  explanation: orNull(T.String({ description: 'The explanation of its commission' })),
  reversed_at: orNull(T.String()),
  reversal_reason: orNull(T.String()),
});

/** What a page of subscriptions shows besides its rows, read once for the page. */
async function showingRelationships(
  db: Queryable,
  storeId: Id<'store'>,
  relationships: readonly Relationship[],
): Promise<(relationship: Relationship) => Static<typeof relationshipJson>> {
  const bindingIds = relationships.map(({ bindingId }) => bindingId);
  const earned = await earnedByRelationship(db, storeId, bindingIds);
  const creatorIds = relationships.flatMap(({ attribution, comparedAtBind }) =>
    attribution.environment === 'live' ? [attribution.creatorId, comparedCreator(comparedAtBind) ?? attribution.creatorId] : [],
  );
  const names = await creatorNames(db, [...new Set(creatorIds)]);
  return (relationship) => showRelationship(relationship, { names, earned: earned.get(relationship.bindingId) ?? 0n });
}

type Beside = { readonly names: ReadonlyMap<Id<'crt'>, string>; readonly earned: bigint };

function showRelationship(
  { attribution, comparedAtBind, bound, hold, lifecycle, ...relationship }: Relationship,
  { names, earned }: Beside,
): Static<typeof relationshipJson> {
  invariant(attribution.environment === 'live', 'a test relationship is in the tracking log only');
  const creatorName = names.get(attribution.creatorId);
  invariant(creatorName !== undefined, 'creators are never deleted');
  return {
    id: publicId('bind', relationship.bindingId),
    relationship_id: relationship.relationshipId,
    state: lifecycle.state,
    held: hold && {
      reason: hold.reason,
      by: 'system',
      since: isoTime(hold.since),
      product_id: hold.billed.productId,
      price_id: hold.billed.priceId,
    },
    program_id: publicId('prog', attribution.programId),
    creator_id: publicId('crt', attribution.creatorId),
    creator_name: creatorName,
    product_id: bound.productId,
    price_id: bound.priceId,
    rule: attribution.plan && {
      basis_points: attribution.plan.rate.is === 'share' ? attribution.plan.rate.basisPoints : null,
      flat_cents: attribution.plan.rate.is === 'flat' ? amountToJson(attribution.plan.rate.cents) : null,
      max_invoices: attribution.plan.maxInvoices,
      max_months: attribution.plan.maxMonths,
      terms_version: attribution.plan.version,
    },
    paid_invoices: relationship.paidInvoices,
    earning_invoices: relationship.earningInvoices,
    earned_cents: earned,
    bound_at: isoTime(relationship.boundAt),
    recorded_at: isoTime(relationship.recordedAt),
    ended_at: lifecycle.state === 'ended' ? isoTime(lifecycle.occurredAt ?? lifecycle.recordedAt) : null,
    end_reason: lifecycle.state === 'ended' ? lifecycle.reason : null,
    attributed_by: comparedAtBind?.attributed_by ?? 'click',
    credited_code: (comparedAtBind?.attributed_by === 'code' && comparedAtBind.discount_code) || null,
    attribution_explanation: comparedAtBind && explainAttribution(withNames(comparedAtBind, creatorName, names), speechToMerchants),
  };
}

function showInvoice({ payment, reversal, ...invoice }: Invoice): Static<typeof invoiceJson> {
  const paid = payment.state === 'paid' ? payment : null;
  return {
    id: publicId('rinv', invoice.relationshipInvoiceId),
    invoice_id: invoice.invoiceId,
    state: payment.state,
    first_recorded_at: isoTime(invoice.firstRecordedAt),
    paid_at: isoTimeOrNull(paid?.occurredAt ?? null),
    amount_paid_cents: paid && paid.amount,
    eligible_cents: paid && paid.eligible,
    product_id: paid?.product.productId ?? null,
    price_id: paid?.product.priceId ?? null,
    ...showEarns(paid?.earns ?? null),
    explanation: paid && explain({ operation: 'billing_event', reason: 'recorded', why: paid.why }, speechToMerchants),
    reversed_at: isoTimeOrNull(reversal?.at ?? null),
    reversal_reason: reversal?.reason ?? null,
  };
}

const showEarns = (earns: Earns | null): Pick<Static<typeof invoiceJson>, 'earns' | 'commission_id' | 'nothing_because'> => ({
  earns: earns?.is ?? 'not_paid',
  commission_id: earns?.is === 'commission' ? publicId('com', earns.commissionId) : null,
  nothing_because: earns?.is === 'nothing' ? earns.because : null,
});

const filterFields = {
  state: T.Optional(T.Enum(relationshipStates)),
  held: T.Optional(T.Boolean({ description: 'Whether a review is open' })),
  creator_id: T.Optional(idField()),
  q: searchField("A prefix of a relationship_id, or a part of a creator's name, ignoring case", textLengthMax),
};
const filterSchema = T.Object(filterFields);

/** `no_match`: no creator has this ID. */
function readFilter({ state, held, creator_id: creator, q }: Static<typeof filterSchema>): RelationshipFilter | 'no_match' {
  const creatorId = creator === undefined ? null : readPublicId('crt', creator);
  if (creator !== undefined && creatorId === null) return 'no_match';
  return { state: state ?? null, isHeld: held ?? null, creatorId, search: q ?? null };
}

export const listRelationshipsEndpoint = sortedListEndpoint({
  summary: 'List the bound subscriptions, newest first; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields, ...sortField(relationshipSorts) }, { additionalProperties: false }),
  item: relationshipJson,
  readFilter: ({ query }) => readFilter(query),
  rows: async ({ db, ids, filter }, page) => (filter === 'no_match' ? [] : listRelationships(db, ids.store, filter, page)),
  renderer: ({ db, ids }, relationships) => showingRelationships(db, ids.store, relationships),
  sorts: relationshipSorts,
  csv: { name: 'subscriptions.csv', columns: relationshipColumns },
});

/** An exact count above this is not useful. */
const relationshipTotalsMax = 100_000;

export const relationshipTotalsEndpoint = endpoint({
  summary: 'Count the matching subscriptions, up to 100,000',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(filterFields, { additionalProperties: false }),
  reply: T.Object({ count: T.Integer({ description: `At most ${relationshipTotalsMax}` }), has_more: T.Boolean() }),
  async handle({ db, ids, query }) {
    const filter = readFilter(query);
    const count = filter === 'no_match' ? 0 : await countRelationships(db, ids.store, filter, relationshipTotalsMax);
    return { count: Math.min(count, relationshipTotalsMax), has_more: count > relationshipTotalsMax };
  },
});

export const getRelationshipEndpoint = endpoint({
  summary: 'Get a subscription with its invoices, newest first',
  access: { allow: 'store', permission: 'store:read' },
  ids: { relationship: 'bind' },
  query: T.Object(pageFields, { additionalProperties: false }),
  reply: namedObject('SubscriptionDetails', { ...relationshipFields, invoices: T.Array(invoiceJson), next_cursor: orNull(T.String()) }),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const relationship = await liveRelationship(db, { storeId: ids.store, bindingId: ids.relationship });
    if (relationship === null) return notFound;
    const listed = pageReply(await listInvoices(db, relationship, page), page, showInvoice, (invoice) => [invoice.relationshipInvoiceId]);
    const show = await showingRelationships(db, ids.store, [relationship]);
    return { ...show(relationship), invoices: listed.data, next_cursor: listed.next_cursor };
  },
});

export const reviewRelationshipEndpoint = endpoint({
  summary: 'Decide on a held subscription: accept the invoiced product, or decline it',
  access: { allow: 'store', permission: 'commissions:review' },
  ids: { relationship: 'bind' },
  body: T.Object(
    {
      decision: T.Enum(['accept', 'decline']),
    },
    { additionalProperties: false },
  ),
  reply: relationshipJson,
  audit: 'relationship.review',
  async handle({ db, ids, body, now }) {
    invariant(isTransaction(db), 'a review runs in a transaction');
    const reviewed = await reviewRelationship(db, { storeId: ids.store, bindingId: ids.relationship, word: body.decision, now });
    if (isRefusal(reviewed)) return reviewed;
    return (await showingRelationships(db, ids.store, [reviewed]))(reviewed);
  },
});

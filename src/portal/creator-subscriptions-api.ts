import { relationshipStates } from '../subscriptions/relationship-states.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { explainAttribution } from '../contract/explain-attribution.ts';
import type { Speech } from '../contract/speech.ts';
import { speechToCreators } from '../contract/speech-to-creators.ts';
import { storesById } from '../merchants/stores-sql.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, namedObject, orNull, singleAmountField, idField } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { earnedByRelationship } from '../subscriptions/invoices-sql.ts';
import { relationshipHoldReasons, type Relationship } from '../subscriptions/relationship.ts';
import { listRelationships } from '../subscriptions/relationships-sql.ts';
import { paginateStores, compareDescending, requestedStores, type StoreRow } from './paginate-stores.ts';
import { amountToJson } from '../core/money.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

/** Without the merchant's IDs and the billed products, which are the merchant's data. */
const subscriptionJson = namedObject('CreatorSubscription', {
  id: T.String(),
  state: T.Enum(relationshipStates),
  held: orNull(T.Object({ reason: T.Enum(relationshipHoldReasons), since: T.String() })),
  store_id: T.String(),
  store_name: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  rule: orNull(
    T.Object({
      basis_points: orNull(T.Integer()),
      flat_cents: orNull(singleAmountField()),
      max_invoices: orNull(T.Integer()),
      max_months: orNull(T.Integer()),
    }),
  ),
  paid_invoices: T.Integer(),
  earning_invoices: T.Integer(),
  earned_cents: centsField(),
  bound_at: T.String(),
  ended_at: orNull(T.String()),
  attribution_explanation: orNull(
    T.String({
      description:
        'Why it belongs to you, in the language of the Accept-Language header, English by default; null if there was only a click',
    }),
  ),
});

export const listOwnSubscriptionsEndpoint = listEndpoint({
  summary: "List a creator's subscriptions in all stores, newest first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    { ...pageFields, state: T.Optional(T.Enum(relationshipStates)), store_id: T.Optional(idField()) },
    { additionalProperties: false },
  ),
  item: subscriptionJson,
  async rows({ db, ids, query }, page) {
    const filter = { state: query.state ?? null, isHeld: null, creatorId: ids.creator, search: null };
    return paginateStores(await requestedStores(db, ids.creator, query.store_id), {
      read: (storeId) => listRelationships(db, storeId, filter, page),
      order: (one, other) => compareDescending(one.bindingId, other.bindingId),
      limit: page.limit,
    });
  },
  renderer: ({ db, request }, found) => loadSubscriptionRenderer(db, found, speechToCreators(request.language)),
  key: ({ row }) => [row.bindingId],
});

type Subscription = StoreRow<Relationship>;

async function loadSubscriptionRenderer(
  db: Queryable,
  found: readonly Subscription[],
  speech: Speech,
): Promise<(subscription: Subscription) => Static<typeof subscriptionJson>> {
  const stores = await storesById(
    db,
    found.map(({ storeId }) => storeId),
  );
  const programs = await programsByName(
    db,
    found.map(({ storeId, row }) => ({ storeId, programId: liveTerms(row).programId })),
  );
  const earned = new Map<Id<'bind'>, bigint>();
  for (const [storeId, of] of Map.groupBy(found, (one) => one.storeId)) {
    const bindingIds = of.map(({ row }) => row.bindingId);
    for (const [bindingId, sum] of await earnedByRelationship(db, storeId, bindingIds)) earned.set(bindingId, sum);
  }
  return ({ storeId, row }) => {
    const { programId, plan } = liveTerms(row);
    const [store, program] = [stores.get(storeId), programs.get(programId)];
    invariant(store !== undefined && program !== undefined, 'stores and programs are never deleted');
    const { lifecycle: life, hold } = row;
    return {
      id: publicId('bind', row.bindingId),
      state: life.state,
      held: hold && { reason: hold.reason, since: isoTime(hold.since) },
      store_id: publicId('store', storeId),
      store_name: store.name,
      program_id: publicId('prog', programId),
      program_name: program.name,
      rule: plan && {
        basis_points: plan.rate.is === 'share' ? plan.rate.basisPoints : null,
        flat_cents: plan.rate.is === 'flat' ? amountToJson(plan.rate.cents) : null,
        max_invoices: plan.maxInvoices,
        max_months: plan.maxMonths,
      },
      paid_invoices: row.paidInvoices,
      earning_invoices: row.earningInvoices,
      earned_cents: earned.get(row.bindingId) ?? 0n,
      bound_at: isoTime(row.boundAt),
      ended_at: life.state === 'ended' ? isoTime(life.occurredAt ?? life.recordedAt) : null,
      attribution_explanation: row.comparedAtBind && explainAttribution(row.comparedAtBind, speech),
    };
  };
}

function liveTerms({ attribution: claim }: Relationship) {
  invariant(claim.environment === 'live', 'a test relationship is only in the tracking log');
  return claim;
}

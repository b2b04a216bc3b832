import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { explainAnotherCreator, explainOwnCodes, ownCodeBecause } from '../contract/explain-attribution.ts';
import { explain } from '../contract/explain.ts';
import type { Speech } from '../contract/speech.ts';
import { speechToCreators } from '../contract/speech-to-creators.ts';
import { attributionRules } from '../contract/why.ts';
import { linkUrl } from '../creators/links.ts';
import { findLinkNumber } from '../creators/creator-links-sql.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { partSortedListEndpoint } from '../people/list-endpoint.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { plusDays } from '../core/time.ts';
import { compareRows } from '../db/list-order.ts';
import { countRefusedOrders, listRefusedOrders, refusedOrderSorts, type ListedRefusedOrder } from '../creators/refused-orders-sql.ts';
import { paginateStores, requestedStores, type StoreRow } from './paginate-stores.ts';
import { listLinkCodes, listRecordedLater, listSubIds } from './sales-sql.ts';

const codeLengthMax = 64;
const countedDays = 30;
const countedMax = 1_000;

/** Without order ID, amounts, and customer, which are the merchant's data. */
const refusedOrderJson = namedObject('RefusedOrder', {
  id: T.String(),
  at: T.String({ description: 'When the store reported it' }),
  kind: T.Enum(['order', 'subscription', 'lead']),
  reason: T.String(),
  message: T.String({
    description: 'The explanation, with the compared times, in the language of the Accept-Language header, English by default',
  }),
  facts: T.Object(
    {
      occurred_at: orNull(T.String()),
      clicked_at: orNull(T.String({ description: 'The time of your click' })),
      attribution_days: orNull(T.Integer()),
      currency: orNull(T.String()),
      rule: orNull(T.Enum([...attributionRules], { description: 'Why another creator earns the order' })),
      codes: T.Array(T.Object({ code: T.String(), because: T.String() }), { description: 'Your codes, and why each does not count' }),
    },
    { description: 'What was compared, for an explanation in another language' },
  ),
  store_id: T.String(),
  store_name: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  link_code: orNull(T.String()),
  link_url: orNull(T.String()),
  sub_id: orNull(T.String({ description: 'The sub-ID that you added to the link as ?sub=' })),
  was_recorded_later: T.Boolean({ description: 'True if the store corrected the order and sent it again; it is in the commissions' }),
});

export const listRefusedOrdersEndpoint = partSortedListEndpoint({
  summary: "List the orders with a creator's clicks or codes that earned them nothing, of all stores, newest first, with the reason",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...pageFields,
      store_id: T.Optional(idField()),
      link: T.Optional(T.String({ maxLength: codeLengthMax, pattern: '^[A-Za-z0-9_-]*$', description: 'The code of one of your links' })),
      ...sortField(refusedOrderSorts),
    },
    { additionalProperties: false },
  ),
  item: refusedOrderJson,
  readFilter: () => null,
  async rows({ db, ids: { creator: creatorId }, query: { store_id: store, link } }, page) {
    const storeIds = await requestedStores(db, creatorId, store);
    const linkNumber = link === undefined ? null : await findLinkNumber(db, { creatorId, storeIds, code: link });
    if (link !== undefined && linkNumber === null) return [];
    return paginateStores(storeIds, {
      read: (storeId) => listRefusedOrders(db, { storeId, creatorId, linkNumber }, page),
      order: compareRows(page.order),
      limit: page.limit,
    });
  },
  renderer: ({ platform, db, ids, request }, found) => {
    const speech = speechToCreators(request.language);
    return loadRefusedOrderRenderer(db, { creatorId: ids.creator, baseUrl: platform.config.baseUrl, speech }, found);
  },
  sorts: refusedOrderSorts,
  sortedPart: ({ row }) => row,
});

export const countRefusedOrdersEndpoint = endpoint({
  summary: "Count the orders with a creator's clicks or codes that earned them nothing in the last 30 days, up to 1,000",
  access: { allow: 'creator', permission: 'creator:read' },
  reply: T.Object({ days: T.Integer(), refused: T.Integer(), is_exact: T.Boolean() }),
  async handle({ db, ids: { creator: creatorId }, now }) {
    let refused = 0;
    for (const storeId of await requestedStores(db, creatorId, undefined)) {
      if (refused > countedMax) break;
      refused += await countRefusedOrders(db, { storeId, creatorId, since: plusDays(now, -countedDays), most: countedMax - refused });
    }
    return { days: countedDays, refused: Math.min(refused, countedMax), is_exact: refused <= countedMax };
  },
});

function explainToCreator({ operation, reason, why }: ListedRefusedOrder, speech: Speech): string {
  if (reason === 'another_creator') return explainAnotherCreator(kindOf[operation], why, speech);
  if (reason === 'code_does_not_count') return explainOwnCodes(kindOf[operation], why, speech);
  return explain({ operation, reason, why }, speech);
}

/** Nothing of the other creator, whose click is also in the comparison. */
function factsOf({ reason, why }: ListedRefusedOrder): Static<typeof refusedOrderJson>['facts'] {
  const { occurred_at: occurred = null, rejected_codes: rejected = [] } = why;
  const facts = { occurred_at: occurred, clicked_at: null, attribution_days: null, currency: null, rule: null, codes: [] };
  if (reason === 'another_creator') return { ...facts, clicked_at: why.compared?.clicked_at ?? null, rule: why.rule ?? null };
  if (reason === 'code_does_not_count')
    return { ...facts, codes: rejected.map(({ discount_code: code, because }) => ({ code, because: ownCodeBecause(because) })) };
  return {
    ...facts,
    clicked_at: why.clicked_at ?? null,
    attribution_days: reason === 'attribution_window_expired' ? (why.attribution_days ?? null) : null,
    currency: reason === 'unsupported_pricing_currency' ? (why.currency ?? null) : null,
  };
}

const kindOf = { conversion: 'order', relationship: 'subscription', lead: 'lead' } as const;

type RefusedRow = StoreRow<ListedRefusedOrder>;
type Reading = { readonly creatorId: Id<'crt'>; readonly baseUrl: string; readonly speech: Speech };

/** Loads the related rows of a page in one query for each store and table. */
async function loadRefusedOrderRenderer(
  db: Queryable,
  { creatorId, baseUrl, speech }: Reading,
  found: readonly RefusedRow[],
): Promise<(refused: RefusedRow) => Static<typeof refusedOrderJson>> {
  const stores = await storesById(
    db,
    found.map(({ storeId }) => storeId),
  );
  const programs = await programsByName(
    db,
    found.map(({ storeId, row }) => ({ storeId, programId: row.programId })),
  );
  const [subIds, codes, later] = [new Map<string, string>(), new Map<bigint, string>(), new Set<string>()];
  for (const [storeId, of] of Map.groupBy(found, (one) => one.storeId)) {
    const rows = of.map(({ row }) => row);
    for (const one of await listSubIds(db, { storeId, clickIds: rows.flatMap(({ clickId }) => clickId ?? []) }))
      subIds.set(one.clickId, one.subId);
    for (const one of await listLinkCodes(db, { storeId, linkNumbers: rows.map(({ linkNumber }) => linkNumber) }))
      codes.set(one.linkNumber, one.code);
    for (const operation of ['conversion', 'lead'] as const) {
      const hashes = rows.filter((row) => row.operation === operation).map(({ subjectHash }) => subjectHash);
      for (const hash of await listRecordedLater(db, { storeId, creatorId, operation, hashes }))
        later.add(`${storeId} ${operation} ${hash}`);
    }
  }
  return ({ storeId, row }) => {
    const [store, program] = [stores.get(storeId), programs.get(row.programId)];
    invariant(store !== undefined && program !== undefined, 'stores and programs are never deleted');
    const code = codes.get(row.linkNumber) ?? null;
    const { operation, reason } = row;
    return {
      id: publicId('refu', row.refusalId),
      at: isoTime(row.at),
      kind: kindOf[operation],
      reason,
      message: explainToCreator(row, speech),
      facts: factsOf(row),
      store_id: publicId('store', storeId),
      store_name: store.name,
      program_id: publicId('prog', row.programId),
      program_name: program.name,
      link_code: code,
      link_url: code === null ? null : linkUrl(baseUrl, code),
      sub_id: (row.clickId && subIds.get(row.clickId)) ?? null,
      was_recorded_later: later.has(`${storeId} ${operation} ${row.subjectHash.toString('hex')}`),
    };
  };
}

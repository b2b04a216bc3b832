import { Type as T } from 'typebox';
import { speechToCreators } from '../contract/speech-to-creators.ts';
import { commissionFilterFields, parseCommissionFilter } from '../commissions/commission-filter.ts';
import { findCommission, listCommissions, listedCommissionSorts, type ListedCommission } from '../commissions/list-commissions-sql.ts';
import { endpoint, type RequestFacts } from '../people/endpoint.ts';
import type { Platform } from '../runtime/platform.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { searchField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { publicId, type Id } from '../core/ids.ts';
import { compareRows, orderOf } from '../db/list-order.ts';
import { paginateStores, requestedStores } from './paginate-stores.ts';
import { saleJson } from './sale-json.ts';
import { loadSaleRenderer } from './sale-json.ts';
import { partSortedListEndpoint } from '../people/list-endpoint.ts';

const { state, held, from, to } = commissionFilterFields;

export const listSalesEndpoint = partSortedListEndpoint({
  summary: "List a creator's commissions in all stores with their explanations and payment dates, newest first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...pageFields,
      state,
      held,
      from,
      to,
      store_id: T.Optional(idField()),
      q: searchField('A part of an order_id, invoice_id, or lead_id, ignoring case'),
      ...sortField(listedCommissionSorts),
    },
    { additionalProperties: false },
  ),
  item: saleJson,
  readFilter({ ids, query: { cursor: _cursor, limit: _limit, sort: _sort, store_id: _store, q, ...fields }, now }) {
    const filter = parseCommissionFilter({ ...fields, creator_id: publicId('crt', ids.creator) }, '', now);
    return isRefusal(filter) ? filter : { ...filter, sourceIdPart: q ?? null };
  },
  rows: async ({ db, ids, query, filter }, page) =>
    paginateStores(await requestedStores(db, ids.creator, query.store_id), {
      read: (storeId) => listCommissions(db, storeId, filter, page),
      order: compareRows(page.order),
      limit: page.limit,
    }),
  renderer: (context, sales) => loadSaleRenderer(context.db, sales, readingOf(context)),
  sorts: listedCommissionSorts,
  sortedPart: ({ row }) => row,
});

export const getSaleEndpoint = endpoint({
  summary: "Get a creator's commission with its explanation and payment date",
  access: { allow: 'creator', permission: 'creator:read' },
  ids: { commission: 'com' },
  reply: saleJson,
  async handle(context) {
    const { db, ids } = context;
    const found = await paginateStores(await requestedStores(db, ids.creator, undefined), {
      read: async (storeId) => [await findCommission(db, { storeId, commissionId: ids.commission })].flatMap((row) => row ?? []),
      order: latestFirst,
      limit: 1,
    });
    const [sale] = found.filter(({ row }) => row.creatorId === ids.creator);
    if (sale === undefined) return notFound;
    return (await loadSaleRenderer(db, [sale], readingOf(context)))(sale);
  },
});

const latestFirst = compareRows<ListedCommission>(orderOf(listedCommissionSorts));

type Context = {
  readonly platform: Platform;
  readonly ids: { readonly creator: Id<'crt'> };
  readonly request: RequestFacts;
  readonly now: Date;
};

const readingOf = ({ platform, ids, request, now }: Context) => ({
  creatorId: ids.creator,
  mode: platform.config.mode,
  now,
  speech: speechToCreators(request.language),
});

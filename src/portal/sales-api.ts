import { Type as T } from 'typebox';
import { commissionFilterFields, readCommissionFilter } from '../commissions/filter.ts';
import { findCommission, listCommissions, type ListedCommission } from '../commissions/list-sql.ts';
import { positionOf, positionShapes } from '../commissions/position.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../platform/http/answers.ts';
import { pageFields, pageOf, pageReply, readPage } from '../platform/http/page.ts';
import { publicId } from '../platform/ids.ts';
import { acrossStores, newerFirst, storesAsked } from './across-stores.ts';
import { saleJson } from './sale-json.ts';
import { showingSales } from './sales.ts';

const idLengthMax = 40;
const { state, held, from, to } = commissionFilterFields;

export const listSalesEndpoint = endpoint({
  summary: "A creator's commissions in all stores, the latest first: what each earns, why, and when it is paid",
  access: { who: 'creator', permission: 'creator:read' },
  query: T.Object(
    { ...pageFields, state, held, from, to, store_id: T.Optional(T.String({ maxLength: idLengthMax })) },
    { additionalProperties: false },
  ),
  reply: pageOf(saleJson),
  async handle({ platform, db, ids, query, now }) {
    const { cursor: _cursor, limit: _limit, store_id: store, ...fields } = query;
    const filter = readCommissionFilter({ ...fields, creator_id: publicId('crt', ids.creator) }, '', now);
    if (isRefusal(filter)) return filter;
    const page = readPage(query, positionShapes);
    if (isRefusal(page)) return page;
    const sales = await acrossStores(await storesAsked(db, ids.creator, store), {
      read: (storeId) => listCommissions(db, storeId, filter, page),
      order: latestFirst,
      limit: page.limit,
    });
    return pageReply(sales, page, await showingSales(db, sales, { creatorId: ids.creator, mode: platform.config.mode, now }), ({ row }) =>
      positionOf(row),
    );
  },
});

export const getSaleEndpoint = endpoint({
  summary: "One of a creator's commissions, in whichever store: what it earns, why, and when it is paid",
  access: { who: 'creator', permission: 'creator:read' },
  ids: { commission: 'com' },
  reply: saleJson,
  async handle({ platform, db, ids, now }) {
    const found = await acrossStores(await storesAsked(db, ids.creator, undefined), {
      read: async (storeId) => [await findCommission(db, { storeId, commissionId: ids.commission })].flatMap((row) => row ?? []),
      order: latestFirst,
      limit: 1,
    });
    const [sale] = found.filter(({ row }) => row.creatorId === ids.creator);
    if (sale === undefined) return notFound;
    return (await showingSales(db, [sale], { creatorId: ids.creator, mode: platform.config.mode, now }))(sale);
  },
});

const latestFirst = (one: ListedCommission, other: ListedCommission): number =>
  other.occurredAt.getTime() - one.occurredAt.getTime() || newerFirst(one.commissionId, other.commissionId);

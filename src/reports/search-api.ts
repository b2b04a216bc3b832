import { Type as T } from 'typebox';
import { listInvoices, invoiceSorts } from '../billing/invoices-sql.ts';
import { invoiceJson, showInvoice } from '../billing/invoice-json.ts';
import { noFilter } from '../commissions/commission-filter.ts';
import { findCommission, listCommissions, type ListedCommission } from '../commissions/list-commissions-sql.ts';
import { textLengthMax } from '../contract/fields.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { maskKeys } from '../core/mask-keys.ts';
import type { Queryable } from '../db/database.ts';
import { orderOf } from '../db/list-order.ts';
import { namedObject, searchText } from '../http/fields.ts';
import { findProgram, listPrograms, type Program } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { commissionJson, loadCommissionRenderer } from '../review/commission-json.ts';
import { relationshipStates } from '../subscriptions/relationship-states.ts';
import { findCommissionsOfCustomer, findCreatorsOfStore, findSubscriptionsByStart, type StoreSearch } from './search-sql.ts';

/** Of each kind. A list shows all matches, with the same `q`. */
const resultsMax = 5;

export const searchStoreEndpoint = endpoint({
  summary: `Search a store: the first ${resultsMax} matches of each kind`,
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    { q: searchText('The beginning or the end of an ID or a name, or a part of the name of a creator or a program', textLengthMax) },
    { additionalProperties: false },
  ),
  reply: namedObject('StoreSearch', {
    commissions: T.Array(commissionJson, { description: 'By the ID or name of the order, or the ID of the invoice; latest first' }),
    customer_orders: T.Array(commissionJson, { description: 'Orders with exactly this customer_id, latest first' }),
    subscriptions: T.Array(
      namedObject('FoundSubscription', {
        id: T.String(),
        relationship_id: T.String(),
        state: T.Enum(relationshipStates),
        creator_name: T.String(),
      }),
      { description: 'By a prefix of the relationship_id' },
    ),
    creators: T.Array(namedObject('FoundCreator', { id: T.String(), name: T.String() })),
    programs: T.Array(namedObject('FoundProgram', { id: T.String(), name: T.String(), status: T.Enum(['draft', 'published', 'paused']) })),
    invoices: T.Array(invoiceJson, { description: 'By a part of the number' }),
  }),
  async handle({ db, ids, query }) {
    const search: StoreSearch = { storeId: ids.store, text: maskKeys(query.q).text, limit: resultsMax };
    const [commissions, customerOrders, subscriptions, creators, programs, invoices] = await Promise.all([
      findCommissions(db, search),
      findCustomerOrders(db, search),
      findSubscriptionsByStart(db, search),
      findCreatorsOfStore(db, search),
      findPrograms(db, search),
      findInvoices(db, search),
    ]);
    const showCommission = await loadCommissionRenderer(db, ids.store, [...commissions, ...customerOrders]);
    const names = await creatorNames(
      db,
      subscriptions.map(({ creatorId }) => creatorId),
    );
    return {
      commissions: commissions.map(showCommission),
      customer_orders: customerOrders.map(showCommission),
      subscriptions: subscriptions.map(({ bindingId, relationshipId, state, creatorId }) => ({
        id: publicId('bind', bindingId),
        relationship_id: relationshipId,
        state,
        creator_name: names.get(creatorId) ?? '',
      })),
      creators: creators.map(({ creatorId, name }) => ({ id: publicId('crt', creatorId), name })),
      programs: programs.map(({ programId, name, status }) => ({ id: publicId('prog', programId), name, status })),
      invoices: invoices.map(showInvoice),
    };
  },
});

/** The whole ID or name comes first: newer orders may begin with it. */
async function findCommissions(db: Queryable, { storeId, text, limit }: StoreSearch): Promise<readonly ListedCommission[]> {
  const commissionId = readPublicId('com', text);
  if (commissionId !== null) return onlyFound(await findCommission(db, { storeId, commissionId }));
  const [whole, parts] = await Promise.all(
    [true, false].map((isWhole) =>
      listCommissions(db, storeId, { ...noFilter, source: { text, isWhole } }, { after: null, limit: limit - 1 }),
    ),
  );
  const byId = new Map([...(whole ?? []), ...(parts ?? [])].map((commission) => [commission.commissionId, commission]));
  return [...byId.values()].slice(0, limit);
}

async function findCustomerOrders(db: Queryable, search: StoreSearch): Promise<readonly ListedCommission[]> {
  const commissionIds = await findCommissionsOfCustomer(db, search);
  const read = (commissionId: Id<'com'>) => findCommission(db, { storeId: search.storeId, commissionId });
  return (await Promise.all(commissionIds.map(read))).filter((commission) => commission !== null);
}

async function findPrograms(db: Queryable, { storeId, text, limit }: StoreSearch): Promise<readonly Program[]> {
  const programId = readPublicId('prog', text);
  if (programId !== null) return onlyFound(await findProgram(db, { storeId, programId }));
  return listPrograms(db, storeId, { after: null, limit: limit - 1, search: text });
}

const findInvoices = (db: Queryable, { storeId, text, limit }: StoreSearch) =>
  listInvoices(
    db,
    storeId,
    { state: null, from: null, to: null, search: text },
    { after: null, limit: limit - 1, order: orderOf(invoiceSorts) },
  );

const onlyFound = <Row>(row: Row | null): readonly Row[] => (row === null ? [] : [row]);

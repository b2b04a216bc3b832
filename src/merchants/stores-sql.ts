import type { Queryable } from '../db/database.ts';
import { containsText } from '../db/like-pattern.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql, uuids, type Sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import { boundedKeysetPages, type KeysetBounds } from '../db/keyset-pages.ts';

export type Store = {
  readonly storeId: Id<'store'>;
  readonly name: string;
  readonly siteUrl: string;
  readonly trackingKey: string;
  readonly trackingOnAt: Date | null;
  readonly integrationDisabledAt: Date | null;
  readonly pastDueAt: Date | null;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
};

export type StoreStatus = 'active' | 'past_due' | 'archived';

export function statusOf({ archivedAt, pastDueAt }: Pick<Store, 'archivedAt' | 'pastDueAt'>): StoreStatus {
  if (archivedAt !== null) return 'archived';
  return pastDueAt === null ? 'active' : 'past_due';
}

const columns = sql`store_id, name, site_url, tracking_key, tracking_on_at, integration_disabled_at, past_due_at, archived_at, created_at`;

/** False if the tracking key is taken. The directory makes it unique across stores. */
export async function claimTrackingKey(db: Queryable, { storeId, trackingKey }: Pick<Store, 'storeId' | 'trackingKey'>): Promise<boolean> {
  return (
    (await db.run(sql`insert into tracking_keys (tracking_key, store_id) values (${trackingKey}, ${storeId}) on conflict do nothing`)) === 1
  );
}

export async function insertStore(
  db: Queryable,
  store: Pick<Store, 'storeId' | 'name' | 'siteUrl' | 'trackingKey' | 'createdAt'>,
): Promise<Store> {
  return db.one(sql`
    insert into stores (store_id, name, site_url, tracking_key, created_at)
    values (${store.storeId}, ${store.name}, ${store.siteUrl}, ${store.trackingKey}, ${store.createdAt})
    returning ${columns}`);
}

export async function findStore(db: Queryable, storeId: Id<'store'>): Promise<Store | null> {
  return db.find(sql`select ${columns} from stores where store_id = ${storeId}`);
}

export async function storeExists(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  return (await db.find(sql`select 1 as one from stores where store_id = ${storeId}`)) !== null;
}

/**
 * Serializes transactions that count rows of a store before they add one. Weaker than `for update`, so that rows that refer to the store
 * (orders, clicks) can still be written.
 */
export async function lockStore(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.one(sql`select store_id from stores where store_id = ${storeId} for no key update`);
}

/**
 * A shared lock that conflicts with `lockStore`: a landing page that was checked against the store's site is stored before the site
 * changes, or is checked against the new one. Take it before the locks of the store's programs and members.
 */
export async function findAndShareStore(db: Queryable, storeId: Id<'store'>): Promise<Store | null> {
  return db.find(sql`select ${columns} from stores where store_id = ${storeId} for share`);
}

const storeIdColumn: SortColumn<Store> = { expression: sql`store_id`, type: 'uuid', value: ({ storeId }) => storeId };

/** By primary key, whose IDs grow with time, or by the index stores_in_name_order. */
export const storeSorts: ListSorts<Store> = {
  columns: { created_at: storeIdColumn, name: { expression: sql`lower(name)`, type: 'text', value: ({ name }) => name } },
  unique: storeIdColumn,
  defaultSort: '-created_at',
};

const newestFirst = orderOf(storeSorts);

type StoresPage = Page & { readonly search?: string | null; readonly order?: ListOrder<Store> };

/** A part of the name or of the site's address, or the public ID. Reads each store until the page is full. */
function matching(search: string | null): Sql {
  if (search === null) return emptySql;
  const storeId = readPublicId('store', search);
  if (storeId !== null) return sql`and store_id = ${storeId}`;
  return sql`and (${containsText(sql`name`, search)} or ${containsText(sql`site_url`, search)})`;
}

/** By primary key. Newest first by default. */
export async function storesOf(
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
  { after, limit, search = null, order = newestFirst }: StoresPage,
): Promise<Store[]> {
  return db.all(sql`
    select ${columns} from stores
    where store_id = any(${uuids(storeIds)}) ${matching(search)} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

/** By primary key, for the related stores of one page. */
export async function storesById(db: Queryable, ids: ReadonlyArray<Id<'store'>>): Promise<ReadonlyMap<Id<'store'>, Store>> {
  const wanted = [...new Set(ids)];
  return new Map((await storesOf(db, wanted, { after: null, limit: wanted.length })).map((store) => [store.storeId, store]));
}

/** All stores, newest first by default; for operators only. */
export async function allStores(db: Queryable, { after, limit, search = null, order = newestFirst }: StoresPage): Promise<Store[]> {
  return db.all(sql`
    select ${columns} from stores where true ${matching(search)} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

/** All stores for a job, newest first. */
export const pagesOfStores = (db: Queryable, bounds: KeysetBounds): AsyncGenerator<readonly Store[]> =>
  boundedKeysetPages(
    bounds,
    ({ storeId }: Store) => storeId,
    // The list returns one row more than its limit.
    ({ after, limit }) => allStores(db, { after: after === null ? null : [after], limit: limit - 1 }),
  );

export async function renameStore(db: Queryable, { storeId, name }: Pick<Store, 'storeId' | 'name'>): Promise<void> {
  await db.run(sql`update stores set name = ${name} where store_id = ${storeId}`);
}

type At = { readonly storeId: Id<'store'>; readonly at: Date | null };

/** Archiving again keeps the first time; null unarchives. */
export async function setArchived(db: Queryable, { storeId, at }: At): Promise<Store> {
  return db.one(sql`
    update stores set archived_at = case when ${at}::timestamptz is null then null else coalesce(archived_at, ${at}) end
    where store_id = ${storeId} returning ${columns}`);
}

/** The links of a past-due store give no click IDs. Keeps the first time; null ends it. Returns whether anything changed. */
export async function setPastDue(db: Queryable, { storeId, at }: At): Promise<boolean> {
  const changed = await db.run(sql`
    update stores set past_due_at = ${at}
    where store_id = ${storeId} and (past_due_at is null) = (${at}::timestamptz is not null)`);
  return changed === 1;
}

export async function setIntegrationDisabled(db: Queryable, { storeId, at }: At): Promise<Store> {
  return db.one(sql`
    update stores
    set integration_disabled_at = case when ${at}::timestamptz is null then null else coalesce(integration_disabled_at, ${at}) end
    where store_id = ${storeId} returning ${columns}`);
}

/** Tracking remains on after the first test order; later ones write nothing. */
export async function turnTrackingOn(db: Queryable, storeId: Id<'store'>, at: Date): Promise<void> {
  await db.run(sql`update stores set tracking_on_at = ${at} where store_id = ${storeId} and tracking_on_at is null`);
}

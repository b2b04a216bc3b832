import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** A store whose Shopify shop is connected. The secrets are sealed. */
export type ShopifyConnection = {
  readonly storeId: Id<'store'>;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly shop: string;
  readonly clientId: string | null;
  readonly clientSecretSealed: Buffer | null;
  readonly tokenSealed: Buffer;
  readonly tokenExpiresAt: Date | null;
  readonly refreshTokenSealed: Buffer | null;
  readonly connectedAt: Date;
  readonly webhooksAt: Date | null;
  readonly webhooksProblem: string | null;
  readonly pixelProblem: string | null;
  readonly comparedUntil: Date;
  readonly compareProblem: string | null;
  readonly uninstallReportedAt: Date | null;
  readonly rejectedAt: Date | null;
  readonly rejectedWhy: string | null;
};

const columns = sql`
  store_id, postback_key_id, shop, client_id, client_secret_sealed, token_sealed, token_expires_at, refresh_token_sealed, connected_at,
  webhooks_at, webhooks_problem, pixel_problem, compared_until, compare_problem, uninstall_reported_at, rejected_at, rejected_why`;

export const findConnection = (db: Queryable, storeId: Id<'store'>): Promise<ShopifyConnection | null> =>
  db.find(sql`select ${columns} from shopify_connections where store_id = ${storeId}`);

/** Locks the connection until the transaction ends. */
export const lockConnection = (db: Queryable, storeId: Id<'store'>): Promise<ShopifyConnection | null> =>
  db.find(sql`select ${columns} from shopify_connections where store_id = ${storeId} for update`);

/** False if another store has the shop. The directory makes it unique across stores. */
export async function claimShop(
  db: Queryable,
  { shop, storeId }: { readonly shop: string; readonly storeId: Id<'store'> },
): Promise<boolean> {
  await db.run(sql`insert into shopify_shops (shop, store_id) values (${shop}, ${storeId}) on conflict (shop) do nothing`);
  return (await findStoreOfShop(db, shop)) === storeId;
}

export async function findStoreOfShop(db: Queryable, shop: string): Promise<Id<'store'> | null> {
  const row = await db.find<{ storeId: Id<'store'> }>(sql`select store_id from shopify_shops where shop = ${shop}`);
  return row?.storeId ?? null;
}

type Saved = Pick<
  ShopifyConnection,
  | 'storeId'
  | 'postbackKeyId'
  | 'shop'
  | 'clientId'
  | 'clientSecretSealed'
  | 'tokenSealed'
  | 'tokenExpiresAt'
  | 'refreshTokenSealed'
  | 'connectedAt'
  | 'comparedUntil'
>;

/** What was rejected or failed with earlier secrets says nothing about the new ones. */
export async function saveConnection(db: Queryable, saved: Saved): Promise<void> {
  await db.run(sql`
    insert into shopify_connections (store_id, postback_key_id, shop, client_id, client_secret_sealed, token_sealed, token_expires_at,
      refresh_token_sealed, connected_at, compared_until)
    values (${saved.storeId}, ${saved.postbackKeyId}, ${saved.shop}, ${saved.clientId}, ${saved.clientSecretSealed}, ${saved.tokenSealed},
      ${saved.tokenExpiresAt}, ${saved.refreshTokenSealed}, ${saved.connectedAt}, ${saved.comparedUntil})
    on conflict (store_id) do update set
      client_id = excluded.client_id, client_secret_sealed = excluded.client_secret_sealed, token_sealed = excluded.token_sealed,
      token_expires_at = excluded.token_expires_at, refresh_token_sealed = excluded.refresh_token_sealed, webhooks_at = null,
      webhooks_problem = null, pixel_problem = null, compare_problem = null, uninstall_reported_at = null, rejected_at = null,
      rejected_why = null`);
}

type SavedToken = Pick<ShopifyConnection, 'storeId' | 'tokenSealed' | 'tokenExpiresAt' | 'refreshTokenSealed'>;

export async function saveToken(db: Queryable, saved: SavedToken): Promise<void> {
  await db.run(sql`
    update shopify_connections set token_sealed = ${saved.tokenSealed}, token_expires_at = ${saved.tokenExpiresAt},
      refresh_token_sealed = ${saved.refreshTokenSealed}
    where store_id = ${saved.storeId}`);
}

type SavedSetup = Pick<ShopifyConnection, 'storeId' | 'webhooksAt' | 'webhooksProblem' | 'pixelProblem'>;

export async function saveSetup(db: Queryable, saved: SavedSetup): Promise<void> {
  await db.run(sql`
    update shopify_connections set webhooks_at = ${saved.webhooksAt}, webhooks_problem = ${saved.webhooksProblem},
      pixel_problem = ${saved.pixelProblem}
    where store_id = ${saved.storeId}`);
}

type SavedComparison = Pick<ShopifyConnection, 'storeId' | 'comparedUntil' | 'compareProblem'>;

export async function saveComparison(db: Queryable, saved: SavedComparison): Promise<void> {
  await db.run(sql`
    update shopify_connections set compared_until = ${saved.comparedUntil}, compare_problem = ${saved.compareProblem}
    where store_id = ${saved.storeId}`);
}

export async function saveUninstallReport(db: Queryable, storeId: Id<'store'>, at: Date | null): Promise<void> {
  await db.run(sql`update shopify_connections set uninstall_reported_at = ${at} where store_id = ${storeId}`);
}

type Rejection = { readonly storeId: Id<'store'>; readonly at: Date; readonly why: string; readonly unlessAfter: Date };

/** Everyone can send a wrong signature, so most of many rejections write nothing. */
export async function saveRejection(db: Queryable, { storeId, at, why, unlessAfter }: Rejection): Promise<void> {
  await db.run(sql`
    update shopify_connections set rejected_at = ${at}, rejected_why = ${why}
    where store_id = ${storeId} and (rejected_at is null or rejected_at < ${unlessAfter})`);
}

/** Everything that came from the shop. Orders and commissions remain: they are the store's own. */
export async function deleteConnection(db: Queryable, { storeId, shop }: Pick<ShopifyConnection, 'storeId' | 'shop'>): Promise<void> {
  await db.run(sql`delete from shopify_clicks where store_id = ${storeId}`);
  await db.run(sql`delete from shopify_orders where store_id = ${storeId}`);
  await db.run(sql`delete from shopify_installs where store_id = ${storeId}`);
  await db.run(sql`delete from shopify_connections where store_id = ${storeId}`);
  await db.run(sql`delete from shopify_shops where shop = ${shop} and store_id = ${storeId}`);
}

/** Pages through the connected stores. */
export async function listConnectedStores(db: Queryable, after: Id<'store'> | null, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from shopify_connections ${after === null ? emptySql : sql`where store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

type Install = { readonly storeId: Id<'store'>; readonly stateHash: Buffer; readonly shop: string; readonly begunBy: Id<'user'> };

export async function insertInstall(db: Queryable, install: Install & { readonly expiresAt: Date; readonly now: Date }): Promise<void> {
  await db.run(sql`delete from shopify_installs where store_id = ${install.storeId} and expires_at < ${install.now}`);
  await db.run(sql`
    insert into shopify_installs (store_id, state_hash, shop, begun_by, expires_at)
    values (${install.storeId}, ${install.stateHash}, ${install.shop}, ${install.begunBy}, ${install.expiresAt})`);
}

/** Each state is used once, whatever follows. */
export const takeInstall = (
  db: Queryable,
  { storeId, stateHash, now }: Pick<Install, 'storeId' | 'stateHash'> & { readonly now: Date },
): Promise<Pick<Install, 'shop' | 'begunBy'> | null> =>
  db.find(sql`
    delete from shopify_installs where store_id = ${storeId} and state_hash = ${stateHash} and expires_at > ${now}
    returning shop, begun_by`);

import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts } from '../db/sql.ts';
import { jsonText } from '../core/json.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { DisabledReason, WebhookEndpoint, WebhookKey } from './webhook-endpoint.ts';

const columns = sql`
  store_id, webhook_endpoint_id as endpoint_id, url, description, events, created_at, listens_from, added_from,
  failing_since, disabled_at, disabled_why`;

type New = Pick<WebhookEndpoint, 'storeId' | 'endpointId' | 'url' | 'description' | 'events' | 'createdAt'>;

export const insertEndpoint = (db: Queryable, made: New): Promise<WebhookEndpoint> =>
  db.one(sql`
    insert into webhook_endpoints (store_id, webhook_endpoint_id, url, description, events, created_at, listens_from)
    values (${made.storeId}, ${made.endpointId}, ${made.url}, ${made.description}, ${texts(made.events)}, ${made.createdAt},
      ${made.createdAt})
    returning ${columns}`);

/** Newest first. */
export const listEndpoints = (db: Queryable, storeId: Id<'store'>, { after, limit }: Page): Promise<WebhookEndpoint[]> =>
  db.all(sql`
    select ${columns} from webhook_endpoints
    where store_id = ${storeId} and deleted_at is null ${after === null ? emptySql : sql`and webhook_endpoint_id < ${after[0]}`}
    order by webhook_endpoint_id desc limit ${limit + 1}`);

export async function countEndpoints(db: Queryable, storeId: Id<'store'>): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from webhook_endpoints where store_id = ${storeId} and deleted_at is null`);
  return Number(count);
}

/** Enabled endpoints. A store has a handful. */
export const listEnabledEndpoints = (db: Queryable, storeId: Id<'store'>): Promise<WebhookEndpoint[]> =>
  db.all(sql`
    select ${columns} from webhook_endpoints
    where store_id = ${storeId} and deleted_at is null and disabled_at is null order by webhook_endpoint_id`);

export const findEndpoint = (db: Queryable, { storeId, endpointId }: WebhookKey): Promise<WebhookEndpoint | null> =>
  db.find(sql`
    select ${columns} from webhook_endpoints
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and deleted_at is null`);

/** Locks the endpoint until the transaction ends. */
export const lockEndpoint = (db: Queryable, { storeId, endpointId }: WebhookKey): Promise<WebhookEndpoint | null> =>
  db.find(sql`
    select ${columns} from webhook_endpoints
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and deleted_at is null for update`);

export type EndpointChange = Pick<WebhookEndpoint, 'url' | 'description' | 'events' | 'listensFrom' | 'addedFrom' | 'failingSince'> & {
  readonly disabledAt: Date | null;
  readonly disabledWhy: DisabledReason | null;
};

/** The caller must hold the endpoint lock. */
export const changeEndpoint = (db: Queryable, { storeId, endpointId }: WebhookKey, next: EndpointChange): Promise<WebhookEndpoint> =>
  db.one(sql`
    update webhook_endpoints set url = ${next.url}, description = ${next.description}, events = ${texts(next.events)},
      listens_from = ${next.listensFrom}, added_from = ${jsonText(next.addedFrom)}::jsonb,
      failing_since = ${next.failingSince}, disabled_at = ${next.disabledAt}, disabled_why = ${next.disabledWhy}
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} returning ${columns}`);

/** Deletes its secrets immediately. Afterwards only the audit log mentions the endpoint. */
export async function removeEndpoint(db: Queryable, { storeId, endpointId }: WebhookKey, at: Date): Promise<void> {
  await db.run(sql`delete from webhook_secrets where store_id = ${storeId} and webhook_endpoint_id = ${endpointId}`);
  await db.run(sql`
    update webhook_endpoints set deleted_at = ${at} where store_id = ${storeId} and webhook_endpoint_id = ${endpointId}`);
}

export type StoredSecret = {
  readonly secretId: Id<'whs'>;
  readonly secretSealed: Buffer;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
};

/** Valid secrets, newest first. */
export const listSecrets = (db: Queryable, { storeId, endpointId }: WebhookKey, now: Date): Promise<StoredSecret[]> =>
  db.all(sql`
    select webhook_secret_id as secret_id, secret_sealed, created_at, ends_at from webhook_secrets
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and (ends_at is null or ends_at > ${now})
    order by webhook_secret_id desc`);

export async function insertSecret(
  db: Queryable,
  { storeId, endpointId }: WebhookKey,
  { secretId, secretSealed, createdAt }: Pick<StoredSecret, 'secretId' | 'secretSealed' | 'createdAt'>,
): Promise<void> {
  await db.run(sql`
    insert into webhook_secrets (store_id, webhook_secret_id, webhook_endpoint_id, secret_sealed, created_at)
    values (${storeId}, ${secretId}, ${endpointId}, ${secretSealed}, ${createdAt})`);
}

/** Ends all secrets at that time or earlier, and deletes those that have ended. */
export async function endSecrets(db: Queryable, { storeId, endpointId }: WebhookKey, { now, endsAt }: { now: Date; endsAt: Date }) {
  await db.run(sql`
    update webhook_secrets set ends_at = least(ends_at, ${endsAt}::timestamptz)
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId}`);
  await db.run(sql`
    delete from webhook_secrets where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and ends_at <= ${now}`);
}

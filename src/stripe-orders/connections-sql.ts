import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** A store whose Stripe account sends its events here. The secrets are sealed. */
export type StripeConnection = {
  readonly storeId: Id<'store'>;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly signingSecretSealed: Buffer;
  readonly signingSecretLast4: string;
  readonly previousSecretSealed: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly apiKeySealed: Buffer | null;
  readonly apiKeyLast4: string | null;
  readonly connectedAt: Date;
  readonly rejectedAt: Date | null;
  readonly rejectedWhy: string | null;
};

const columns = sql`
  store_id, postback_key_id, signing_secret_sealed, signing_secret_last4, previous_secret_sealed, previous_secret_until,
  api_key_sealed, api_key_last4, connected_at, rejected_at, rejected_why`;

export const findConnection = (db: Queryable, storeId: Id<'store'>): Promise<StripeConnection | null> =>
  db.find(sql`select ${columns} from stripe_connections where store_id = ${storeId}`);

/** Locks the connection until the transaction ends. */
export const lockConnection = (db: Queryable, storeId: Id<'store'>): Promise<StripeConnection | null> =>
  db.find(sql`select ${columns} from stripe_connections where store_id = ${storeId} for update`);

type Saved = Omit<StripeConnection, 'rejectedAt' | 'rejectedWhy'>;

/** What was rejected with earlier secrets says nothing about the new ones. */
export async function saveConnection(db: Queryable, saved: Saved): Promise<void> {
  await db.run(sql`
    insert into stripe_connections (store_id, postback_key_id, signing_secret_sealed, signing_secret_last4, previous_secret_sealed,
      previous_secret_until, api_key_sealed, api_key_last4, connected_at)
    values (${saved.storeId}, ${saved.postbackKeyId}, ${saved.signingSecretSealed}, ${saved.signingSecretLast4},
      ${saved.previousSecretSealed}, ${saved.previousSecretUntil}, ${saved.apiKeySealed}, ${saved.apiKeyLast4}, ${saved.connectedAt})
    on conflict (store_id) do update set
      signing_secret_sealed = excluded.signing_secret_sealed, signing_secret_last4 = excluded.signing_secret_last4,
      previous_secret_sealed = excluded.previous_secret_sealed, previous_secret_until = excluded.previous_secret_until,
      api_key_sealed = excluded.api_key_sealed, api_key_last4 = excluded.api_key_last4, rejected_at = null, rejected_why = null`);
}

/** Everything that came from the store's account. Orders and commissions remain: they are the store's own. */
export async function deleteConnection(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.run(sql`delete from stripe_events where store_id = ${storeId}`);
  await db.run(sql`delete from stripe_sessions where store_id = ${storeId}`);
  await db.run(sql`delete from stripe_connections where store_id = ${storeId}`);
}

type Rejection = { readonly storeId: Id<'store'>; readonly at: Date; readonly why: string; readonly unlessAfter: Date };

/** Anybody can send a wrong signature, so that most of many rejections write nothing. */
export async function saveRejection(db: Queryable, { storeId, at, why, unlessAfter }: Rejection): Promise<void> {
  await db.run(sql`
    update stripe_connections set rejected_at = ${at}, rejected_why = ${why}
    where store_id = ${storeId} and (rejected_at is null or rejected_at < ${unlessAfter})`);
}

/** Pages through the connected stores. */
export async function listConnectedStores(db: Queryable, after: Id<'store'> | null, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from stripe_connections ${after === null ? emptySql : sql`where store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

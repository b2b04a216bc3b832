import { createManagementClient, ManagementError, type ManagementClient } from './management.ts';
import { seal, unseal } from './plugin-seal.ts';
import type { Postback } from './reports.ts';
import type { Result } from './send.ts';
import { createTributary, type Tributary } from './tributary.ts';

/** Runs a statement of PostgreSQL with `?` for its values. */
export type Sql = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
export type Row = Readonly<Record<string, unknown>>;

export type ConnectionOptions = {
  /** The URL of the service. */
  readonly url?: string | undefined;
  /** An API key of the store with the scopes `store:read`, `integration:write`, and `programs:write`. */
  readonly apiKey?: string | undefined;
};

export type Connected = {
  readonly storeId: string;
  readonly storeName: string;
  readonly api: ManagementClient;
  readonly tributary: Tributary;
};

/** The connection of a plugin to the store of its API key, in the table `tributary_connection` of the plugin. */
export type Connection = {
  /** What is wrong with the options, or null. */
  readonly problem: () => string | null;
  /** The first call creates a postback key for the plugin. Throws while the service is away. */
  readonly connect: () => Promise<Connected>;
  /** Deletes the postback key at the service and forgets the connection. This process does not connect again. */
  readonly disconnect: () => Promise<void>;
  /** Before the first connection a report waits like during an outage. */
  readonly send: (postback: Postback) => Promise<Result>;
  /** Until when orders were compared with their reports; null before the first connection. */
  readonly checkedUntil: () => Promise<Date | null>;
  readonly setCheckedUntil: (at: Date) => Promise<void>;
};

const rowId = 'connection';
const storesMax = 2;
const attemptsMax = 2;
const timeoutMs = 10_000;
const pauseMs = 60_000;

export function createConnection(sql: Sql, options: ConnectionOptions): Connection {
  let connected: Promise<Connected> | null = null;
  const connect = (): Promise<Connected> => {
    connected ??= open(sql, options).catch((error: unknown) => {
      connected = null;
      throw error;
    });
    return connected;
  };
  return {
    problem: () => problemOf(options),
    connect,
    async disconnect() {
      const row = await rowOf(sql);
      connected = Promise.reject(new Error('The plugin was removed.'));
      connected.catch(() => {});
      if (row === null) return;
      await revoke(clientsOf(options).api, { store: row.storeId, key: row.postbackKeyId });
      await sql('delete from tributary_connection where id = ?', [rowId]);
    },
    async send(postback) {
      try {
        return await (await connect()).tributary.send(postback);
      } catch (error) {
        const common = { message: messageOf(error), status: null, requestId: null, attempts: 0, postback };
        return { ok: false, outcome: 'unavailable', retry: 'later', reason: 'not_connected', retryAfterMs: pauseMs, ...common };
      }
    },
    async checkedUntil() {
      const [row] = await sql('select checked_until from tributary_connection where id = ?', [rowId]);
      return row === undefined ? null : new Date(String(row['checked_until']));
    },
    async setCheckedUntil(at) {
      await sql('update tributary_connection set checked_until = ? where id = ?', [at, rowId]);
    },
  };
}

function problemOf({ url, apiKey }: ConnectionOptions): string | null {
  if (!url) return 'The option url is missing: the URL of the service.';
  if (!apiKey?.startsWith('trb_')) return 'The option apiKey is missing: an API key of your store, which begins with trb_.';
  return null;
}

type Clients = { readonly api: ManagementClient; readonly url: string; readonly apiKey: string };

function clientsOf(options: ConnectionOptions): Clients {
  const problem = problemOf(options);
  if (problem !== null) throw new Error(problem);
  const { url = '', apiKey = '' } = options;
  return { api: createManagementClient({ url, apiKey, attemptsMax, timeoutMs }), url: url.replace(/\/+$/, ''), apiKey };
}

type ConnectionRow = {
  readonly url: string;
  readonly storeId: string;
  readonly storeName: string;
  readonly trackingKey: string;
  readonly postbackKeyId: string;
  readonly sealedPostbackKey: string;
};

async function open(sql: Sql, options: ConnectionOptions): Promise<Connected> {
  const { api, url, apiKey } = clientsOf(options);
  const row = await rowOf(sql);
  const postbackKey = row?.url === url ? unseal(row.sealedPostbackKey, apiKey) : null;
  if (row !== null && postbackKey !== null) return connectedTo(row, { api, url }, postbackKey);
  const { data: stores } = await api.get('/stores', { query: { limit: storesMax } });
  const [store] = stores;
  if (store === undefined || stores.length > 1)
    throw new Error('The API key must be of one store: create it in the settings of the store.');
  // After the API key was replaced, the earlier postback key cannot be read any more.
  if (row !== null && row.storeId === store.id) await revoke(api, { store: store.id, key: row.postbackKeyId });
  const { id, key } = await api.post('/stores/{store}/postback-keys', { path: { store: store.id } });
  const fresh: ConnectionRow = {
    url,
    storeId: store.id,
    storeName: store.name,
    trackingKey: store.tracking_key,
    postbackKeyId: id,
    sealedPostbackKey: seal(key, apiKey),
  };
  if (await keep(sql, fresh, row)) return connectedTo(fresh, { api, url }, key);
  // Another process connected at the same time.
  await revoke(api, { store: store.id, key: id });
  return open(sql, options);
}

async function keep(sql: Sql, fresh: ConnectionRow, earlier: ConnectionRow | null): Promise<boolean> {
  const { url, storeId, storeName, trackingKey, postbackKeyId, sealedPostbackKey } = fresh;
  const rows = await sql(
    `insert into tributary_connection
       (id, url, store_id, store_name, tracking_key, postback_key_id, sealed_postback_key, checked_until)
     values (?, ?, ?, ?, ?, ?, ?, now())
     on conflict (id) do update set url = excluded.url, store_id = excluded.store_id, store_name = excluded.store_name,
       tracking_key = excluded.tracking_key, postback_key_id = excluded.postback_key_id,
       sealed_postback_key = excluded.sealed_postback_key, updated_at = now()
     where tributary_connection.postback_key_id = ?
     returning id`,
    [rowId, url, storeId, storeName, trackingKey, postbackKeyId, sealedPostbackKey, earlier?.postbackKeyId ?? ''],
  );
  return rows.length > 0;
}

async function rowOf(sql: Sql): Promise<ConnectionRow | null> {
  const [row] = await sql('select * from tributary_connection where id = ?', [rowId]);
  if (row === undefined) return null;
  return {
    url: String(row['url']),
    storeId: String(row['store_id']),
    storeName: String(row['store_name']),
    trackingKey: String(row['tracking_key']),
    postbackKeyId: String(row['postback_key_id']),
    sealedPostbackKey: String(row['sealed_postback_key']),
  };
}

function connectedTo(
  { storeId, storeName, trackingKey }: ConnectionRow,
  { api, url }: Omit<Clients, 'apiKey'>,
  postbackKey: string,
): Connected {
  return { storeId, storeName, api, tributary: createTributary({ baseUrl: url, trackingKey, postbackKey }) };
}

async function revoke(api: ManagementClient, path: { readonly store: string; readonly key: string }): Promise<void> {
  await api.delete('/stores/{store}/postback-keys/{key}', { path }).catch((error: unknown) => {
    // Revoked before, in the dashboard.
    if (!(error instanceof ManagementError && error.status === 404)) throw error;
  });
}

export type Integration = {
  readonly problem: string | null;
  readonly store: { readonly id: string; readonly name: string } | null;
  readonly checks: ReadonlyArray<{ readonly check: string; readonly passed: boolean; readonly evidence: string | null }>;
};

/** The integration checks of the service, or why they cannot be read. */
export async function integrationOf(connection: Connection): Promise<Integration> {
  try {
    const { api, storeId, storeName } = await connection.connect();
    const { lights } = await api.get('/stores/{store}/integration', { path: { store: storeId } });
    const checks = lights.map(({ light, is_on: passed, seen }) => ({ check: light, passed, evidence: seen }));
    return { problem: null, store: { id: storeId, name: storeName }, checks };
  } catch (error) {
    return { problem: messageOf(error), store: null, checks: [] };
  }
}

/** What an order earned, or why it cannot be read. */
export async function commissionOf(connection: Connection, orderId: string) {
  try {
    const { api, storeId } = await connection.connect();
    const { data } = await api.get('/stores/{store}/commissions', { path: { store: storeId }, query: { order_id: orderId, limit: 1 } });
    const [found] = data;
    if (found === undefined) return { commission: null, problem: null };
    const { id, state, creator_id, creator_name, explanation, credited_code, amount_cents } = found;
    const commission = { id, state, creator_id, creator_name, explanation, credited_code, amount_cents: Number(amount_cents) };
    return { commission, problem: null };
  } catch (error) {
    return { commission: null, problem: messageOf(error) };
  }
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Creates a test link, opens it as a browser does, which the service records, and returns its click. */
export async function openTestLink({ api, storeId }: Connected): Promise<string> {
  const path = { store: storeId };
  const { click_id: click } = await api.post('/stores/{store}/test-links', { path, body: {} });
  const { data } = await api.get('/stores/{store}/test-links', { path });
  const link = data.find((one) => one.click_id === click);
  if (link !== undefined) await fetch(link.open_url, { redirect: 'manual', headers: { 'user-agent': browser, accept: 'text/html' } });
  return click;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

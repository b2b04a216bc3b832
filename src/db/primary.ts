import pg from 'pg';
import { readHosts, type Host } from '../core/database-hosts.ts';

/**
 * Connections to the primary only. After a failover the database's host name may still point to a server that is now a standby, or
 * another host of the list may be the primary, so every new connection checks which one it reached.
 */
export type Primary = { readonly connectionString: string; readonly Client: new (config?: pg.ClientConfig) => pg.Client };

/** A host that does not answer within this time is skipped; connection timeouts are longer. */
const probeTimeoutMs = 1_000;

export function createPrimary(url: string): Primary {
  const hosts = readHosts(url);
  // A unix socket URL cannot be parsed into hosts and has only one.
  const only = hosts === null || hosts.all.length === 1;
  const connectionString = hosts?.first ?? url;
  return { connectionString, Client: createClientClass(only ? null : createPrimaryFinder(hosts.all, connectionString)) };
}

function createClientClass(where: (() => Promise<Host>) | null): Primary['Client'] {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      // A connection that breaks while no query is pending would otherwise end the process: right after it was accepted, before the
      // pool listens, or between two queries of a transaction. The next query gets the error.
      this.on('error', () => {});
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary();
      if (callback === undefined) return connected;
      // The pool asks in the older way.
      // oxlint-disable promise/no-callback-in-promise
      connected.then(
        () => callback(null, this),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      if (where !== null) setHost(this, await where());
      try {
        await super.connect();
        if (await isStandby(this)) throw standby();
        return this;
      } catch (error) {
        // Not awaited: a server that does not answer does not close either.
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}

/** The client reads these properties when it connects. */
const setHost = (client: pg.Client, { name, port }: Host): void => void Object.assign(client, { host: name, port });

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]?.standby === true;
}

/** Has PostgreSQL's own code for a read-only server, so that the caller retries. */
const standby = (): Error => Object.assign(new Error('the database is a standby, which only reads'), { code: '25006' });

/**
 * Checked before every new connection and not cached: new connections are rare, and a cached answer would be wrong exactly after a
 * failover. Concurrent callers share one check.
 */
function createPrimaryFinder(hosts: readonly Host[], connectionString: string): () => Promise<Host> {
  let pending: Promise<Host> | null = null;
  async function find(): Promise<Host> {
    const found = await Promise.any(hosts.map((host) => requirePrimary(host, connectionString))).catch(() => null);
    if (found !== null) return found;
    // Same code as if a single host did not listen, which every caller handles.
    throw Object.assign(new Error('none of the hosts in DATABASE_URL is currently a primary'), { code: 'ECONNREFUSED' });
  }
  return () => (pending ??= find().finally(() => (pending = null)));
}

/** Checks all hosts concurrently, so that a host that hangs does not delay the one that answers. */
async function requirePrimary(host: Host, connectionString: string): Promise<Host> {
  const client = new pg.Client({
    connectionString,
    application_name: 'tributary primary check',
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  setHost(client, host);
  client.on('error', () => {});
  try {
    await client.connect();
    if (await isStandby(client)) throw standby();
    return host;
  } finally {
    client.end().catch(() => {});
  }
}

import pg from 'pg';
import { readHosts, type Host } from './hosts.ts';

/**
 * Connections to the primary, and to nothing else. After a failover the name of the database may still lead to a server that
 * is a standby now, or a list of hosts may have another primary than before: every new connection is asked which it is.
 */
export type Primary = { readonly connectionString: string; readonly Client: new (config?: pg.ClientConfig) => pg.Client };

/** A host that does not say within this time what it is has lost its turn; whoever wants a connection waits longer than that. */
const askMs = 1_000;

export function primaryOf(url: string): Primary {
  const hosts = readHosts(url);
  // A unix socket's address is none that can be taken apart, and has no second host.
  const only = hosts === null || hosts.all.length === 1;
  const connectionString = hosts?.first ?? url;
  return { connectionString, Client: clientThatAsks(only ? null : primaryAmong(hosts.all, connectionString)) };
}

function clientThatAsks(where: (() => Promise<Host>) | null): Primary['Client'] {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      // One that breaks while nobody waits for an answer would else end the process: right after it was let in, when a pool does not
      // listen yet, or between two questions of a transaction, when it does not listen any more. The next question hears of it.
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
      if (where !== null) leadTo(this, await where());
      try {
        await super.connect();
        if (await isStandby(this)) throw standby();
        return this;
      } catch (error) {
        // Not waited for: who does not answer does not say goodbye either.
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}

/** Where a client will connect to is told by these until it does. */
const leadTo = (client: pg.Client, { name, port }: Host): void => void Object.assign(client, { host: name, port });

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]?.standby === true;
}

/** With PostgreSQL's own code for a server that only reads: whoever asked tries again, and so do we. */
const standby = (): Error => Object.assign(new Error('the database is a standby, which only reads'), { code: '25006' });

/**
 * Asked before every new connection and not remembered: those are rare, and what is remembered is wrong just when it matters.
 * All who want one at the same time wait for the same answer.
 */
function primaryAmong(hosts: readonly Host[], connectionString: string): () => Promise<Host> {
  let looking: Promise<Host> | null = null;
  async function look(): Promise<Host> {
    const found = await Promise.any(hosts.map((host) => answeredAsPrimary(host, connectionString))).catch(() => null);
    if (found !== null) return found;
    // As if the one host there could be did not listen: all who wait for a database know that.
    throw Object.assign(new Error('none of the hosts in DATABASE_URL is a primary just now'), { code: 'ECONNREFUSED' });
  }
  return () => (looking ??= look().finally(() => (looking = null)));
}

/** All hosts are asked at once, so that one which hangs costs nothing while another answers. */
async function answeredAsPrimary(host: Host, connectionString: string): Promise<Host> {
  const client = new pg.Client({
    connectionString,
    application_name: 'tributary looking for the primary',
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  leadTo(client, host);
  client.on('error', () => {});
  try {
    await client.connect();
    if (await isStandby(client)) throw standby();
    return host;
  } finally {
    client.end().catch(() => {});
  }
}

import pg from 'pg';
import { readHosts, type Host } from './hosts.ts';

/**
 * Connections to the primary, and to nothing else. After a failover the name of the database may still lead to a server that
 * is a standby now, or a list of hosts may have another primary than before: every new connection is asked which it is.
 */
export type Primary = { readonly connectionString: string; readonly Client: new (config?: pg.ClientConfig) => pg.Client };

/** A host that does not say within this time what it is has lost its turn; the pools wait for a connection longer than that. */
const askMs = 1_000;

export function primaryOf(url: string): Primary {
  const hosts = readHosts(url);
  // A unix socket's address is none that can be taken apart, and has no second host.
  const only = hosts === null || hosts.all.length === 1;
  const connectionString = hosts?.first ?? url;
  const whereabouts = only ? null : createWhereabouts(hosts.all, connectionString);
  return { connectionString, Client: clientThatAsks(whereabouts) };
}

function clientThatAsks(whereabouts: Whereabouts | null): Primary['Client'] {
  return class extends pg.Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary();
      if (callback === undefined) return connected;
      connected.then(
        () => callback(null, this),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      const at = whereabouts === null ? null : await whereabouts.primary();
      if (at !== null) Object.assign(this, { host: at.name, port: at.port });
      try {
        await super.connect();
        if (await isStandby(this)) throw standby();
        return this;
      } catch (error) {
        if (at !== null) whereabouts?.doubt(at);
        // Not waited for: who does not answer does not say goodbye either.
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]?.standby === true;
}

/** With PostgreSQL's own code for a server that only reads: whoever asked tries again, and so do we. */
const standby = (): Error => Object.assign(new Error('the database is a standby, which only reads'), { code: '25006' });

/** Which of the hosts is the primary, as far as the last who asked knew. */
type Whereabouts = { readonly primary: () => Promise<Host>; readonly doubt: (host: Host) => void };

function createWhereabouts(hosts: readonly Host[], connectionString: string): Whereabouts {
  let known: Host | null = null;
  let looking: Promise<Host> | null = null;

  async function look(): Promise<Host> {
    const found = await Promise.any(hosts.map((host) => answeredAsPrimary(host, connectionString))).catch(() => null);
    // As if the one host there could be did not listen: all who wait for a database know that.
    if (found === null) {
      throw Object.assign(new Error('none of the hosts in DATABASE_URL is a primary just now'), { code: 'ECONNREFUSED' });
    }
    known = found;
    return found;
  }
  return {
    // All who ask while one looks wait for the same look.
    primary: () => (known === null ? (looking ??= look().finally(() => (looking = null))) : Promise.resolve(known)),
    doubt: (host) => {
      if (known === host) known = null;
    },
  };
}

/** All hosts are asked at once, so that one which hangs costs nothing while another answers. */
async function answeredAsPrimary(host: Host, connectionString: string): Promise<Host> {
  const client = new pg.Client({
    connectionString,
    application_name: 'tributary looking for the primary',
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  Object.assign(client, { host: host.name, port: host.port });
  client.on('error', () => {});
  try {
    await client.connect();
    if (await isStandby(client)) throw standby();
    return host;
  } finally {
    client.end().catch(() => {});
  }
}

import type pg from 'pg';
import type { Log } from '../log.ts';
import type { Database, Queryable } from './database.ts';
import { sql } from './sql.ts';
import { toldInLog } from './sql-errors.ts';

/**
 * Hints between processes ("links of this store changed"): never the truth, only a reason to look. Whoever listens also
 * looks by itself from time to time, because a hint may be lost while the connection is.
 */
export type Notices = {
  readonly on: (channel: string, hear: (payload: string) => void) => () => void;
  readonly close: () => Promise<void>;
};

const reconnectMs = 1_000;
const heartbeatMs = 5_000;

export function listen(database: Database, log: Log): Notices {
  const hearers = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();

  const reconnectLater = () => {
    client = null;
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(begin, reconnectMs);
  };
  const begin = () => {
    connecting = connect();
  };
  const connect = async () => {
    try {
      const fresh = await database.connect('bounded');
      if (isClosed) return void (await fresh.end());
      fresh.on('end', reconnectLater);
      fresh.on('notification', ({ channel, payload }) => hearers.get(channel)?.forEach((hear) => hear(payload ?? '')));
      for (const channel of hearers.keys()) await fresh.query(`listen "${channel}"`);
      client = fresh;
      heartbeat(fresh);
      // What was said while nobody listened is unknown: everybody looks once.
      for (const all of hearers.values()) for (const hear of all) hear('');
    } catch (error) {
      if (!isClosed) log.warn({ error: toldInLog(error) }, 'notices: cannot listen; trying again');
      reconnectLater();
    }
  };
  /** A frozen server says nothing: the query's own time-out ends the connection, and a new one is made. */
  const heartbeat = (of: pg.Client) => {
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => client === of && heartbeat(of),
        () => void of.end().catch(() => {}),
      );
    }, heartbeatMs);
    timer.unref();
  };
  begin();

  return {
    on(channel, hear) {
      const all = hearers.get(channel) ?? new Set();
      if (all.size === 0) client?.query(`listen "${channel}"`).catch(() => {});
      hearers.set(channel, all.add(hear));
      return () => void all.delete(hear);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // One that is just being made would outlive the database's own end.
      await connecting;
      await client?.end();
    },
  };
}

/** Outside of a batch's transaction: NOTIFY takes a lock that all writers share. */
export async function notify(database: Queryable, channel: string, payload: string): Promise<void> {
  await database.run(sql`select pg_notify(${channel}, ${payload})`);
}

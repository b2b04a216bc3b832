import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { createUpcomingPartitions } from '../../src/clicks/partitions.ts';
import { jobTimeouts, openDatabase, type Database } from '../../src/db/database.ts';
import { distribute, plannedDistributions } from '../../src/db/distribute.ts';
import { migrateQueue } from '../../src/queue/jobs.ts';
import { minuteMs } from '../../src/core/time.ts';
import { invariant } from '../../src/core/invariant.ts';
import { createLog } from '../../src/core/log.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { verbatim, type Sql } from '../../src/db/sql.ts';

/**
 * A separate database for a test file, or for the files that share a service, with the current schema: copied from a template in 20 ms.
 * It is not dropped at the end: a drop while pools still close makes tests fail at random, and the server is removed after the run. On a
 * cluster old ones are dropped during the run, and not those that files share.
 */
export async function freshDatabase({ isShared = false } = {}): Promise<{ readonly url: string; readonly database: Database }> {
  const adminUrl = await sharedDatabase();
  const name = databaseName();
  const template = await (templateName ??= templateDatabase(adminUrl));
  if (isCluster && !isShared) await dropOldest(adminUrl, name);
  await onEachNode(adminUrl, async (admin) => {
    await admin.query(`create database ${name} template ${template}${await copyStrategy(admin)}`);
  });
  const url = databaseUrl(adminUrl, name);
  return { url, database: testDatabase(url) };
}

/** A process asks once. */
let reply: Promise<string> | undefined;
let templateName: Promise<string> | undefined;

function sharedDatabase(): Promise<string> {
  const source = inject('databases');
  if ('url' in source) return Promise.resolve(source.url);
  return (reply ??= text(connect(source.socket)).then((json) => {
    const { url, error } = JSON.parse(json) as { readonly url?: string; readonly error?: string };
    invariant(url, `the database of the tests starts: ${error}`);
    return url;
  }));
}

/** An empty database without a schema: the target of a restore. */
export async function emptyDatabase(): Promise<string> {
  const adminUrl = await sharedDatabase();
  const name = databaseName();
  await asAdmin(adminUrl, async (admin) => void (await admin.query(`create database ${name}`)));
  return databaseUrl(adminUrl, name);
}

/** A second database with the same rows. No connection to the first one may be open. */
export async function copyOfDatabase(url: string): Promise<string> {
  const adminUrl = await sharedDatabase();
  const original = /([^/?]+)(?:\?.*)?$/.exec(url)?.[1] ?? '';
  const name = databaseName();
  await onEachNode(adminUrl, async (admin) => {
    if (isCluster) await disconnect(admin, original);
    await admin.query(`create database ${name} template ${original}${await copyStrategy(admin)}`);
    if (isCluster) await admin.query(`alter database ${original} with allow_connections true`);
  });
  return databaseUrl(adminUrl, name);
}

/**
 * The long timeouts of jobs: a test may insert many rows in one statement or hold a transaction open while the machine is busy. With three
 * sets of tests at once, the database took more than five seconds to accept a connection.
 */
export const testDatabase = (url: string): Database =>
  openDatabase({ url, name: 'test', connectionsMax: 8, timeouts: { ...jobTimeouts, connectMs: minuteMs }, onIdleError: () => {} });

/** Begins with the name of the run, so that `dropDatabases` finds it. */
const databaseName = (): string => `test_${inject('run')}_${randomBytes(6).toString('hex')}`;

/** Those of this process, the oldest first. */
const held: string[] = [];
/** Each database of a cluster has a background process on every node, of which a server has few (`max_worker_processes`). */
const heldMax = 6;

/** What uses so old a database has ended. One with an open connection of Citus is dropped at the end of the run instead. */
async function dropOldest(adminUrl: string, next: string): Promise<void> {
  held.push(next);
  const oldest = held.length > heldMax ? held.shift() : undefined;
  if (oldest === undefined) return;
  await onEachNode(adminUrl, async (node) => void (await node.query(`drop database if exists ${oldest} with (force)`).catch(() => {})));
}

/** Removes what a run left on the nodes of a cluster, which, unlike the server of other runs, remain. */
export async function dropDatabases(adminUrl: string, run: string): Promise<void> {
  if (!isCluster) return;
  await onEachNode(adminUrl, async (node) => {
    const { rows } = await node.query<{ name: string }>('select datname as name from pg_database where starts_with(datname, $1)', [
      `test_${run}_`,
    ]);
    for (const { name } of rows) await node.query(`drop database if exists ${name} with (force)`).catch(() => {});
  });
}

/**
 * One template per schema: its name contains the hash of all migrations, and on a cluster also that of the distribution. It has the
 * partitions that a service would create when it starts. Test files run in parallel, so a lock lets one create it.
 */
async function templateDatabase(adminUrl: string): Promise<string> {
  const schema = createHash('sha256')
    .update(
      readMigrations()
        .map(({ hash }) => hash)
        .join(),
    )
    .update(JSON.stringify(isCluster ? plannedDistributions() : []))
    .digest('hex')
    .slice(0, 12);
  const name = `template_with_queue_${isCluster ? `spread_${shardCount}_` : ''}${schema}`;
  await asAdmin(adminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock(7245, 2)');
    const made = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (made.rowCount === 1) return;
    const draft = `${name}_draft`;
    await onEachNode(adminUrl, async (node) => {
      await node.query(`drop database if exists ${draft}`);
      await node.query(`create database ${draft}`);
    });
    const database = testDatabase(databaseUrl(adminUrl, draft));
    if (isCluster) await formCluster(adminUrl, draft);
    await migrate(database);
    const log = createLog('silent');
    await migrateQueue(databaseUrl(adminUrl, draft), log);
    await createUpcomingPartitions({ database, log }, new Date());
    if (isCluster) {
      await asAdmin(databaseUrl(adminUrl, draft), async (node) => {
        await node.query(`alter database ${draft} set citus.shard_count = ${shardCount}`);
      });
      await distribute(database);
    }
    await database.end();
    await onEachNode(adminUrl, (node) => nameTemplate(node, draft, name));
  });
  return name;
}

/** Connections of all nodes: in a cluster statements wait for locks on the node that has the row. */
export const activityView = (): Sql => verbatim(isCluster ? 'citus_stat_activity' : 'pg_stat_activity');

export const isCluster = (env['CITUS_URL'] ?? '') !== '';
/** The URLs of the workers of a cluster whose coordinator is CITUS_URL, as a superuser. */
const workerUrls = (env['CITUS_WORKERS'] ?? '').split(',').filter((url) => url !== '');

/** Two for each of two workers. With the 32 of an installation a copy of the template takes several times as long. */
const shardCount = 4;

/** Uses connections that stay open for some seconds, because opening one takes about as long as copying the template. */
async function onEachNode(adminUrl: string, work: (admin: pg.ClientBase) => Promise<void>): Promise<void> {
  await Promise.all(
    [adminUrl, ...(isCluster ? workerUrls : [])].map(async (url) => {
      const admin = await adminPool(url).connect();
      await work(admin).finally(() => admin.release());
    }),
  );
}

const adminPools = new Map<string, pg.Pool>();

function adminPool(url: string): pg.Pool {
  const known = adminPools.get(url);
  if (known !== undefined) return known;
  const pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  // The server may end before the process.
  pool.on('error', () => {});
  adminPools.set(url, pool);
  return pool;
}

/** The databases of one name on all nodes form a cluster: a node reaches the others by host, port, and the name of its own database. */
async function formCluster(coordinatorUrl: string, name: string): Promise<void> {
  for (const url of [...workerUrls, coordinatorUrl]) {
    await asAdmin(databaseUrl(url, name), async (admin) => void (await admin.query('create extension citus')));
  }
  const addressOf = (url: string): readonly [host: string, port: number] => [new URL(url).hostname, Number(new URL(url).port || 5432)];
  await asAdmin(databaseUrl(coordinatorUrl, name), async (admin) => {
    await admin.query('select citus_set_coordinator_host($1, $2)', [...addressOf(coordinatorUrl)]);
    for (const url of workerUrls) await admin.query('select citus_add_node($1, $2)', [...addressOf(url)]);
    // Without workers the coordinator holds the shards.
    if (workerUrls.length === 0) {
      await admin.query('select citus_set_node_property($1, $2, $3, true)', [...addressOf(coordinatorUrl), 'shouldhaveshards']);
    }
  });
}

/** Citus connects to each database in the background. A template must not have connections, so it accepts none. */
async function nameTemplate(admin: pg.ClientBase, draft: string, name: string): Promise<void> {
  await disconnect(admin, draft);
  await admin.query(`alter database ${draft} rename to ${name}`);
}

async function disconnect(admin: pg.ClientBase, name: string): Promise<void> {
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
}

async function asAdmin(adminUrl: string, work: (admin: pg.ClientBase) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** A file copy is faster than logged copying; it can be chosen from version 15 on. */
async function copyStrategy(admin: pg.ClientBase): Promise<string> {
  const { rows } = await admin.query<{ version: number }>(`select current_setting('server_version_num')::int as version`);
  return (rows[0]?.version ?? 0) >= 150_000 ? ' strategy file_copy' : '';
}

/** A URL to another database on the same server; built as text because a socket's URL has no host and is invalid for URL parsers. */
function databaseUrl(adminUrl: string, name: string): string {
  return adminUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

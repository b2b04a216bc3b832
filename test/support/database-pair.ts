import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { allowTraversal } from '../../src/embedded-postgres/account.ts';
import { prepareBinaries, type Binaries } from '../../src/embedded-postgres/binaries.ts';
import { databaseName, ensureCluster, type Cluster } from '../../src/embedded-postgres/cluster.ts';
import { chooseLocation, databaseFolder, prepareDataDir, type DatabaseLocation } from '../../src/embedded-postgres/location.ts';
import { killAll } from '../../src/embedded-postgres/processes.ts';
import { bareEnvironment, spawnIdentity } from '../../src/embedded-postgres/run-program.ts';
import { invariant } from '../../src/core/invariant.ts';
import { newDataDir } from './embedded.ts';
import { freePort } from './main-process.ts';

/**
 * A primary and its synchronous standby on this machine, from the same binaries as the embedded database: a commit on the primary is on the
 * disk of the standby before it is acknowledged.
 */
export type DatabasePair = {
  /** With both hosts, the initial primary first. */
  readonly url: string;
  readonly primary: PairServer;
  readonly standby: PairServer;
};
export type PairServer = {
  /** The URL of this server alone. */
  readonly url: string;
  /** Sends SIGKILL to the server and all its children. */
  readonly kill: () => Promise<void>;
  /** Promotes the standby, as a failover manager would. */
  readonly promote: () => Promise<void>;
  /** Restarts the killed server as a standby. */
  readonly restartAsStandby: () => Promise<void>;
  readonly query: (text: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
};

export async function startDatabasePair(): Promise<DatabasePair> {
  const place = chooseLocation(prepareDataDir(newDataDir()), () => {});
  const binaries = prepareBinaries(place);
  const cluster = await ensureCluster(place, binaries);
  const primary = await serverOf({ place, binaries, cluster, port: await freePort() });
  await primary.start([]);
  const standbyPlace = chooseLocation(prepareDataDir(newDataDir()), () => {});
  const copied = await copyCluster(primary, { place, cluster }, standbyPlace);
  const standby = await serverOf({ place: standbyPlace, binaries, cluster: copied, port: await freePort() });
  await standby.start([
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres password=${cluster.password} application_name=second`,
  ]);
  await primary.query(`alter system set synchronous_standby_names = 'second'`);
  await primary.query('select pg_reload_conf()');
  const state = async () => (await primary.query('select sync_state from pg_stat_replication'))[0]?.['sync_state'];
  await expect.poll(state, { timeout: 20_000 }).toBe('sync');
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  return {
    url: `postgres://${databaseName}:${cluster.password}@${hosts}/${databaseName}?target_session_attrs=read-write`,
    primary,
    standby,
  };
}

type Files = { readonly place: DatabaseLocation; readonly cluster: Cluster };
type Made = Files & { readonly binaries: Binaries; readonly port: number };
type Started = PairServer & { readonly port: number; readonly start: (settings: readonly string[]) => Promise<void> };

async function serverOf(made: Made): Promise<Started> {
  const { place, cluster, port } = made;
  const urlAs = (user: string) => `postgres://${user}:${cluster.password}@127.0.0.1:${port}/${databaseName}`;
  const query = (text: string) => queryOnce(urlAs('postgres'), text);
  const start = (settings: readonly string[]) => launch(made, settings, query);
  return {
    port,
    url: urlAs(databaseName),
    start,
    query,
    kill: () => killAll(place.folder),
    promote: async () => void (await query('select pg_promote()')),
    async restartAsStandby() {
      write(place, join(cluster.folder, 'standby.signal'), '');
      await start([]);
    },
  };
}

const settingsOfBoth = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'wal_level=replica',
  'max_wal_senders=4',
  'wal_keep_size=256MB',
  'hot_standby=on',
  'shared_buffers=64MB',
  'fsync=on',
  'synchronous_commit=on',
  // The limit of the tests is 5 s in total: the default timeout would close a connection to a dead primary much later.
  'wal_receiver_timeout=2s',
  'timezone=UTC',
  // One sync call for a copy of some thousand files, because a sync of each file took half a minute.
  ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
];

async function launch({ place, binaries, cluster, port }: Made, settings: readonly string[], query: PairServer['query']): Promise<void> {
  rmSync(join(cluster.folder, 'postmaster.pid'), { force: true });
  const all = [`port=${port}`, ...settingsOfBoth, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...all], {
    cwd: cluster.folder,
    env: bareEnvironment,
    stdio: 'ignore',
    detached: true,
    ...spawnIdentity(place.account),
  });
  await once(child, 'spawn');
  onTestFinished(() => killAll(place.folder));
  const answers = () =>
    query('select 1').then(
      (rows) => rows.length === 1,
      () => false,
    );
  await expect.poll(answers, { timeout: 20_000, interval: 50 }).toBe(true);
}

/** Makes a base backup by SQL and a file copy: the embedded PostgreSQL has no backup program. */
async function copyCluster({ url }: Started, from: Files, to: DatabaseLocation): Promise<Cluster> {
  const client = new pg.Client({ connectionString: url.replace(`//${databaseName}:`, '//postgres:') });
  await client.connect();
  await client.query(`select pg_backup_start('a standby', true)`);
  mkdirSync(databaseFolder(to.folder), { mode: 0o700 });
  allowTraversal(databaseFolder(to.folder), to.account);
  const folder = join(databaseFolder(to.folder), 'cluster');
  execFileSync('cp', ['-Rp', from.cluster.folder, folder]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  invariant(rows[0], 'a backup has a label');
  write(to, join(folder, 'backup_label'), rows[0].labelfile);
  write(to, join(folder, 'standby.signal'), '');
  rmSync(join(folder, 'postmaster.pid'));
  for (const name of readdirSync(join(folder, 'pg_wal'))) if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(folder, 'pg_wal', name));
  return { ...from.cluster, folder };
}

/** PostgreSQL may run as a different user than the tests, and must own these files. */
function write({ account }: DatabaseLocation, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account !== null) chownSync(path, account.uid, account.gid);
}

async function queryOnce(connectionString: string, text: string): ReturnType<PairServer['query']> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

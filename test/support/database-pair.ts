import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { letThrough } from '../../src/platform/database/embedded-account.ts';
import { prepareBinaries, type Binaries } from '../../src/platform/database/embedded-binaries.ts';
import { databaseName, ensureCluster, type Cluster } from '../../src/platform/database/embedded-cluster.ts';
import { choosePlace, databaseFolder, prepareDataDir, type Place } from '../../src/platform/database/embedded-place.ts';
import { killAll } from '../../src/platform/database/embedded-processes.ts';
import { bareEnvironment, identity } from '../../src/platform/database/embedded-run.ts';
import { must } from '../../src/platform/must.ts';
import { newDataDir } from './embedded.ts';
import { freePort } from './main-process.ts';

/**
 * A primary and its synchronous standby on this machine, of the same programs as the embedded database: what was committed
 * at the first is on the disk of the second before anybody hears of it.
 */
export type DatabasePair = {
  /** With both hosts, the first of them the primary of the beginning. */
  readonly url: string;
  readonly primary: PairServer;
  readonly standby: PairServer;
};
export type PairServer = {
  /** Of this one alone. */
  readonly url: string;
  /** SIGKILL to it and all its children. */
  readonly kill: () => Promise<void>;
  /** Ends its being a standby, as whatever watches over the two would. */
  readonly promote: () => Promise<void>;
  /** Starts it again, after it was killed, as a server that only reads. */
  readonly comeBackAsStandby: () => Promise<void>;
  readonly ask: (text: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
};

export async function startDatabasePair(): Promise<DatabasePair> {
  const place = choosePlace(prepareDataDir(newDataDir()), () => {});
  const binaries = prepareBinaries(place);
  const cluster = await ensureCluster(place, binaries);
  const primary = await serverOf({ place, binaries, cluster, port: await freePort() });
  await primary.start([]);
  const standbyPlace = choosePlace(prepareDataDir(newDataDir()), () => {});
  const copied = await copyCluster(primary, { place, cluster }, standbyPlace);
  const standby = await serverOf({ place: standbyPlace, binaries, cluster: copied, port: await freePort() });
  await standby.start([
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres password=${cluster.password} application_name=second`,
  ]);
  await primary.ask(`alter system set synchronous_standby_names = 'second'`);
  await primary.ask('select pg_reload_conf()');
  const state = async () => (await primary.ask('select sync_state from pg_stat_replication'))[0]?.['sync_state'];
  await expect.poll(state, { timeout: 20_000 }).toBe('sync');
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  return {
    url: `postgres://${databaseName}:${cluster.password}@${hosts}/${databaseName}?target_session_attrs=read-write`,
    primary,
    standby,
  };
}

type Files = { readonly place: Place; readonly cluster: Cluster };
type Made = Files & { readonly binaries: Binaries; readonly port: number };
type Started = PairServer & { readonly port: number; readonly start: (settings: readonly string[]) => Promise<void> };

async function serverOf(made: Made): Promise<Started> {
  const { place, cluster, port } = made;
  const urlAs = (user: string) => `postgres://${user}:${cluster.password}@127.0.0.1:${port}/${databaseName}`;
  const ask = (text: string) => asked(urlAs('postgres'), text);
  const start = (settings: readonly string[]) => launch(made, settings, ask);
  return {
    port,
    url: urlAs(databaseName),
    start,
    ask,
    kill: () => killAll(place.folder),
    promote: async () => void (await ask('select pg_promote()')),
    async comeBackAsStandby() {
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
  // The tests' own limit is 5 s for all of it: the default would end a connection to a dead primary much later.
  'wal_receiver_timeout=2s',
  'timezone=UTC',
  // A copy of some thousand files is made safe with one call instead of one for each, which took half a minute.
  ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
];

async function launch({ place, binaries, cluster, port }: Made, settings: readonly string[], ask: PairServer['ask']): Promise<void> {
  rmSync(join(cluster.folder, 'postmaster.pid'), { force: true });
  const all = [`port=${port}`, ...settingsOfBoth, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...all], {
    cwd: cluster.folder,
    env: bareEnvironment,
    stdio: 'ignore',
    detached: true,
    ...identity(place.account),
  });
  await once(child, 'spawn');
  onTestFinished(() => killAll(place.folder));
  const answers = () =>
    ask('select 1').then(
      (rows) => rows.length === 1,
      () => false,
    );
  await expect.poll(answers, { timeout: 20_000, interval: 50 }).toBe(true);
}

/** A backup by SQL and a copy of the files: the programs beside this PostgreSQL have none for it. */
async function copyCluster({ url }: Started, from: Files, to: Place): Promise<Cluster> {
  const client = new pg.Client({ connectionString: url.replace(`//${databaseName}:`, '//postgres:') });
  await client.connect();
  await client.query(`select pg_backup_start('a standby', true)`);
  mkdirSync(databaseFolder(to.folder), { mode: 0o700 });
  letThrough(databaseFolder(to.folder), to.account);
  const folder = join(databaseFolder(to.folder), 'cluster');
  execFileSync('cp', ['-Rp', from.cluster.folder, folder]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  must(rows[0], 'a backup has a label');
  write(to, join(folder, 'backup_label'), rows[0].labelfile);
  write(to, join(folder, 'standby.signal'), '');
  rmSync(join(folder, 'postmaster.pid'));
  for (const name of readdirSync(join(folder, 'pg_wal'))) if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(folder, 'pg_wal', name));
  return { ...from.cluster, folder };
}

/** PostgreSQL may run as another user than the tests, and wants these files to be its own. */
function write({ account }: Place, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account !== null) chownSync(path, account.uid, account.gid);
}

async function asked(connectionString: string, text: string): ReturnType<PairServer['ask']> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

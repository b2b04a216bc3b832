import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  answersAgain,
  hasOtherAccount,
  isRoot,
  newDataDir,
  query,
  start,
  startInChild,
  otherAccount,
} from '../../test/support/embedded.ts';
import { within } from '../../test/support/size.ts';
import { invariant } from '../core/invariant.ts';
import { chooseAccount } from './account.ts';
import { databaseFolder } from './location.ts';
import { postmasterFile, processesIn, signal } from './processes.ts';
import { findEmbedded, removeEmbedded, startEmbedded } from './start.ts';

// Nearly every test creates a database, which takes 0.8 s on an idle machine and ten times that beside other tests.
vi.setConfig({ testTimeout: 180_000 });

test('creates a PostgreSQL 18 that accepts the password in the URL and no network connections', async () => {
  const dataDir = newDataDir();
  const database = await start(dataDir);
  const settings = [
    'server_version_num',
    'fsync',
    'synchronous_commit',
    'listen_addresses',
    'TimeZone',
    'server_encoding',
    'jit',
    'is_superuser',
    'scram_iterations',
    'autovacuum_vacuum_cost_delay',
  ];
  const [row] = await query(database.url, `select ${settings.map((name) => `current_setting('${name}') as "${name}"`).join()}`);
  expect(row).toEqual({
    server_version_num: expect.stringMatching(/^18/),
    fsync: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
    jit: 'off',
    is_superuser: 'off',
    scram_iterations: '1',
    autovacuum_vacuum_cost_delay: '10ms',
  });
  const asSuperuser = database.url.replace(/\/\/[^:]+:/, '//postgres:');
  expect(
    await query(asSuperuser, `select distinct left(rolpassword, 16) as verifier from pg_authid where rolpassword is not null`),
  ).toEqual([{ verifier: 'SCRAM-SHA-256$1:' }]);
  await expect(query(database.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed');
  expect(statSync(join(dataDir, 'database', 'password')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
});

test('runs without waiting for the disk if the data may be lost', async () => {
  const database = await startEmbedded({ dataDir: newDataDir(), log: () => {}, isDurable: false });
  onTestFinished(database.stop);
  expect(await query(database.url, `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages`)).toEqual([
    { fsync: 'off', pages: 'off' },
  ]);
});

test('keeps the data across a stop and a start, and a stop leaves no process and no socket', async () => {
  const dataDir = newDataDir();
  const lines: string[] = [];
  const first = await start(dataDir, (line) => lines.push(line));
  await query(first.url, 'create table kept as select 7 as number');
  await Promise.all([first.stop(), first.stop()]);
  expect(lines).toEqual([]);
  expect(processesIn(dataDir)).toEqual([]);
  expect(readdirSync(dataDir)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(socket|connection\.json)$/)]));
  const second = await start(dataDir);
  expect(await query(second.url, 'select number from kept')).toEqual([{ number: 7 }]);
});

test('restarts within 5 s after kill -9 of all PostgreSQL processes, with all committed data and the same URL', async () => {
  const dataDir = newDataDir();
  const lines: string[] = [];
  const database = await start(dataDir, (line) => lines.push(line));
  await query(database.url, 'create table kept as select 7 as number');
  const firstId = database.postmasterPid;
  const killedAt = performance.now();
  for (const id of processesIn(dataDir)) signal(id, 'SIGKILL');
  await answersAgain(database.url);
  expect(performance.now() - killedAt).toBeLessThan(within(5_000));
  expect(await query(database.url, 'select number from kept')).toEqual([{ number: 7 }]);
  expect(database.postmasterPid).not.toBe(firstId);
  expect(lines.filter((line) => line.startsWith('PostgreSQL has ended'))).toHaveLength(1);
});

test('restarts after kill -9 of the postmaster although a child process still runs', async () => {
  const dataDir = newDataDir();
  const lines: string[] = [];
  const database = await start(dataDir, (line) => lines.push(line));
  const working = query(database.url, 'select count(*) from generate_series(1, 1000000000)').catch(() => 'interrupted');
  await expect.poll(() => query(database.url, "select 1 from pg_stat_activity where query like 'select count%'")).toHaveLength(1);
  signal(database.postmasterPid, 'SIGKILL');
  await answersAgain(database.url);
  expect(await working).toBe('interrupted');
  expect(lines.filter((line) => line.includes('next attempt'))).toEqual([]);
});

test('a stop at any moment of a restart ends PostgreSQL too', async () => {
  const dataDir = newDataDir();
  for (const afterMs of [0, 20, 40, 60, 80, 120, 200]) {
    const database = await start(dataDir);
    for (const id of processesIn(dataDir)) signal(id, 'SIGKILL');
    await sleep(afterMs);
    await database.stop();
    expect(processesIn(dataDir)).toEqual([]);
  }
});

test('rejects a second start on a folder with one line and does not disturb the first, in the same process or another', async () => {
  const dataDir = newDataDir();
  const database = await start(dataDir);
  const refusal = `The database in ${dataDir} is already in use by another Tributary process (ID ${process.pid}): stop it first, or choose another data folder.`;
  await expect(startEmbedded({ dataDir, log: () => {} })).rejects.toThrow(refusal);
  expect(await startInChild(dataDir).says).toBe(refusal);
  await expect(removeEmbedded(dataDir)).rejects.toThrow('already in use');
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('after kill -9 of the service, the next start stops its PostgreSQL, keeps its data and serves', async () => {
  const dataDir = newDataDir();
  const child = startInChild(dataDir);
  const url = await child.says;
  await query(url, 'create table kept as select 7 as number');
  await child.kill();
  const orphans = processesIn(dataDir);
  expect(orphans.length).toBeGreaterThan(3);
  expect(await findEmbedded(dataDir)).toBeNull();
  const database = await start(dataDir);
  expect(processesIn(dataDir).filter((id) => orphans.includes(id))).toEqual([]);
  expect(await query(database.url, 'select number from kept')).toEqual([{ number: 7 }]);
});

test('a process that exits without stopping the database does not leave it running', async () => {
  const dataDir = newDataDir();
  const child = startInChild(dataDir, { afterwards: 'process.exit(3)' });
  await child.says;
  await child.ended;
  await expect.poll(() => processesIn(dataDir), { timeout: 30_000 }).toEqual([]);
});

test('starts despite a stale postmaster.pid with the ID of another live process', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  const account = isRoot ? chooseAccount(dataDir, join(databaseFolder(dataDir), 'cluster')) : null;
  const living = spawn('sleep', ['60'], account === null ? {} : { uid: account.uid, gid: account.gid });
  onTestFinished(() => void living.kill('SIGKILL'));
  writeFileSync(
    postmasterFile(dataDir),
    `${living.pid}\n${join(dataDir, 'database', 'cluster')}\n1700000000\n5432\n/tmp\n\n 1 1\nready   \n`,
  );
  const database = await start(dataDir);
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(living.exitCode).toBeNull();
});

test('a first start that is killed halfway leaves nothing that breaks the next one', async () => {
  const dataDir = newDataDir();
  const child = startInChild(dataDir);
  const unfinished = (): readonly string[] => readdirSync(dataDir).filter((name) => name.startsWith('database.unfinished-'));
  const isUnderWay = (): boolean => unfinished().some((name) => existsSync(join(dataDir, name, 'cluster', 'global')));
  await expect.poll(isUnderWay, { timeout: 60_000, interval: 5 }).toBe(true);
  await child.kill();
  expect(existsSync(databaseFolder(dataDir))).toBe(false);
  const database = await start(dataDir);
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(unfinished()).toEqual([]);
});

test('works in a folder with a long path, spaces and non-ASCII characters', async () => {
  const dataDir = newDataDir(join('with spaces, commas and ÄÖ 川', 'x'.repeat(120)));
  const database = await start(dataDir);
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const socketFolder = new URL(database.url).searchParams.get('host') ?? '';
  expect(existsSync(socketFolder)).toBe(true);
  await database.stop();
  expect(existsSync(join(socketFolder, '..'))).toBe(false);
});

test('a second process finds the database while it runs, waits while it starts, and finds none otherwise', async () => {
  const dataDir = newDataDir();
  expect(await findEmbedded(dataDir)).toBeNull();
  const child = startInChild(dataDir);
  await expect.poll(() => existsSync(join(dataDir, 'database.holder')), { timeout: 60_000, interval: 5 }).toBe(true);
  // The search ends after ten seconds; on a busy machine a first start may take longer.
  const found = (await findEmbedded(dataDir)) ?? (await child.says.then(() => findEmbedded(dataDir)));
  expect(found).toEqual({ url: await child.says });
  await child.kill('SIGTERM');
  expect(await findEmbedded(dataDir)).toBeNull();
});

test.runIf(hasOtherAccount)('reports a folder that is not writable in one line', async () => {
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o555);
  onTestFinished(() => chmodSync(dataDir, 0o755));
  expect(await startInChild(dataDir, { account: otherAccount }).says).toMatch(
    /^The user \S+ may not write to .*, or choose another data folder\.$/,
  );
});

test.runIf(isRoot && hasOtherAccount)('serves an ordinary user, and no other user can read the data', async () => {
  const account = otherAccount;
  invariant(account !== null, 'root has a stranger');
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, account.uid, account.gid);
  const child = startInChild(dataDir, { account });
  expect(await query(await child.says, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(join(dataDir, 'database', 'cluster'))).toMatchObject({ uid: account.uid, mode: 0o040700 });
  await child.kill('SIGTERM');
  // Root, on the folder of an ordinary user, runs PostgreSQL as that user, who can continue afterwards.
  await (await start(dataDir)).stop();
  const again = startInChild(dataDir, { account });
  expect(await query(await again.says, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)(
  'creates the database in a folder owned by root if only root can enter the data folder, and finds it again',
  async () => {
    const dataDir = newDataDir();
    mkdirSync(dataDir);
    chmodSync(join(dataDir, '..'), 0o700);
    const first = await start(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    await first.stop();
    const place = realpathSync(join(databaseFolder(dataDir), '..', 'database'));
    expect(place).toMatch(/^\/var\/lib\/tributary\/database-\w{6}\/database$/);
    const second = await start(dataDir);
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 7 }]);
    await second.stop();
    await removeEmbedded(dataDir);
    expect(existsSync(join(place, '..'))).toBe(false);
  },
);

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answersAgain, hasStranger, isRoot, newDataDir, query, start, startInChild, stranger } from '../../../test/support/embedded.ts';
import { within } from '../../../test/support/size.ts';
import { must } from '../must.ts';
import { chooseAccount } from './embedded-account.ts';
import { databaseFolder } from './embedded-place.ts';
import { postmasterFile, processesIn, signal } from './embedded-processes.ts';
import { findEmbedded, removeEmbedded, startEmbedded } from './embedded.ts';

// Nearly every test makes a database, which takes 0.8 s on a free machine and ten times that beside other tests.
vi.setConfig({ testTimeout: 180_000 });

test('from nothing, a PostgreSQL 18 is served to the password in the URL, and to no network', async () => {
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
  });
  await expect(query(database.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed');
  expect(statSync(join(dataDir, 'database', 'password')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
});

test('what was written is there after a stop and a start, and a stop leaves nothing running and no socket', async () => {
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

test('after kill -9 of PostgreSQL and all its children it serves again within 5 s with all that was committed, under its URL', async () => {
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
  expect(lines.filter((line) => line.startsWith('PostgreSQL is gone'))).toHaveLength(1);
});

test('after kill -9 of PostgreSQL alone, a child that still works does not keep the next one from starting', async () => {
  const dataDir = newDataDir();
  const lines: string[] = [];
  const database = await start(dataDir, (line) => lines.push(line));
  const working = query(database.url, 'select count(*) from generate_series(1, 1000000000)').catch(() => 'broken off');
  await expect.poll(() => query(database.url, "select 1 from pg_stat_activity where query like 'select count%'")).toHaveLength(1);
  signal(database.postmasterPid, 'SIGKILL');
  await answersAgain(database.url);
  expect(await working).toBe('broken off');
  expect(lines.filter((line) => line.includes('next try'))).toEqual([]);
});

test('a stop at any moment while PostgreSQL is being started again ends it too', async () => {
  const dataDir = newDataDir();
  for (const afterMs of [0, 20, 40, 60, 80, 120, 200]) {
    const database = await start(dataDir);
    for (const id of processesIn(dataDir)) signal(id, 'SIGKILL');
    await sleep(afterMs);
    await database.stop();
    expect(processesIn(dataDir)).toEqual([]);
  }
});

test('a second start on a folder is refused in one line and does not disturb the first, in the same process or another', async () => {
  const dataDir = newDataDir();
  const database = await start(dataDir);
  const refusal = `The database in ${dataDir} is already in use by another Tributary (process ${process.pid}): stop that one first, or choose another data folder.`;
  await expect(startEmbedded({ dataDir, log: () => {} })).rejects.toThrow(refusal);
  expect(await startInChild(dataDir).says).toBe(refusal);
  await expect(removeEmbedded(dataDir)).rejects.toThrow('already in use');
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('when the service was killed with kill -9, the next start stops its PostgreSQL, keeps its data and serves', async () => {
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

test('a process that exits without stopping the database does not leave it behind', async () => {
  const dataDir = newDataDir();
  const child = startInChild(dataDir, { afterwards: 'process.exit(3)' });
  await child.says;
  await child.ended;
  await expect.poll(() => processesIn(dataDir), { timeout: 30_000 }).toEqual([]);
});

test('a stale postmaster.pid, with the number of a living stranger, does not keep it from starting', async () => {
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

test('a first start that is killed half way leaves nothing that the next one stumbles over', async () => {
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

test('a folder with a long path, spaces and foreign letters is as good as any', async () => {
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
  // It waits for ten seconds; on a busy machine a first start may take longer than that.
  const found = (await findEmbedded(dataDir)) ?? (await child.says.then(() => findEmbedded(dataDir)));
  expect(found).toEqual({ url: await child.says });
  await child.kill('SIGTERM');
  expect(await findEmbedded(dataDir)).toBeNull();
});

test.runIf(hasStranger)('a folder that may not be written is refused in one line', async () => {
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o555);
  onTestFinished(() => chmodSync(dataDir, 0o755));
  expect(await startInChild(dataDir, { account: stranger }).says).toMatch(
    /^The user \S+ may not write in .*, or choose another data folder\.$/,
  );
});

test.runIf(isRoot && hasStranger)('an ordinary user is served as well, and nobody else can read the data', async () => {
  const account = stranger;
  must(account !== null, 'root has a stranger');
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, account.uid, account.gid);
  const child = startInChild(dataDir, { account });
  expect(await query(await child.says, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(statSync(join(dataDir, 'database', 'cluster'))).toMatchObject({ uid: account.uid, mode: 0o040700 });
  await child.kill('SIGTERM');
  // Root, on the folder of an ordinary user, runs PostgreSQL as that user, and they can go on themselves afterwards.
  await (await start(dataDir)).stop();
  const again = startInChild(dataDir, { account });
  expect(await query(await again.says, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)('in a folder that only root can enter, the database goes to a place of root’s and is found there again', async () => {
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
});

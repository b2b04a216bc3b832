import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { firstLine, written } from '../../src/platform/database/backup-format.ts';
import { backUp } from '../../src/platform/database/backup.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { scheduleLock } from '../../src/platform/database/due-jobs-sql.ts';
import { readMigrations } from '../../src/platform/database/migrate.ts';
import { restore, type RestoreOptions } from '../../src/platform/database/restore.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { realNow } from '../../src/platform/time.ts';
import { verify } from '../../src/verify.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { merchantIn, openMerchant } from '../support/merchant.ts';
import { startTestServiceOn } from '../support/service.ts';
import { tellFigure } from '../support/size.ts';

const merchant = await openMerchant();
const folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'));
const { nightDatabase } = merchant.service.platform;
const sealedBy = 'the key of the test';
afterAll(async () => {
  await merchant.service.stop();
  await rm(folder, { recursive: true });
});

let named = 0;
const newPath = () => join(folder, `backup-${(named += 1)}`);
const newOrder = async () => merchant.order({ order_id: `order ${(named += 1)}`, click_id: await merchant.click() });
const order = async () => merchant.convert(await newOrder());
const back = (path: string, told?: (table: string) => Promise<void>) =>
  backUp(nightDatabase, { path, sealedBy, at: realNow(), ...(told === undefined ? {} : { told }) });

/** A database that was empty, with the backup in it. */
async function restored(path: string, options: Partial<RestoreOptions> = {}): Promise<Database> {
  const database = testDatabase(await emptyDatabase());
  await restore(database, { path, sealedBy, replace: false, ...options });
  return database;
}

/** Every row of every table, as one hash each. */
async function contentOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const tables = await database.all<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`);
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    content[name] = `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
  }
  return content;
}

const unlike = async (database: Database): Promise<number> =>
  (await verify({ nightDatabase: database })).reduce((sum, { differences }) => sum + differences.length, 0);

test('a backup at rest, restored, has every row of every table, in the same partitions, and the file is its owner’s alone', async () => {
  await Promise.all(Array.from({ length: 20 }, order));
  const path = newPath();
  // The service looks at its queue and its clock meanwhile, and writes down nothing.
  const before = await contentOf(nightDatabase);
  const made = await back(path);
  expect(await contentOf(nightDatabase)).toEqual(before);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(made.fileBytes).toBe(statSync(path).size);
  expect(await contentOf(await restored(path))).toEqual(before);
});

test('a backup while orders come in shows one moment: restored, every book holds, whatever was written between two tables', async () => {
  const path = newPath();
  const began = performance.now();
  const load = { isOver: false, answered: 0 };
  const shoppers = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!load.isOver) load.answered += (await order()).status === 200 ? 1 : 0;
    }),
  );
  await expect.poll(() => load.answered).toBeGreaterThan(50);
  const ordersIn = async (db: Database) => Number((await db.one<{ orders: bigint }>(sql`select count(*) as orders from orders`)).orders);
  const at = { begun: await ordersIn(nightDatabase), done: 0 };
  // More is committed between every two tables: what saw several moments would miss a part of it.
  const made = await back(path, async () => {
    const before = load.answered;
    await expect.poll(() => load.answered, { interval: 2 }).toBeGreaterThan(before);
  });
  at.done = await ordersIn(nightDatabase);
  load.isOver = true;
  await shoppers;
  const backupMs = performance.now() - began;
  const since = performance.now();
  const database = await restored(path);
  const restoreMs = performance.now() - since;
  expect(await ordersIn(database)).toBeGreaterThanOrEqual(at.begun);
  expect(await ordersIn(database)).toBeLessThan(at.done - made.tables / 2);
  expect(at.done - at.begun).toBeGreaterThan(made.tables);
  expect(await unlike(database)).toBe(0);
  tellFigure({
    what: 'a backup under load',
    came:
      `${made.rows} rows, ${(made.bytes / 1e6).toFixed(1)} MB (file ${(made.fileBytes / 1e6).toFixed(1)} MB), ${at.done - at.begun} orders answered ` +
      `meanwhile in ${(backupMs / 1_000).toFixed(1)} s; restored and verified in ${(restoreMs / 1_000).toFixed(1)} s`,
  });
});

test('a backup says as many rows as it has, also where the server counts them a moment after the last one came', async () => {
  const proxy = await startFaultProxy(merchant.service.databaseUrl);
  onTestFinished(() => proxy.close());
  const far = testDatabase(proxy.url);
  await proxy.halt();
  const path = newPath();
  const before = await contentOf(nightDatabase);
  await backUp(far, { path, sealedBy, at: realNow() });
  await far.end();
  expect(await contentOf(await restored(path))).toEqual(before);
});

test('what a service does on a restored database is what it would have done: an order known before is known again', async () => {
  const [known, next] = [await newOrder(), await newOrder()];
  expect((await merchant.convert(known)).json.reason).toBe('recorded');
  const path = newPath();
  await back(path);
  const url = await emptyDatabase();
  const database = testDatabase(url);
  await restore(database, { path, sealedBy, replace: false });
  const service = await startTestServiceOn(url);
  onTestFinished(() => service.stop());
  const again = merchantIn(service, merchant.world);
  expect((await again.convert(known)).json.reason).toBe('duplicate_order');
  // A click of before the backup still backs one order, and the shop's key still opens.
  const reported = [
    await again.convert(next),
    await again.convert(next),
    await again.convert({ ...known, order_id: 'with the same click' }),
  ];
  expect(reported.map(({ json }) => json.reason)).toEqual(['recorded', 'duplicate_order', 'referral_click_already_converted']);
  expect(await unlike(database)).toBe(0);
});

test('a file that was cut off or altered at any place is refused with what to do, and leaves the database empty', async () => {
  const path = newPath();
  await back(path);
  const whole = await readFile(path);
  const packed = whole.subarray(firstLine.length);
  const unpacked = gunzipSync(packed);
  const repacked = (bytes: Buffer) => Buffer.concat([Buffer.from(firstLine), gzipSync(bytes)]);
  const flipped = (bytes: Buffer, place: number) => {
    const copy = Buffer.from(bytes);
    copy[place] = (copy[place] ?? 0) ^ 1;
    return copy;
  };
  const stretch = Math.floor(whole.length / 12);
  const cuts = Array.from({ length: 12 }, (_none, place) => whole.subarray(0, firstLine.length + place * stretch));
  const endLength = unpacked.length - unpacked.lastIndexOf(Buffer.from('{"tables":')) + 5;
  const wrong: readonly [Buffer, RegExp][] = [
    ...cuts.map((cut): [Buffer, RegExp] => [cut, /cut off.*take another backup/]),
    [whole.subarray(0, -1), /cut off/],
    // Cut where a part ends, and packed again by somebody.
    [repacked(unpacked.subarray(0, unpacked.length - endLength)), /cut off/],
    [flipped(whole, Math.floor(whole.length / 2)), /altered or damaged/],
    [repacked(flipped(unpacked, unpacked.indexOf('order 1'))), /altered or damaged/],
    [repacked(flipped(unpacked, unpacked.indexOf('"sealedBy":"') + 14)), /altered or damaged/],
    [repacked(Buffer.concat([unpacked, written('rows', Buffer.from('more'))])), /altered or damaged/],
    [Buffer.from('PGDMP'), /no backup/],
  ];
  const url = await emptyDatabase();
  const database = testDatabase(url);
  for (const [bytes, words] of wrong) {
    const other = newPath();
    await writeFile(other, bytes);
    await expect(restore(database, { path: other, sealedBy, replace: false })).rejects.toThrow(words);
  }
  expect(await contentOf(database)).toEqual({});
});

test('a restore is refused into a database that holds something, and with --replace takes its place: all of it or nothing', async () => {
  const path = newPath();
  await back(path);
  const url = await emptyDatabase();
  const [old, database] = [testDatabase(url), testDatabase(url)];
  const again = { path, sealedBy };
  await restore(database, { ...again, replace: false });
  await old.run(sql`insert into installation (fact, since) values ('of the old one', ${realNow()})`);
  const before = await contentOf(old);
  await old.end();
  await expect(restore(database, { ...again, replace: false })).rejects.toThrow('not empty');
  const broken = [
    ...readMigrations(),
    { number: 9_999, name: '9999-broken.sql', text: 'create table orders (a int primary key);', hash: '' },
  ];
  await expect(restore(database, { ...again, replace: true, migrations: broken })).rejects.toThrow('already exists');
  const kept = testDatabase(url);
  expect(await contentOf(kept)).toEqual(before);
  await kept.end();
  await restore(database, { ...again, replace: true });
  expect(await contentOf(database)).not.toEqual(before);
  expect(await unlike(database)).toBe(0);
});

test('a restore is refused under another secret key, by an older version, and where a service is at work', async () => {
  const path = newPath();
  await back(path);
  const database = testDatabase(await emptyDatabase());
  await expect(restore(database, { path, sealedBy: 'another', replace: false })).rejects.toThrow('another secret key');
  const older = readMigrations().slice(0, -1);
  await expect(restore(database, { path, sealedBy, replace: false, migrations: older })).rejects.toThrow('does not know');
  await expect(restore(nightDatabase, { path, sealedBy, replace: true })).rejects.toThrow('stop it first');
  expect(await contentOf(database)).toEqual({});
});

test('a backup writes over nothing, and one that fails leaves no file behind', async () => {
  const path = newPath();
  await back(path);
  const bytes = await readFile(path);
  await expect(back(path)).rejects.toThrow('is there already');
  expect(await readFile(path)).toEqual(bytes);
  const failing = newPath();
  await expect(back(failing, async () => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect(readdirSync(folder).filter((name) => failing.endsWith(name) || name.includes('.part-'))).toEqual([]);
});

test('a backup that fails holds off the night jobs no longer, also where its folder is not there or goes away', async () => {
  const expectFree = async () => {
    const lock = await scheduleLock(nightDatabase, 'leave');
    expect(lock).not.toBeNull();
    await lock?.release();
  };
  await expect(back(join(folder, 'not mounted', 'backup'))).rejects.toThrow(/no folder .*not mounted/);
  await expectFree();
  const gone = await mkdtemp(join(folder, 'goes-'));
  await expect(back(join(gone, 'backup'), () => rm(gone, { recursive: true, force: true }))).rejects.toThrow('ENOENT');
  await expectFree();
});

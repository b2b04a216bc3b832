import { setTimeout as pause } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { firstLine, encodePart } from '../../src/db/backup-format.ts';
import { backUp } from '../../src/db/backup.ts';
import type { Database } from '../../src/db/database.ts';
import { scheduleLock } from '../../src/db/advisory-locks.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { restore, type RestoreOptions } from '../../src/db/restore.ts';
import { sql } from '../../src/db/sql.ts';
import { realNow } from '../../src/core/time.ts';
import { verify } from '../../src/app/verify.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';
import { merchantIn, openMerchant } from '../support/merchant.ts';
import { startTestServiceOn } from '../support/service.ts';
import { reportMeasurement } from '../support/size.ts';

const merchant = await openMerchant();
const folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'));
const { jobsDatabase } = merchant.service.platform;
const sealedBy = 'the key of the test';
afterAll(async () => {
  await merchant.service.stop();
  await rm(folder, { recursive: true });
});

let named = 0;
const newPath = () => join(folder, `backup-${(named += 1)}`);
let clicked = 0;
async function newOrder() {
  const click_id = await merchant.click();
  clicked += 1;
  return merchant.order({ order_id: `order ${(named += 1)}`, click_id });
}
const order = async () => merchant.convert(await newOrder());
const back = (path: string, onTable?: (table: string) => Promise<void>) =>
  backUp(jobsDatabase, { path, sealedBy, at: realNow(), ...(onTable === undefined ? {} : { onTable }) });

/** A database that was empty, with the backup restored into it. */
async function restored(path: string, options: Partial<RestoreOptions> = {}): Promise<Database> {
  const database = testDatabase(await emptyDatabase());
  await restore(database, { path, sealedBy, replace: false, ...options });
  return database;
}

/** A hash of all rows, for each table. */
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

/** The service writes what it counted of rejected requests, such as with 503 on a busy machine, every two seconds. */
const countsMs = 2_500;

/** A redirect may be answered before its click is stored: on a busy machine later than the order of the click. */
async function contentAtRest(): ReturnType<typeof contentOf> {
  const clicks = async () => Number((await jobsDatabase.one<{ clicks: bigint }>(sql`select count(*) as clicks from clicks`)).clicks);
  await expect.poll(clicks).toBe(clicked);
  let content = await contentOf(jobsDatabase);
  for (let isAtRest = false; !isAtRest;) {
    await pause(countsMs);
    const next = await contentOf(jobsDatabase);
    isAtRest = JSON.stringify(next) === JSON.stringify(content);
    content = next;
  }
  return content;
}

const unlike = async (database: Database): Promise<number> =>
  (await verify({ jobsDatabase: database })).reduce((sum, { differences }) => sum + differences.length, 0);

test('a restored backup has every row of every table in the same partitions, and only its owner may read the file', async () => {
  await Promise.all(Array.from({ length: 20 }, order));
  const path = newPath();
  // The service checks its queue and its clock meanwhile, and writes nothing.
  const before = await contentAtRest();
  const made = await back(path);
  expect(await contentOf(jobsDatabase)).toEqual(before);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(made.fileBytes).toBe(statSync(path).size);
  expect(await contentOf(await restored(path))).toEqual(before);
});

test('a backup under load is a snapshot of one moment: after the restore all books balance', async () => {
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
  const at = { begun: await ordersIn(jobsDatabase), done: 0 };
  // More rows are committed between every two tables: a backup of several moments would miss a part of them.
  const made = await back(path, async () => {
    const before = load.answered;
    await expect.poll(() => load.answered, { interval: 2 }).toBeGreaterThan(before);
  });
  at.done = await ordersIn(jobsDatabase);
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
  reportMeasurement({
    what: 'a backup under load',
    measured:
      `${made.rows} rows, ${(made.bytes / 1e6).toFixed(1)} MB (file ${(made.fileBytes / 1e6).toFixed(1)} MB), ${at.done - at.begun} orders answered ` +
      `meanwhile in ${(backupMs / 1_000).toFixed(1)} s; restored and verified in ${(restoreMs / 1_000).toFixed(1)} s`,
  });
});

test('a backup reports as many rows as it contains, even if the server sends the count a moment after the last row', async () => {
  const proxy = await startDatabaseProxy(merchant.service.databaseUrl);
  onTestFinished(() => proxy.close());
  const far = testDatabase(proxy.url);
  await proxy.halt();
  const path = newPath();
  const before = await contentAtRest();
  await backUp(far, { path, sealedBy, at: realNow() });
  await far.end();
  expect(await contentOf(await restored(path))).toEqual(before);
});

test('a service on a restored database behaves as before: it recognizes an order that was recorded before the backup', async () => {
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
  // A click from before the backup still backs one order, and the store's key is still valid.
  const reported = [
    await again.convert(next),
    await again.convert(next),
    await again.convert({ ...known, order_id: 'with the same click' }),
  ];
  expect(reported.map(({ json }) => json.reason)).toEqual(['recorded', 'duplicate_order', 'referral_click_already_converted']);
  expect(await unlike(database)).toBe(0);
});

test('restore rejects a file that was truncated or altered at any place, says what to do, and leaves the database empty', async () => {
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
  const chunk = Math.floor(whole.length / 12);
  const cuts = Array.from({ length: 12 }, (_none, place) => whole.subarray(0, firstLine.length + place * chunk));
  const endLength = unpacked.length - unpacked.lastIndexOf(Buffer.from('{"tables":')) + 5;
  const wrong: readonly [Buffer, RegExp][] = [
    ...cuts.map((cut): [Buffer, RegExp] => [cut, /truncated.*use another backup/]),
    [whole.subarray(0, -1), /truncated/],
    // Truncated at the end of a part, and compressed again.
    [repacked(unpacked.subarray(0, unpacked.length - endLength)), /truncated/],
    [flipped(whole, Math.floor(whole.length / 2)), /altered or damaged/],
    [repacked(flipped(unpacked, unpacked.indexOf('order 1'))), /altered or damaged/],
    [repacked(flipped(unpacked, unpacked.indexOf('"sealedBy":"') + 14)), /altered or damaged/],
    [repacked(Buffer.concat([unpacked, encodePart('rows', Buffer.from('more'))])), /altered or damaged/],
    [Buffer.from('PGDMP'), /not a backup/],
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

test('restore rejects a non-empty database, and with --replace replaces it completely or not at all', async () => {
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

test('restore rejects another secret key, an older version, and a database that a service uses', async () => {
  const path = newPath();
  await back(path);
  const database = testDatabase(await emptyDatabase());
  await expect(restore(database, { path, sealedBy: 'another', replace: false })).rejects.toThrow('another secret key');
  const older = readMigrations().slice(0, -1);
  await expect(restore(database, { path, sealedBy, replace: false, migrations: older })).rejects.toThrow('does not know');
  await expect(restore(jobsDatabase, { path, sealedBy, replace: true })).rejects.toThrow('stop it before');
  expect(await contentOf(database)).toEqual({});
});

test('a backup overwrites no file, and a failed one leaves no file behind', async () => {
  const path = newPath();
  await back(path);
  const bytes = await readFile(path);
  await expect(back(path)).rejects.toThrow('already exists');
  expect(await readFile(path)).toEqual(bytes);
  const failing = newPath();
  await expect(back(failing, async () => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect(readdirSync(folder).filter((name) => failing.endsWith(name) || name.includes('.part-'))).toEqual([]);
});

test('a failed backup no longer blocks scheduled jobs, also if its folder is missing or disappears', async () => {
  const expectFree = async () => {
    const lock = await scheduleLock(jobsDatabase, 'skip');
    expect(lock).not.toBeNull();
    await lock?.release();
  };
  await expect(back(join(folder, 'not mounted', 'backup'))).rejects.toThrow(/folder .*not mounted/);
  await expectFree();
  const gone = await mkdtemp(join(folder, 'goes-'));
  await expect(back(join(gone, 'backup'), () => rm(gone, { recursive: true, force: true }))).rejects.toThrow('ENOENT');
  await expectFree();
});

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { must } from '../must.ts';
import { BackupFault, faultOfFile, firstLine, readParts } from './backup-format.ts';
import type { BackupEnds, BackupHead, BackupPart, KeyMarks, TableEnds } from './backup-format.ts';
import { isBounds, isPlainName, tablesOf } from './backup-tables.ts';
import type { Database } from './database.ts';
import { applyWithin, migrationsLock, readMigrations, schemaMigrations, type Migration } from './migrate.ts';

export type RestoreOptions = KeyMarks & {
  readonly path: string;
  /** What stands in the database goes. Without it only an empty one is filled. */
  readonly replace: boolean;
  /** For tests of older versions: the migrations that there are. */
  readonly migrations?: readonly Migration[];
};
export type Restored = { readonly head: BackupHead; readonly ends: BackupEnds; readonly upgraded: readonly string[] };

/**
 * First the whole file is read and held against its hashes; then, in one transaction, the tables are made as they were when
 * the backup was taken, filled, and brought forward to today. Nobody ever sees a part of it, and a fault leaves what was there.
 */
export async function restore(database: Database, options: RestoreOptions): Promise<Restored> {
  const { head, ends } = await readWhole(options.path);
  const migrations = options.migrations ?? readMigrations();
  const { known, newer } = standing(head, migrations);
  const ours = [options.sealedBy, options.openedBy];
  if (![head.sealedBy, head.openedBy ?? options.sealedBy].every((mark) => ours.includes(mark))) {
    throw new BackupFault(
      'the backup belongs to another secret key: what it sealed could not be opened. Set SECRET_KEY to the key of that installation, ' +
        'or put its file secret-key into DATA_DIR, and try again. A key that was changed since, or was being changed then, is set as ' +
        'SECRET_KEY_PREVIOUS beside it',
    );
  }
  const client = await database.connect('unbounded');
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...migrationsLock]);
    await refuseCompany(client);
    await makeRoom(client, options.replace);
    await client.query(schemaMigrations);
    for (const migration of known) await applyWithin(client, migration);
    await fill(client, head, partsOfFile(options.path));
    for (const migration of newer) await applyWithin(client, migration);
    await client.query('commit');
    await client.query('analyze');
    return { head, ends, upgraded: newer.map(({ name }) => name) };
  } finally {
    // Where it did not commit, the server rolls back.
    await client.end();
  }
}

async function readWhole(path: string): Promise<{ readonly head: BackupHead; readonly ends: BackupEnds }> {
  let head: BackupHead | null = null;
  let ends: BackupEnds | null = null;
  for await (const part of partsOfFile(path)) {
    if (part.is === 'head') head = part.head;
    if (part.is === 'all') ends = part;
  }
  must(head !== null && ends !== null, 'a file that is whole has a head and an end');
  return { head, ends };
}

async function* partsOfFile(path: string): AsyncGenerator<BackupPart> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupFault(error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${error.message}`);
  });
  const begin = Buffer.alloc(firstLine.length);
  try {
    await file.read(begin, 0, begin.length, 0);
  } finally {
    await file.close();
  }
  if (begin.toString('latin1') !== firstLine) throw new BackupFault(`${path} is no backup that this version can read`);
  const packed = createReadStream(path, { start: firstLine.length });
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error));
  try {
    yield* readParts(packed.pipe(unpacked));
  } catch (error) {
    throw faultOfFile(error);
  } finally {
    packed.destroy();
  }
}

/** The migrations of the backup are the first of ours, or it is from a version that we do not know. */
function standing({ migrations: then }: BackupHead, now: readonly Migration[]) {
  const isOurs = then.every(({ number, hash }, place) => now[place]?.number === number && now[place]?.hash === hash);
  if (then.length > now.length || !isOurs) {
    throw new BackupFault(
      `the backup stands at ${then.at(-1)?.name ?? 'nothing'}, which this version does not know; restore it with the version it was made by, or a newer one`,
    );
  }
  return { known: now.slice(0, then.length), newer: now.slice(then.length) };
}

async function refuseCompany(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'tributary%' and pid <> pg_backend_pid()`);
  if (rows.length > 0) throw new BackupFault('a service is at work on this database; stop it first, and restore then');
}

/** The queue goes with the data that it was about: the jobs that run each minute and night find again what waits. */
async function makeRoom(client: pg.Client, replace: boolean): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length === 0) return;
  if (!replace) {
    throw new BackupFault('the database is not empty; restore into an empty one, or say --replace: then all that stands in it is gone');
  }
  await client.query(`drop table ${tables.map(({ table }) => table).join(', ')} cascade`);
  await client.query('drop schema if exists graphile_worker cascade');
}

async function fill(client: pg.Client, head: BackupHead, parts: AsyncIterator<BackupPart>): Promise<void> {
  // Some migrations write rows of their own; those of the backup take their place.
  const tables = await tablesOf(client);
  await client.query(`truncate ${tables.map(({ table }) => table).join(', ')}`);
  for (const { name, of, bounds } of head.partitions) {
    if (!isPlainName(name) || !isPlainName(of) || !isBounds(bounds)) throw new BackupFault(`the partition ${name} is none of ours`);
    await client.query(`create table if not exists ${name} partition of ${of} ${bounds}`);
  }
  const expected = new Map(tables.map(({ table, columns }) => [table, columns]));
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    if (next.value.is !== 'table') continue;
    const { table, columns } = next.value;
    if (String(expected.get(table)) !== String(columns))
      throw new BackupFault(`the table ${table} has other columns than its migrations made`);
    expected.delete(table);
    const sink = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
    const told: TableEnds[] = [];
    await pipeline(Readable.from(rowsOfTable(parts, told), { objectMode: false }), sink);
    if (sink.rowCount !== told[0]?.rows) throw new BackupFault(`the table ${table} took other rows than were written`);
  }
  if (expected.size > 0) throw new BackupFault(`the backup has no table ${[...expected.keys()].join(', ')}`);
}

async function* rowsOfTable(parts: AsyncIterator<BackupPart>, told: TableEnds[]): AsyncGenerator<Buffer> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    if (next.value.is === 'rows') yield next.value.bytes;
    if (next.value.is !== 'table ends') continue;
    told.push(next.value);
    return;
  }
}

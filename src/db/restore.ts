import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { invariant } from '../core/invariant.ts';
import { BackupError, toBackupError, firstLine, readParts } from './backup-format.ts';
import type { BackupTotals, BackupHead, BackupPart, KeyIds, TableTrailer } from './backup-format.ts';
import { isBounds, isPlainName, tablesOf } from './backup-tables.ts';
import type { Database } from './database.ts';
import { applyInTransaction, migrationsLock, readMigrations, schemaMigrations, type Migration } from './migrate.ts';

export type RestoreOptions = KeyIds & {
  readonly path: string;
  /** Whether existing data may be replaced. Otherwise only an empty database is restored into. */
  readonly replace: boolean;
  /** The available migrations; set by tests of older versions. */
  readonly migrations?: readonly Migration[];
};
export type RestoreResult = { readonly head: BackupHead; readonly ends: BackupTotals; readonly upgraded: readonly string[] };

/**
 * Verifies the hashes of the whole file first. Then, in one transaction, creates the tables as they were when the backup was made,
 * fills them, and applies newer migrations. No partial state is ever visible, and an error leaves the previous data.
 */
export async function restore(database: Database, options: RestoreOptions): Promise<RestoreResult> {
  const { head, ends } = await verifyFile(options.path);
  const migrations = options.migrations ?? readMigrations();
  const { known, newer } = matchMigrations(head, migrations);
  const ours = [options.sealedBy, options.openedBy];
  if (![head.sealedBy, head.openedBy ?? options.sealedBy].every((mark) => ours.includes(mark))) {
    throw new BackupError(
      'the backup was made with another secret key, so its encrypted values could not be decrypted. Set SECRET_KEY to the key of that installation, ' +
        'or copy its file secret-key into DATA_DIR, and try again. If the key was rotated since, or a rotation was in progress, also set ' +
        'SECRET_KEY_PREVIOUS',
    );
  }
  const client = await database.connect('unbounded');
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...migrationsLock]);
    await refuseOtherConnections(client);
    await dropExistingTables(client, options.replace);
    await client.query(schemaMigrations);
    for (const migration of known) await applyInTransaction(client, migration);
    await fill(client, head, partsOfFile(options.path));
    for (const migration of newer) await applyInTransaction(client, migration);
    await client.query('commit');
    await client.query('analyze');
    return { head, ends, upgraded: newer.map(({ name }) => name) };
  } finally {
    // Without a commit the server rolls back.
    await client.end();
  }
}

async function verifyFile(path: string): Promise<{ readonly head: BackupHead; readonly ends: BackupTotals }> {
  let head: BackupHead | null = null;
  let ends: BackupTotals | null = null;
  for await (const part of partsOfFile(path)) {
    if (part.is === 'head') head = part.head;
    if (part.is === 'all') ends = part;
  }
  invariant(head !== null && ends !== null, 'a complete file has a header and totals');
  return { head, ends };
}

async function* partsOfFile(path: string): AsyncGenerator<BackupPart> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(error.code === 'ENOENT' ? `the file ${path} does not exist` : `${path} cannot be read: ${error.message}`);
  });
  const begin = Buffer.alloc(firstLine.length);
  try {
    await file.read(begin, 0, begin.length, 0);
  } finally {
    await file.close();
  }
  if (begin.toString('latin1') !== firstLine) throw new BackupError(`${path} is not a backup that this version can read`);
  const packed = createReadStream(path, { start: firstLine.length });
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error));
  try {
    yield* readParts(packed.pipe(unpacked));
  } catch (error) {
    throw toBackupError(error);
  } finally {
    packed.destroy();
  }
}

/** The migrations of the backup must be the first of ours; otherwise it was made by an unknown version. */
function matchMigrations({ migrations: then }: BackupHead, now: readonly Migration[]) {
  const isOurs = then.every(({ number, hash }, place) => now[place]?.number === number && now[place]?.hash === hash);
  if (then.length > now.length || !isOurs) {
    throw new BackupError(
      `the backup was made at migration ${then.at(-1)?.name ?? 'nothing'}, which this version does not know; restore it with the version that made it, or a newer one`,
    );
  }
  return { known: now.slice(0, then.length), newer: now.slice(then.length) };
}

async function refuseOtherConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'tributary%' and pid <> pg_backend_pid()`);
  if (rows.length > 0) throw new BackupError('the service is running on this database; stop it before you restore');
}

/** Drops the queue too, because its jobs refer to the replaced data; scheduled jobs enqueue pending work again. */
async function dropExistingTables(client: pg.Client, replace: boolean): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length === 0) return;
  if (!replace) {
    throw new BackupError('the database is not empty; restore into an empty one, or use --replace, which deletes all existing data');
  }
  await client.query(`drop table ${tables.map(({ table }) => table).join(', ')} cascade`);
  await client.query('drop schema if exists graphile_worker cascade');
}

async function fill(client: pg.Client, head: BackupHead, parts: AsyncIterator<BackupPart>): Promise<void> {
  // Some migrations insert rows; the rows of the backup replace them.
  const tables = await tablesOf(client);
  await client.query(`truncate ${tables.map(({ table }) => table).join(', ')}`);
  for (const { name, of, bounds } of head.partitions) {
    if (!isPlainName(name) || !isPlainName(of) || !isBounds(bounds)) throw new BackupError(`the partition ${name} is not one of ours`);
    await client.query(`create table if not exists ${name} partition of ${of} ${bounds}`);
  }
  const expected = new Map(tables.map(({ table, columns }) => [table, columns]));
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    if (next.value.is !== 'table') continue;
    const { table, columns } = next.value;
    if (String(expected.get(table)) !== String(columns))
      throw new BackupError(`the table ${table} has other columns than its migrations create`);
    expected.delete(table);
    const sink = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
    const reported: TableTrailer[] = [];
    await pipeline(Readable.from(rowsOfTable(parts, reported), { objectMode: false }), sink);
    if (sink.rowCount !== reported[0]?.rows) throw new BackupError(`the table ${table} received another number of rows than was written`);
  }
  if (expected.size > 0) throw new BackupError(`the backup has no table ${[...expected.keys()].join(', ')}`);
}

async function* rowsOfTable(parts: AsyncIterator<BackupPart>, reported: TableTrailer[]): AsyncGenerator<Buffer> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    if (next.value.is === 'rows') yield next.value.bytes;
    if (next.value.is !== 'table ends') continue;
    reported.push(next.value);
    return;
  }
}

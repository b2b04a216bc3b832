import { createWriteStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { invariant } from '../core/invariant.ts';
import { BackupError, createChecksums, firstLine, encodePart, type BackupTotals, type BackupHead, type KeyIds } from './backup-format.ts';
import { partitionsOf, refuseSequences, tablesOf } from './backup-tables.ts';
import type { Database } from './database.ts';
import { scheduleLock } from './advisory-locks.ts';

export type BackupOptions = KeyIds & {
  readonly path: string;
  readonly at: Date;
  /** Called after each table with its row count. */
  readonly onTable?: (table: string, rows: number) => void | Promise<void>;
};
export type BackupResult = BackupTotals & { readonly fileBytes: number };

/**
 * Writes all rows of one snapshot into one file while the service runs. Only scheduled jobs wait for it, because they create and
 * drop partitions. The file gets its name once it is complete and synced to disk.
 */
export async function backUp(database: Database, options: BackupOptions): Promise<BackupResult> {
  await checkTarget(options.path);
  const lock = await scheduleLock(database, 'wait');
  try {
    return await write(database, options);
  } finally {
    // Released even if the backup fails, because a lock that is still held would keep this process alive and block all scheduled
    // jobs.
    await lock?.release();
  }
}

const alreadyExists = (path: string) => new BackupError(`${path} already exists; choose another name for the backup`);

async function checkTarget(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new BackupError(`the folder ${folder} does not exist; create or mount it, and try again`);
  if ((await stat(path).catch(() => null)) !== null) throw alreadyExists(path);
}

async function write(database: Database, options: BackupOptions): Promise<BackupResult> {
  const { path } = options;
  const draft = `${path}.part-${process.pid}`;
  try {
    const reported: BackupTotals[] = [];
    const parts = partsOf(database, options, (ends) => void reported.push(ends));
    const packed = createGzip({ level: constants.Z_BEST_SPEED });
    // Flushes to disk before the file is closed.
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    file.write(firstLine);
    await pipeline(Readable.from(parts, { objectMode: false }), packed, file);
    // Unlike a rename, a link does not overwrite a file that was created in the meantime.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? alreadyExists(path) : error;
    });
    await syncFolder(dirname(path));
    const [ends] = reported;
    invariant(ends !== undefined, 'a backup that was written has totals');
    return { ...ends, fileBytes: (await stat(path)).size };
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* partsOf(database: Database, options: BackupOptions, done: (ends: BackupTotals) => void): AsyncGenerator<Buffer> {
  const client = await database.connect('unbounded');
  try {
    // Later commits are not visible in this transaction.
    await client.query('begin transaction isolation level repeatable read, read only');
    const head = await headOf(client, options);
    yield encodePart('head', head);
    const sums = createChecksums();
    for (const table of await tablesOf(client)) {
      sums.begin(table);
      yield encodePart('table', table);
      const rows = copyTo(`copy (select ${table.columns.join(', ')} from ${table.table}) to stdout`);
      // A query error is thrown by the stream.
      for await (const bytes of client.query(rows)) {
        sums.add(bytes);
        yield encodePart('rows', bytes);
      }
      // The row count arrives after the last row; this statement waits for it.
      await client.query('select');
      yield encodePart('table ends', sums.end(table.table, rows.rowCount));
      await options.onTable?.(table.table, rows.rowCount);
    }
    await client.query('commit');
    const ends = sums.all(head);
    yield encodePart('all', ends);
    done(ends);
  } finally {
    await client.end();
  }
}

async function headOf(client: pg.Client, { sealedBy, openedBy = null, at }: BackupOptions): Promise<BackupHead> {
  await refuseSequences(client);
  const { rows: migrations } = await client.query<BackupHead['migrations'][number]>(
    'select number, name, hash from schema_migrations order by number',
  );
  const { rows: server } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  const partitions = await partitionsOf(client);
  return { madeAt: at.toISOString(), server: server[0]?.version ?? '', migrations, sealedBy, openedBy, partitions };
}

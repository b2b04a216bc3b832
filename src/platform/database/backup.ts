import { createWriteStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { must } from '../must.ts';
import { BackupFault, createSums, firstLine, written, type BackupEnds, type BackupHead, type KeyMarks } from './backup-format.ts';
import { partitionsOf, refuseSequences, tablesOf } from './backup-tables.ts';
import type { Database } from './database.ts';
import { scheduleLock } from './due-jobs-sql.ts';

export type BackupOptions = KeyMarks & {
  readonly path: string;
  readonly at: Date;
  /** After each table, with its rows. */
  readonly told?: (table: string, rows: number) => void | Promise<void>;
};
export type BackupMade = BackupEnds & { readonly fileBytes: number };

/**
 * Every row of one moment into one file, while the service works. A transaction that sees one moment reads table after table;
 * nobody waits for it but the night jobs, which make and drop partitions: they are held off, and come when it is through.
 * The file has its name only once it is whole and on the disk.
 */
export async function backUp(database: Database, options: BackupOptions): Promise<BackupMade> {
  await refuseBefore(options.path);
  const lock = await scheduleLock(database, 'wait');
  try {
    return await write(database, options);
  } finally {
    // Whatever else fails: a lock that stayed would keep this process, and with it the nights, for ever.
    await lock?.release();
  }
}

const taken = (path: string) => new BackupFault(`${path} is there already; give the backup another name`);

async function refuseBefore(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new BackupFault(`there is no folder ${folder}; make it, or mount it, and try again`);
  if ((await stat(path).catch(() => null)) !== null) throw taken(path);
}

async function write(database: Database, options: BackupOptions): Promise<BackupMade> {
  const { path } = options;
  const draft = `${path}.part-${process.pid}`;
  try {
    const told: BackupEnds[] = [];
    const parts = partsOf(database, options, (ends) => void told.push(ends));
    const packed = createGzip({ level: constants.Z_BEST_SPEED });
    // On the disk before it is closed.
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    file.write(firstLine);
    await pipeline(Readable.from(parts, { objectMode: false }), packed, file);
    // Unlike a renaming, this writes over nothing that came meanwhile.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? taken(path) : error;
    });
    await syncFolder(dirname(path));
    const [ends] = told;
    must(ends !== undefined, 'a backup that was written has its end');
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

async function* partsOf(database: Database, options: BackupOptions, done: (ends: BackupEnds) => void): AsyncGenerator<Buffer> {
  const client = await database.connect('unbounded');
  try {
    // What is committed from here on does not show.
    await client.query('begin transaction isolation level repeatable read, read only');
    const head = await headOf(client, options);
    yield written('head', head);
    const sums = createSums();
    for (const table of await tablesOf(client)) {
      sums.begin(table);
      yield written('table', table);
      const rows = copyTo(`copy (select ${table.columns.join(', ')} from ${table.table}) to stdout`);
      // An error of the question reaches the stream, and is thrown where it is read.
      for await (const bytes of client.query(rows)) {
        sums.add(bytes);
        yield written('rows', bytes);
      }
      // The server counts them after the last one came: what is asked next is answered after that.
      await client.query('select');
      yield written('table ends', sums.end(table.table, rows.rowCount));
      await options.told?.(table.table, rows.rowCount);
    }
    await client.query('commit');
    const ends = sums.all(head);
    yield written('all', ends);
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

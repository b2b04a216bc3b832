import { createHash, type Hash } from 'node:crypto';
import { invariant } from '../core/invariant.ts';

/**
 * A backup is one line that identifies the format, followed by gzipped parts: a type character, the length in four bytes, the bytes. The
 * parts are a header; for each table its name and columns, its rows as `COPY` writes them, and its row count, length and hash; and
 * the totals.
 */
export const firstLine = 'Tributary backup 1\n';

/** Which secret keys a backup needs. The IDs reveal nothing about the keys. */
export type KeyIds = {
  /** The current key when the backup was made. */
  readonly sealedBy: string;
  /**
   * The previous key if a key rotation was in progress: part of the backup may be encrypted with it. Backups of earlier releases
   * lack it.
   */
  readonly openedBy?: string | null;
};

export type BackupHead = KeyIds & {
  readonly madeAt: string;
  /** The version of the database server, for people who inspect a file. */
  readonly server: string;
  /** The applied migrations, in order. */
  readonly migrations: ReadonlyArray<{ readonly number: number; readonly name: string; readonly hash: string }>;
  /** The partitions with their table and their bounds as PostgreSQL prints them. */
  readonly partitions: ReadonlyArray<{ readonly name: string; readonly of: string; readonly bounds: string }>;
};
export type TableHeader = { readonly table: string; readonly columns: readonly string[] };
export type TableTrailer = { readonly table: string; readonly rows: number; readonly bytes: number; readonly sha256: string };
export type BackupTotals = { readonly tables: number; readonly rows: number; readonly bytes: number; readonly sha256: string };

/** The parts of a file, in this order; `rows` is repeated as needed. */
export type BackupPart =
  | { readonly is: 'head'; readonly head: BackupHead }
  | ({ readonly is: 'table' } & TableHeader)
  | { readonly is: 'rows'; readonly bytes: Buffer }
  | ({ readonly is: 'table ends' } & TableTrailer)
  | ({ readonly is: 'all' } & BackupTotals);

const partCodes = { head: 'H', table: 'T', rows: 'R', 'table ends': 'E', all: 'A' } as const;
const kinds = new Map(Object.entries(partCodes).map(([kind, code]) => [code.charCodeAt(0), kind]));
const prefixBytes = 5;
/** Written parts are far smaller, so a larger length means that the file was altered. */
const partBytesMax = 64 * 1024 * 1024;

export function encodePart(kind: keyof typeof partCodes, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  invariant(bytes.length <= partBytesMax, 'a part of a backup is at most 64 MiB');
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(partCodes[kind], 'latin1');
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Sums and hashes one table and all tables, for writing and for reading. */
export function createChecksums() {
  const all = { tables: 0, rows: 0, bytes: 0, hash: createHash('sha256') };
  let one = { bytes: 0, hash: createHash('sha256') };
  return {
    begin: (begins: TableHeader) => {
      one = { bytes: 0, hash: createHash('sha256').update(JSON.stringify([begins.table, begins.columns])) };
    },
    add: (bytes: Buffer) => {
      one.bytes += bytes.length;
      one.hash.update(bytes);
    },
    end: (table: string, rows: number): TableTrailer => {
      const ends = { table, rows, bytes: one.bytes, sha256: one.hash.digest('hex') };
      all.tables += 1;
      all.rows += rows;
      all.bytes += ends.bytes;
      all.hash.update(JSON.stringify(ends));
      return ends;
    },
    /** The last hash covers the header too, so every change of a file changes a hash. */
    all: (head: BackupHead): BackupTotals => totalsOf(all, head),
  };
}

type Sum = { readonly tables: number; readonly rows: number; readonly bytes: number; readonly hash: Hash };
const totalsOf = ({ tables, rows, bytes, hash }: Sum, head: BackupHead): BackupTotals => ({
  tables,
  rows,
  bytes,
  sha256: hash.update(JSON.stringify(head)).digest('hex'),
});

/** Why a file cannot be written or restored, as one line for the operator. */
export class BackupError extends Error {}

const truncatedError = () => new BackupError('the file is truncated and cannot be restored; use another backup');
const damagedError = (what: string) => new BackupError(`the file was altered or damaged (${what}); use another backup`);

/** Reads the parts of an unpacked file and verifies every length and hash. Ends without an error only if the file is complete. */
export async function* readParts(unpacked: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const check = createPartChecker();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of unpacked) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let taken = takePart(rest); taken !== null; taken = takePart(rest)) {
      rest = taken.rest;
      check.check(taken.part);
      yield taken.part;
    }
  }
  if (!check.isWhole()) throw truncatedError();
  if (rest.length > 0) throw damagedError('there is data after the end');
}

type State = 'before the head' | 'between tables' | 'in a table' | 'at the end';
/** The state in which a part is valid, and the state that follows. */
const transitions: Readonly<Record<BackupPart['is'], readonly [from: State, to: State]>> = {
  head: ['before the head', 'between tables'],
  table: ['between tables', 'in a table'],
  rows: ['in a table', 'in a table'],
  'table ends': ['in a table', 'between tables'],
  all: ['between tables', 'at the end'],
};

function createPartChecker() {
  const sums = createChecksums();
  let state: State = 'before the head';
  let head: BackupHead | null = null;
  const compare = (counted: object, { is: _is, ...reported }: { readonly is: string }, what: string) => {
    if (!isSame(counted, reported)) throw damagedError(`${what} do not match their checksum`);
  };
  return {
    check: (part: BackupPart): void => {
      const [from, to] = transitions[part.is];
      if (state !== from) throw damagedError('its parts are out of order');
      state = to;
      if (part.is === 'head') head = part.head;
      if (part.is === 'table') sums.begin({ table: part.table, columns: part.columns });
      if (part.is === 'rows') sums.add(part.bytes);
      if (part.is === 'table ends') compare(sums.end(part.table, part.rows), part, `the rows of ${part.table}`);
      if (part.is === 'all' && head !== null) compare(sums.all(head), part, 'its parts');
    },
    isWhole: () => state === 'at the end',
  };
}

const isSame = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

function takePart(bytes: Buffer): { readonly part: BackupPart; readonly rest: Buffer } | null {
  if (bytes.length < prefixBytes) return null;
  const kind = kinds.get(bytes[0] ?? 0);
  const length = bytes.readUInt32BE(1);
  if (kind === undefined || length > partBytesMax) throw damagedError('it has a part of an unknown kind');
  if (bytes.length < prefixBytes + length) return null;
  const content = bytes.subarray(prefixBytes, prefixBytes + length);
  return { part: partOf(kind, content), rest: bytes.subarray(prefixBytes + length) };
}

function partOf(kind: string, content: Buffer): BackupPart {
  if (kind === 'rows') return { is: 'rows', bytes: content };
  const json = readJson(content);
  if (kind === 'head') return { is: 'head', head: json as BackupHead };
  return { is: kind, ...json } as BackupPart;
}

function readJson(content: Buffer): object {
  try {
    const json: unknown = JSON.parse(content.toString());
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // The error is thrown below.
  }
  throw damagedError('a part of it cannot be read');
}

/** Converts errors of gunzip into errors about the file. */
export function toBackupError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'Z_BUF_ERROR') return truncatedError();
  return code === 'Z_DATA_ERROR' ? damagedError('it cannot be decompressed') : error;
}

import { createHash, type Hash } from 'node:crypto';
import { must } from '../must.ts';

/**
 * A backup is one line that says what it is, and then, packed by gzip, parts: a letter, the length in four bytes, the bytes.
 * A head; for each table its beginning, its rows as `COPY` writes them, and its end with rows, length and hash; an end.
 */
export const firstLine = 'Tributary backup 1\n';

/** Which secret keys a backup needs; says nothing about the keys. */
export type KeyMarks = {
  /** The key that sealed when the backup was made. */
  readonly sealedBy: string;
  /** The previous key, where the key was being changed: part of the backup may be sealed with it. Backups of earlier releases lack it. */
  readonly openedBy?: string | null;
};

export type BackupHead = KeyMarks & {
  readonly madeAt: string;
  /** Of the database server, for whoever looks into a file. */
  readonly server: string;
  /** The migrations that stood, in their order. */
  readonly migrations: ReadonlyArray<{ readonly number: number; readonly name: string; readonly hash: string }>;
  /** The partitions by their table, with the words that the server has for their bounds. */
  readonly partitions: ReadonlyArray<{ readonly name: string; readonly of: string; readonly bounds: string }>;
};
export type TableBegins = { readonly table: string; readonly columns: readonly string[] };
export type TableEnds = { readonly table: string; readonly rows: number; readonly bytes: number; readonly sha256: string };
export type BackupEnds = { readonly tables: number; readonly rows: number; readonly bytes: number; readonly sha256: string };

/** What comes out of a file, in this order; `rows` as often as it takes. */
export type BackupPart =
  | { readonly is: 'head'; readonly head: BackupHead }
  | ({ readonly is: 'table' } & TableBegins)
  | { readonly is: 'rows'; readonly bytes: Buffer }
  | ({ readonly is: 'table ends' } & TableEnds)
  | ({ readonly is: 'all' } & BackupEnds);

const letters = { head: 'H', table: 'T', rows: 'R', 'table ends': 'E', all: 'A' } as const;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind]));
const prefixBytes = 5;
/** What is written is far smaller; a length beyond it says that the file was altered. */
const partBytesMax = 64 * 1024 * 1024;

export function written(kind: keyof typeof letters, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  must(bytes.length <= partBytesMax, 'a part of a backup is small');
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(letters[kind], 'latin1');
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** Adds up one table, and all of them: the same on the way out and on the way in. */
export function createSums() {
  const all = { tables: 0, rows: 0, bytes: 0, hash: createHash('sha256') };
  let one = { bytes: 0, hash: createHash('sha256') };
  return {
    begin: (begins: TableBegins) => {
      one = { bytes: 0, hash: createHash('sha256').update(JSON.stringify([begins.table, begins.columns])) };
    },
    add: (bytes: Buffer) => {
      one.bytes += bytes.length;
      one.hash.update(bytes);
    },
    end: (table: string, rows: number): TableEnds => {
      const ends = { table, rows, bytes: one.bytes, sha256: one.hash.digest('hex') };
      all.tables += 1;
      all.rows += rows;
      all.bytes += ends.bytes;
      all.hash.update(JSON.stringify(ends));
      return ends;
    },
    /** The head is in the last hash too: nothing of a file can be altered without a hash that differs. */
    all: (head: BackupHead): BackupEnds => finished(all, head),
  };
}

type Sum = { readonly tables: number; readonly rows: number; readonly bytes: number; readonly hash: Hash };
const finished = ({ tables, rows, bytes, hash }: Sum, head: BackupHead): BackupEnds => ({
  tables,
  rows,
  bytes,
  sha256: hash.update(JSON.stringify(head)).digest('hex'),
});

/** What is wrong with a file, in one line for whoever wants it back. */
export class BackupFault extends Error {}

const cut = () => new BackupFault('the file ends too early: it was cut off, and cannot be restored; take another backup');
const altered = (what: string) => new BackupFault(`the file was altered or damaged (${what}); take another backup`);

/** Reads the parts of an unpacked file and holds every length and hash against what came. Ends only where the file is whole. */
export async function* readParts(unpacked: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const check = createCheck();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of unpacked) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let taken = takePart(rest); taken !== null; taken = takePart(rest)) {
      rest = taken.rest;
      check.look(taken.part);
      yield taken.part;
    }
  }
  if (!check.isWhole()) throw cut();
  if (rest.length > 0) throw altered('something comes after the end');
}

type State = 'before the head' | 'between tables' | 'in a table' | 'at the end';
/** In which states a part may come, and which one it leads to. */
const order: Readonly<Record<BackupPart['is'], readonly [from: State, to: State]>> = {
  head: ['before the head', 'between tables'],
  table: ['between tables', 'in a table'],
  rows: ['in a table', 'in a table'],
  'table ends': ['in a table', 'between tables'],
  all: ['between tables', 'at the end'],
};

function createCheck() {
  const sums = createSums();
  let state: State = 'before the head';
  let head: BackupHead | null = null;
  const hold = (counted: object, { is: _is, ...told }: { readonly is: string }, what: string) => {
    if (!isSame(counted, told)) throw altered(`${what} are not those that were written`);
  };
  return {
    look: (part: BackupPart): void => {
      const [from, to] = order[part.is];
      if (state !== from) throw altered('its parts are in disorder');
      state = to;
      if (part.is === 'head') head = part.head;
      if (part.is === 'table') sums.begin({ table: part.table, columns: part.columns });
      if (part.is === 'rows') sums.add(part.bytes);
      if (part.is === 'table ends') hold(sums.end(part.table, part.rows), part, `the rows of ${part.table}`);
      if (part.is === 'all' && head !== null) hold(sums.all(head), part, 'its parts');
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
  if (kind === undefined || length > partBytesMax) throw altered('it has a part of no kind that is known');
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
    // Told below.
  }
  throw altered('a part of it cannot be read');
}

/** What the unpacking itself says about a file that is not whole. */
export function faultOfFile(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'Z_BUF_ERROR') return cut();
  return code === 'Z_DATA_ERROR' ? altered('it cannot be unpacked') : error;
}

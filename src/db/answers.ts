import pg from 'pg';
import { parseExactly } from '../core/json.ts';

/** The columns of a result, by their names as properties: `store_id` is `storeId`. */
export type Columns = { readonly names: readonly string[]; readonly parsers: ReadonlyArray<(text: string) => unknown> };

/** What the server answers to one statement. Values are text. */
export type Answer = {
  readonly columns: Columns;
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>;
  /** The number of returned or affected rows. */
  readonly rowCount: number;
};

export const noColumns: Columns = { names: [], parsers: [] };

type Field = { readonly name: string; readonly dataTypeID: number };

export function columnsOf(fields: readonly Field[]): Columns {
  return {
    names: fields.map(({ name }) => name.replace(/_([a-z0-9])/g, (_all, character: string) => character.toUpperCase())),
    parsers: fields.map(({ dataTypeID }) => getTypeParser(dataTypeID)),
  };
}

export function toRows<Row>({ columns: { names, parsers }, rows }: Answer): Row[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < values.length; place++) {
      const text = values[place] ?? null;
      row[names[place] ?? ''] = text === null ? null : parsers[place]?.(text);
    }
    return row as Row;
  });
}

const int8 = 20;
const int8Array = 1016;
const numeric = 1700;
const date = 1082;
const json = 114;
const jsonb = 3802;

/** Converts `int8` and integer `numeric` (sums of `int8`) to bigint, and numbers above 2^53 in JSON as well; a `date` stays text. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8 || oid === numeric) return (text: string) => BigInt(text);
  if (oid === int8Array) return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt));
  if (oid === date) return (text: string) => text;
  if (oid === json || oid === jsonb) return parseExactly;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

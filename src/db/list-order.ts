import { invariant } from '../core/invariant.ts';
import { emptySql, joined, sql, type Sql } from './sql.ts';

/** A column that a list can be sorted by. `value` is the same value in a row that was read; it becomes part of the cursor. */
export type SortColumn<Row> = { readonly expression: Sql } & (
  | { readonly type: 'bigint'; readonly value: (row: Row) => bigint }
  | { readonly type: 'time'; readonly value: (row: Row) => Date; readonly isNullable?: false }
  | { readonly type: 'time'; readonly value: (row: Row) => Date | null; readonly isNullable: true }
  /** Compared without case, so the expression is `lower(…)`. */
  | { readonly type: 'text'; readonly value: (row: Row) => string }
  /** Compared with case. */
  | { readonly type: 'word'; readonly value: (row: Row) => string }
  | { readonly type: 'uuid'; readonly value: (row: Row) => string }
);

/** The sorts of a list by the name of the JSON field. `unique` breaks ties; a sort by it needs no second column. */
export type ListSorts<Row> = {
  readonly columns: Readonly<Record<string, SortColumn<Row>>>;
  readonly unique: SortColumn<Row>;
  /** `amount` is ascending, `-amount` is descending. */
  readonly defaultSort: string;
};

/** One sort in one direction. Ties are broken in the same direction, so that one index serves both directions. */
export type ListOrder<Row> = {
  readonly sort: string;
  readonly isDescending: boolean;
  readonly columns: ReadonlyArray<SortColumn<Row>>;
};

/** All values of the query parameter. */
export const sortNames = <Row>({ columns }: ListSorts<Row>): string[] => Object.keys(columns).flatMap((name) => [name, `-${name}`]);

export function orderOf<Row>({ columns, unique, defaultSort }: ListSorts<Row>, sort = defaultSort): ListOrder<Row> {
  const isDescending = sort.startsWith('-');
  const column = columns[isDescending ? sort.slice(1) : sort];
  invariant(column, 'the schema of the query accepts only the sorts of the list');
  return { sort, isDescending, columns: column === unique ? [unique] : [column, unique] };
}

/** Null is last in both directions. */
export function orderBy<Row>({ columns, isDescending }: ListOrder<Row>): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const terms = columns.map((column) => sql`${column.expression} ${direction}${isNullable(column) ? sql` nulls last` : emptySql}`);
  return sql`order by ${joined(terms, sql`, `)}`;
}

/** The condition for rows after a key, to append to `where store_id = …`. */
export function afterKey<Row>({ columns, isDescending }: ListOrder<Row>, after: readonly string[] | null): Sql {
  if (after === null) return emptySql;
  const comparison = isDescending ? sql`<` : sql`>`;
  const [first, unique] = columns;
  const [value, id] = after;
  invariant(first !== undefined && value !== undefined, 'a key has a value for each column');
  if (unique === undefined) return sql`and ${first.expression} ${comparison} ${parameterOf(first, value)}`;
  invariant(id !== undefined, 'a key has a value for each column');
  if (value === nullInKey && isNullable(first))
    return sql`and ${first.expression} is null and ${unique.expression} ${comparison} ${parameterOf(unique, id)}`;
  const next = sql`
    (${first.expression}, ${unique.expression}) ${comparison} (${parameterOf(first, value)}, ${parameterOf(unique, id)})`;
  return isNullable(first) ? sql`and (${next} or ${first.expression} is null)` : sql`and ${next}`;
}

/** The same order in memory, for rows of several stores, which can be on different machines. Only the database compares text. */
export function compareRows<Row>({ columns, isDescending }: ListOrder<Row>): (one: Row, other: Row) => number {
  const isComparable = columns.every(({ type }) => type !== 'text' && type !== 'word');
  invariant(isComparable, 'the collation of text is that of the database');
  return (one, other) => {
    for (const column of columns) {
      const [value, otherValue] = [column.value(one), column.value(other)];
      if (value === null || otherValue === null) {
        if (value !== otherValue) return value === null ? 1 : -1;
      } else if (value < otherValue) return isDescending ? 1 : -1;
      else if (value > otherValue) return isDescending ? -1 : 1;
    }
    return 0;
  };
}

/** The key of a row, for the cursor of the page that it ends. */
export const keyOf = <Row>({ columns }: ListOrder<Row>, row: Row): readonly string[] =>
  columns.map((column) => keyValue(column.value(row)));

const nullInKey = '';

function keyValue(value: string | bigint | Date | null): string {
  if (value === null) return nullInKey;
  return value instanceof Date ? String(value.getTime()) : String(value);
}

const isNullable = <Row>(column: SortColumn<Row>): boolean => column.type === 'time' && column.isNullable === true;

/** The form of each value of a key: a cursor is untrusted input. */
export const keyShapes = <Row>({ columns }: ListOrder<Row>): readonly RegExp[] =>
  columns.map((column) => (isNullable(column) ? nullableTimeShape : shapes[column.type]));

const nullableTimeShape = /^\d{0,14}$/;
const shapes = {
  /** Amounts and numbers are never negative. */
  bigint: /^\d{1,18}$/,
  time: /^\d{1,14}$/,
  text: /^[^]*$/,
  word: /^[^]*$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

function parameterOf<Row>({ type }: SortColumn<Row>, value: string): Sql {
  switch (type) {
    case 'bigint':
      return sql`${BigInt(value)}::bigint`;
    case 'time':
      return sql`${new Date(Number(value))}::timestamptz`;
    case 'text':
      return sql`lower(${value}::text)`;
    case 'word':
      return sql`${value}::text`;
    case 'uuid':
      return sql`${value}::uuid`;
  }
}

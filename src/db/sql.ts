import { invariant } from '../core/invariant.ts';
import { arrayBytes, type ElementType } from './array-bytes.ts';

/**
 * SQL as a tagged template whose values are sent as parameters, never as text. A value may be another fragment, so that filters are
 * composed without concatenating strings. An array is passed with its type: `any(${uuids(ids)})`.
 */
export type Sql = { readonly strings: readonly string[]; readonly values: readonly unknown[] };

class Fragment implements Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/** A list as one array parameter. `uuids(ids)` is sent as `$1::uuid[]`. */
class SqlArray {
  readonly type: ElementType;
  readonly elements: readonly unknown[];
  constructor(type: ElementType, elements: readonly unknown[]) {
    this.type = type;
    this.elements = elements;
  }
}

type Elements<Element> = ReadonlyArray<Element | null>;

export const uuids = (elements: Elements<string>): SqlArray => new SqlArray('uuid', elements);
export const texts = (elements: Elements<string>): SqlArray => new SqlArray('text', elements);
/** Each element is serialized JSON. */
export const jsonbs = (elements: Elements<string>): SqlArray => new SqlArray('jsonb', elements);
export const byteas = (elements: Elements<Buffer>): SqlArray => new SqlArray('bytea', elements);
export const timestamps = (elements: Elements<Date>): SqlArray => new SqlArray('timestamptz', elements);
/** Dates are text, as the database returns them. */
export const dates = (elements: Elements<string>): SqlArray => new SqlArray('date', elements);
export const bigints = (elements: Elements<bigint | number>): SqlArray => new SqlArray('bigint', elements);
/** Sums that may exceed a bigint column. */
export const numerics = (elements: Elements<bigint>): SqlArray =>
  new SqlArray(
    'numeric',
    elements.map((element) => (element === null ? null : String(element))),
  );
export const ints = (elements: Elements<number | bigint>): SqlArray => new SqlArray('int', elements);
export const smallints = (elements: Elements<number>): SqlArray => new SqlArray('smallint', elements);
export const booleans = (elements: Elements<boolean>): SqlArray => new SqlArray('boolean', elements);

/** A plain array or object has no SQL type, so it is not accepted. */
type Value = string | number | bigint | boolean | null | undefined | Date | Buffer | Sql | SqlArray;

export function sql(strings: TemplateStringsArray, ...values: readonly Value[]): Sql {
  return new Fragment(strings, values);
}

export const emptySql: Sql = new Fragment([''], []);

export function joined(fragments: readonly Sql[], separator: Sql): Sql {
  return fragments.reduce((whole, next, place) => (place === 0 ? next : sql`${whole}${separator}${next}`), emptySql);
}

/** A table name or a bound in a statement that takes no parameters. Accepts only characters that need no quoting. */
export function verbatim(text: string): Sql {
  invariant(/^[a-z0-9_-]+$/.test(text), 'text inserted into SQL has only the characters of a name or an ID');
  return new Fragment([text], []);
}

/**
 * A statement that is parsed and planned once per connection and then only executed, for batches that repeat the same queries. The
 * plan is cached until the next ANALYZE, however the tables grow meanwhile, so it must be good for empty and for full tables: rows
 * are found through `lateral (… limit 1)` by their whole key, never by a join that could turn into a scan
 * (test/orders/query-plans.test.ts). It contains no fragments, because its text must not change.
 */
export function prepared(strings: TemplateStringsArray, ...values: readonly Value[]): Sql {
  invariant(!values.some((value) => value instanceof Fragment), 'a prepared statement contains no fragments');
  if (!preparedNames.has(strings)) preparedNames.set(strings, `tributary_${(preparedCount += 1)}`);
  return new Fragment(strings, values);
}

/**
 * The statements that insert any number of rows: `${…}` is the list of columns, and becomes `values (…), (…)`. Each row names its store
 * as a value, so that a cluster routes the rows without computing them first. Statements have one of ten sizes, and are prepared once for
 * each size: measured, this is as fast as one prepared `select … from unnest(…)` on one PostgreSQL, and up to seven times as
 * fast on Citus. Many rows are sent as one such `select` instead: PostgreSQL then parses an array for each column, not thousands of values.
 */
export function inserting(strings: TemplateStringsArray, columns: readonly SqlArray[]): readonly Sql[] {
  const count = columns[0]?.elements.length ?? 0;
  invariant(
    columns.every(({ elements }) => elements.length === count),
    'all columns have a value for each row',
  );
  if (count >= rowsInArraysMin) return [new Fragment(arrayStrings(strings, columns.length), columns)];
  const statements: Sql[] = [];
  for (let from = 0; from < count;) {
    const size = sizeBelow[Math.min(rowsPerStatementMax, count - from)] ?? 1;
    const values: unknown[] = [];
    for (let row = from; row < from + size; row++) for (const { elements } of columns) values.push(elements[row]);
    statements.push(new Fragment(insertStrings(strings, { columns: columns.length, rows: size }), values));
    from += size;
  }
  return statements;
}

/** On Citus, such a statement and those with values take about as long for so many rows (docs/decisions/0157). */
const rowsInArraysMin = 64;
const arrayTemplates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The strings around the arrays of an insert, the same array each time, by which the statement is prepared. */
function arrayStrings(strings: TemplateStringsArray, columns: number): readonly string[] {
  const known = arrayTemplates.get(strings);
  if (known) return known;
  const made = [`${strings[0]}select * from unnest(`, ...Array.from({ length: columns - 1 }, () => ', '), `)${strings[1]}`];
  arrayTemplates.set(strings, made);
  preparedNames.set(made, `tributary_${(preparedCount += 1)}`);
  return made;
}

/** Two statements insert most numbers of rows up to 32. More sizes would gain little, and each keeps a plan in every connection. */
const statementSizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const rowsPerStatementMax = 32;
/** The largest size for a number of rows. */
const sizeBelow = Array.from({ length: rowsPerStatementMax + 1 }, (_none, rows) => statementSizes.findLast((size) => size <= rows));
const insertTemplates = new WeakMap<TemplateStringsArray, Map<number, readonly string[]>>();

/** The strings around the values of an insert, the same array each time, by which the statement is prepared. */
function insertStrings(
  strings: TemplateStringsArray,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const ofTemplate = insertTemplates.get(strings) ?? new Map<number, readonly string[]>();
  insertTemplates.set(strings, ofTemplate);
  const known = ofTemplate.get(rows);
  if (known) return known;
  const between = Array.from({ length: rows * columns - 1 }, (_none, place) => ((place + 1) % columns === 0 ? '), (' : ', '));
  const made = [`${strings[0]}values (`, ...between, `)${strings[1]}`];
  ofTemplate.set(rows, made);
  preparedNames.set(made, `tributary_${(preparedCount += 1)}`);
  return made;
}

const preparedNames = new WeakMap<readonly string[], string>();
let preparedCount = 0;

/** A query for the driver: the text with `$1 …`, its parameters, and the name of a prepared statement. */
export type DriverQuery = { readonly text: string; readonly values: unknown[]; readonly name?: string };

export function toDriverQuery(query: Sql): DriverQuery {
  const name = preparedNames.get(query.strings);
  const values: unknown[] = [];
  if (name === undefined) return { text: textOf(query, values), values };
  const text = preparedTexts.get(name) ?? textOf(query, []);
  preparedTexts.set(name, text);
  for (const value of query.values) values.push(parameter(value));
  return { name, text, values };
}

const preparedTexts = new Map<string, string>();

function textOf({ strings, values }: Sql, collected: unknown[]): string {
  invariant(strings.length === values.length + 1, 'a template has one more string than values');
  let text = strings[0] ?? '';
  values.forEach((value, place) => {
    if (value instanceof Fragment) text += textOf(value, collected);
    else text += `$${collected.push(parameter(value))}${value instanceof SqlArray ? castOf(value.type) : ''}`;
    text += strings[place + 1] ?? '';
  });
  return text;
}

/** Numbers of any size are sent as text. */
const castOf = (type: ElementType): string => (type === 'numeric' ? '::text[]::numeric[]' : `::${type}[]`);

/** Converts values that the driver would encode slowly or wrongly. */
function parameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  invariant(!Array.isArray(value), 'an array needs its type, as in `uuids(ids)`');
  return value instanceof SqlArray ? arrayBytes(value.type, value.elements) : value;
}

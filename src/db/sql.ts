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

const preparedNames = new WeakMap<readonly string[], string>();
let preparedCount = 0;

/** A query for the driver: the text with `$1 …`, its parameters, and the name of a prepared statement. */
type DriverQuery = { readonly text: string; readonly values: unknown[]; readonly name?: string };

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
    else text += `$${collected.push(parameter(value))}${value instanceof SqlArray ? `::${value.type}[]` : ''}`;
    text += strings[place + 1] ?? '';
  });
  return text;
}

/** Converts values that the driver would encode slowly or wrongly. */
function parameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  invariant(!Array.isArray(value), 'an array needs its type, as in `uuids(ids)`');
  return value instanceof SqlArray ? arrayBytes(value.type, value.elements) : value;
}

import { invariant } from '../core/invariant.ts';
import { arrayBytes, elementTypeOf } from './array-bytes.ts';

/**
 * SQL as a tagged template whose values are sent as parameters, never as text. A value may be another fragment, so that filters are
 * composed without concatenating strings.
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

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
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
export function prepared(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
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
  query.values.forEach((value, place) => values.push(parameter(value, query.strings[place + 1])));
  return { name, text, values };
}

const preparedTexts = new Map<string, string>();

function textOf({ strings, values }: Sql, collected: unknown[]): string {
  invariant(strings.length === values.length + 1, 'a template has one more string than values');
  let text = strings[0] ?? '';
  values.forEach((value, place) => {
    const behind = strings[place + 1] ?? '';
    if (value instanceof Fragment) text += textOf(value, collected);
    else text += `$${collected.push(parameter(value, behind))}`;
    text += behind;
  });
  return text;
}

/** Converts values that the driver would encode slowly or wrongly. */
function parameter(value: unknown, behind = ''): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayBytes(elementTypeOf(behind), value) : value;
}

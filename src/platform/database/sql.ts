import { must } from '../must.ts';
import { arrayBytes, elementTypeOf } from './array-bytes.ts';

/**
 * SQL stays SQL: a tagged template whose values travel as parameters, never as text. A fragment may stand as a value in
 * another, so that a list's filters are put together without gluing strings.
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

export const nothing: Sql = new Fragment([''], []);

export function joined(fragments: readonly Sql[], separator: Sql): Sql {
  return fragments.reduce((whole, next, place) => (place === 0 ? next : sql`${whole}${separator}${next}`), nothing);
}

/** A table's name or a bound in a statement that takes no parameters. Only letters that can end nothing and quote nothing. */
export function verbatim(text: string): Sql {
  must(/^[a-z0-9_-]+$/.test(text), 'what stands verbatim in SQL has no other letters than a name or an id');
  return new Fragment([text], []);
}

/**
 * A statement that is parsed and planned once for each connection and then only carried out: for the batches, which ask the
 * same again and again. Its plan is kept until the server next looks at the tables, however they grow meanwhile, so it must be one
 * that holds for empty tables and for full ones: rows are found through `lateral (… limit 1)` by their whole key, never by a join that
 * could turn into a scan (test/orders/kept-plans.test.ts).
 * It has no fragments in it: its text is always the same.
 */
export function prepared(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  must(!values.some((value) => value instanceof Fragment), 'a prepared statement is whole as it stands');
  if (!preparedNames.has(strings)) preparedNames.set(strings, `tributary_${(preparedCount += 1)}`);
  return new Fragment(strings, values);
}

const preparedNames = new WeakMap<readonly string[], string>();
let preparedCount = 0;

/** As the driver wants it: the text with `$1 …`, its parameters, and the name of a statement that is kept. */
type Written = { readonly text: string; readonly values: unknown[]; readonly name?: string };

export function written(query: Sql): Written {
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
  must(strings.length === values.length + 1, 'a template has one string more than values');
  let text = strings[0] ?? '';
  values.forEach((value, place) => {
    const behind = strings[place + 1] ?? '';
    if (value instanceof Fragment) text += textOf(value, collected);
    else text += `$${collected.push(parameter(value, behind))}`;
    text += behind;
  });
  return text;
}

/** What the driver would write more slowly, or wrongly. All else is its own. */
function parameter(value: unknown, behind = ''): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayBytes(elementTypeOf(behind), value) : value;
}

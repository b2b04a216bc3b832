import { must } from '../must.ts';

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

/** The text with `$1 …` and its parameters, as the driver wants them. */
export function written(query: Sql): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  return { text: textOf(query, values), values };
}

function textOf({ strings, values }: Sql, collected: unknown[]): string {
  must(strings.length === values.length + 1, 'a template has one string more than values');
  let text = strings[0] ?? '';
  values.forEach((value, place) => {
    if (value instanceof Fragment) text += textOf(value, collected);
    else text += `$${collected.push(value)}`;
    text += strings[place + 1] ?? '';
  });
  return text;
}

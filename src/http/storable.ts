/**
 * PostgreSQL stores no U+0000 in text or jsonb, and UTF-8 has no lone surrogates. Every query and body is checked for both in one place
 * (people/request-input.ts), whatever the schema of the operation says, so that no operation can omit it.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The field whose text cannot be stored, such as `filter.reason`, or null. Iterative, because a body may be nested deeply. */
export function unstorableField(value: unknown): string | null {
  const open: Array<readonly [path: string, held: unknown]> = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, held] = next;
    if (typeof held === 'string' && !isStorableText(held)) return path;
    if (typeof held !== 'object' || held === null) continue;
    for (const [name, below] of Object.entries(held)) {
      // A response cannot contain the name itself.
      if (!isStorableText(name)) return path;
      open.push([path === '' ? name : `${path}.${name}`, below]);
    }
  }
  return null;
}

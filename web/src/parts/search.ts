/** The query of an address, as texts: a number or a claim that somebody typed is the text it was. What is empty is not there. */
export function readTexts(search: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  const texts = names.map((name): [string, string] => [name, textOf(search[name])]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The query of a request, with its question mark; what is not there is left out. */
export function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== '') given.set(name, String(value));
  const query = given.toString();
  return query === '' ? '' : `?${query}`;
}

/** A path, asked for more than it says itself. */
export function askedOf(path: string, fields: Readonly<Record<string, string | number | undefined>>): string {
  const query = queryOf(fields);
  return `${path}${path.includes('?') ? query.replace('?', '&') : query}`;
}

/**
 * Where one is in a list that is read by position: the cursor of this page, and those of the pages between the first and this
 * one, so that the way back stands in the address too. A cursor has no point in it.
 */
export type Position = { readonly cursor?: string | undefined; readonly back?: string | undefined };
export const positionNames = ['cursor', 'back'] as const;

/** Whoever goes further back than this lands on the first page: an address must not grow for ever. */
const wayBackMax = 20;

/** The filter alone: what is narrowed anew begins at its first page, with nothing opened. */
export function withoutPlace<Search extends Position & { readonly open?: string | undefined }>({
  cursor: _cursor,
  back: _back,
  open: _open,
  ...filter
}: Search): Omit<Search, 'cursor' | 'back' | 'open'> {
  return filter;
}

export function positionAfter({ cursor, back }: Position, next: string): Position {
  if (cursor === undefined) return { cursor: next };
  const way = [...(back?.split('.') ?? []), cursor].slice(-wayBackMax);
  return { cursor: next, back: way.join('.') };
}

export function positionBefore({ back }: Position): Position {
  const way = back?.split('.') ?? [];
  const cursor = way.at(-1);
  if (cursor === undefined) return {};
  return way.length === 1 ? { cursor } : { cursor, back: way.slice(0, -1).join('.') };
}

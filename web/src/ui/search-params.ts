/** Reads URL parameters as text: numbers and booleans become the text that was typed, empty values are dropped. */
export function readSearchParams(search: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  const texts = names.map((name): [string, string] => [name, textOf(search[name])]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/**
 * The position in a list that is read by cursor: this page's cursor and those of the pages before it, so that the previous page is in
 * the URL too. A cursor contains no point.
 */
export type PagePosition = { readonly cursor?: string | undefined; readonly back?: string | undefined };
export const positionParams = ['cursor', 'back'] as const;
export const readPagePosition = (search: Readonly<Record<string, unknown>>): PagePosition => readSearchParams(search, positionParams);

/** Going back further than this leads to the first page, so that URLs stay short. */
const previousCursorsMax = 20;

export function positionAfter({ cursor, back }: PagePosition, next: string): PagePosition {
  if (cursor === undefined) return { cursor: next };
  const way = [...(back?.split('.') ?? []), cursor].slice(-previousCursorsMax);
  return { cursor: next, back: way.join('.') };
}

export function positionBefore({ back }: PagePosition): PagePosition {
  const way = back?.split('.') ?? [];
  const cursor = way.at(-1);
  if (cursor === undefined) return {};
  return way.length === 1 ? { cursor } : { cursor, back: way.slice(0, -1).join('.') };
}

/** How many pages are before this one; null if the URL no longer knows. */
export function pagesBefore({ cursor, back }: PagePosition): number | null {
  if (cursor === undefined) return 0;
  const known = back?.split('.').length ?? 0;
  return known < previousCursorsMax ? known + 1 : null;
}

/** The text of a list that has no other filter. */
export type SearchParam = { readonly q?: string | undefined };
export const readSortedSearch = (search: Readonly<Record<string, unknown>>): SearchParam & SortParam & PagePosition =>
  readSearchParams(search, ['q', 'sort', ...positionParams]);

/** The order of a list, as in the API: `issued_at`, or `-issued_at` for descending. */
export type SortParam = { readonly sort?: string | undefined };
export const readSortedPosition = (search: Readonly<Record<string, unknown>>): SortParam & PagePosition =>
  readSearchParams(search, ['sort', ...positionParams]);

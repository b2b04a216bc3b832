import { infiniteQueryOptions, queryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { api, type Page } from '../api/client.ts';
import { type ListPath, type Output, type PathTo, type PathWith, type Row, withQuery } from '../api/operations.ts';

/** Reads one object. The query key is the path split at its slashes, so refreshing a path refreshes everything below it. */
export const apiQuery = <P extends PathWith<'get'>>(path: PathTo<P>): ObjectQuery<Output<P, 'get'>> =>
  objectQuery(path, (signal) => api.get<P>(path, signal));

export type ObjectQuery<Json> = ReturnType<typeof objectQuery<Json>>;

const objectQuery = <Json>(path: string, read: (signal: AbortSignal) => Promise<Json>) =>
  queryOptions({ queryKey: queryKeyOf(path), queryFn: ({ signal }) => read(signal) });

/** Reads a list page by page. */
export const apiListQuery = <P extends ListPath>(path: PathTo<P>): ListQuery<Row<P>> =>
  // Every list path returns a page of its rows.
  listQuery(path, (page, signal) => api.get<P>(page as PathTo<P>, signal) as Promise<unknown> as Promise<Page<Row<P>>>);

/** Reads one page of a list. */
export const apiPageQuery = <P extends ListPath>(path: PathTo<P>): ObjectQuery<Page<Row<P>>> =>
  objectQuery(path, (signal) => api.get<P>(path, signal) as Promise<unknown> as Promise<Page<Row<P>>>);

export type ListQuery<Item> = ReturnType<typeof listQuery<Item>>;

const listQuery = <Item>(path: string, read: (path: string, signal: AbortSignal) => Promise<Page<Item>>) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => read(withQuery(path, { cursor: pageParam ?? undefined }), signal),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.next_cursor,
  });

type Pages<P extends PathWith<'get'>> = {
  readonly path: PathTo<P>;
  readonly limit: number;
  readonly next: (page: Output<P, 'get'>) => string | null;
};

/** Reads an object whose lines come page by page: each page repeats the object. */
export const apiPagedQuery = <P extends PathWith<'get'>>({ path, limit, next }: Pages<P>): PagedQuery<Output<P, 'get'>> =>
  pagedQuery(path, (cursor, signal) => api.get<P>(withQuery(path, { limit, cursor }), signal), next);

export type PagedQuery<Json> = ReturnType<typeof pagedQuery<Json>>;

const pagedQuery = <Json>(
  path: string,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Json>,
  next: (page: Json) => string | null,
) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => read(pageParam ?? undefined, signal),
    initialPageParam: firstPage(),
    getNextPageParam: next,
  });

const firstPage = (): string | null => null;

/** The ID in the path of a disabled query. Without one, the query would have the key of the list above it and show its cached rows. */
export const noId = 'none';

export const queryKeyOf = (path: string): readonly string[] => path.split(/[/?]/).filter((part) => part !== '');

/** Reads the paths again, with everything below them, and the counts of the menu, which most changes affect. */
export const refresh = (client: QueryClient, ...paths: readonly string[]): Promise<unknown> =>
  Promise.all([
    ...paths.map((path) => client.invalidateQueries({ queryKey: queryKeyOf(path) })),
    client.invalidateQueries({ predicate: ({ meta }) => meta?.['refreshesWithAll'] === true }),
  ]);

/** Whether a list is known to have rows. An empty list shows its own button and needs no second one above it. */
export function useHasRows<Item>(list: ListQuery<Item>): boolean {
  const pages = useInfiniteQuery(list);
  return pages.data?.pages.some(({ data }) => data.length > 0) ?? false;
}

/** Whether a list is known to be empty; false while it loads. */
export function useIsEmptyList<Item>(list: ListQuery<Item>): boolean {
  return useInfiniteQuery(list).data?.pages[0]?.data.length === 0;
}

import { infiniteQueryOptions, queryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { api, type Page } from '../api/client.ts';
import type { ListPath, Output, PathTo, PathWith, Row } from '../api/operations.ts';
import { withQuery } from './search-params.ts';

/** Reads one object. The query key is the path split at its slashes, so refreshing a path refreshes everything below it. */
export function apiQuery<P extends PathWith<'get'>>(path: PathTo<P>): ObjectQuery<Output<P, 'get'>>;
export function apiQuery<Reply>(path: string): ObjectQuery<Reply>;
export function apiQuery(path: string): never {
  return objectQuery(path) as never;
}

const objectQuery = <Reply>(path: string) =>
  queryOptions({ queryKey: queryKeyOf(path), queryFn: ({ signal }) => api.get<Reply>(path, signal) });
type ObjectQuery<Reply> = ReturnType<typeof objectQuery<Reply>>;

/** Reads a list page by page. */
export function apiListQuery<P extends ListPath>(path: PathTo<P>): ListQuery<Row<P>>;
export function apiListQuery<Item>(path: string): ListQuery<Item>;
export function apiListQuery(path: string): never {
  return listQuery(path) as never;
}

export type ListQuery<Item> = ReturnType<typeof listQuery<Item>>;

const listQuery = <Item>(path: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => api.get<Page<Item>>(withQuery(path, { cursor: pageParam ?? undefined }), signal),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.next_cursor,
  });

type Pages<Whole> = { readonly path: string; readonly limit: number; readonly next: (page: Whole) => string | null };

/** Reads an object whose lines come page by page: each page repeats the object. */
export const apiPagedQuery = <Whole>({ path, limit, next }: Pages<Whole>) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => api.get<Whole>(withQuery(path, { limit, cursor: pageParam ?? undefined }), signal),
    initialPageParam: firstPage(),
    getNextPageParam: next,
  });

const firstPage = (): string | null => null;

export const queryKeyOf = (path: string): readonly string[] => path.split(/[/?]/).filter((part) => part !== '');

/** Reads the paths again, with everything below them. */
export const refresh = (client: QueryClient, ...paths: readonly string[]): Promise<unknown> =>
  Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: queryKeyOf(path) })));

/** Whether a list is known to have rows. An empty list shows its own button and needs no second one above it. */
export function useHasRows<Item>(list: ListQuery<Item>): boolean {
  const pages = useInfiniteQuery(list);
  return pages.data?.pages.some(({ data }) => data.length > 0) ?? false;
}

/** Whether to show a list that is empty for most people: it has rows, or it failed to load. */
export function useHasRowsOrError<Item>(list: ListQuery<Item>): boolean {
  const hasRows = useHasRows(list);
  return useInfiniteQuery(list).isError || hasRows;
}

/** Whether a list is known to be empty; false while it loads. */
export function useIsEmptyList<Item>(list: ListQuery<Item>): boolean {
  return useInfiniteQuery(list).data?.pages[0]?.data.length === 0;
}

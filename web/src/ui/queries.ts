import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, type Page } from '../api/client.ts';
import { withQuery } from './search-params.ts';

/** Reads one object. The query key is the path split at its slashes, so refreshing a path refreshes everything below it. */
export const apiQuery = <Reply>(path: string) =>
  queryOptions({ queryKey: queryKeyOf(path), queryFn: ({ signal }) => api.get<Reply>(path, signal) });

/** Reads a list page by page. */
export const apiListQuery = <Item>(path: string) =>
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

import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { askedOf } from './search.ts';

/** Reads one thing. The key is the path itself, cut at its slashes: whatever lies below a path is refreshed with it. */
export const reading = <Reply>(path: string) =>
  queryOptions({ queryKey: keyOf(path), queryFn: ({ signal }) => api.get<Reply>(path, signal) });

/** Reads a list page by page. */
export const listing = <Item>(path: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => api.get<Page<Item>>(askedOf(path, { cursor: pageParam ?? undefined }), signal),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.next_cursor,
  });

type Pages<Whole> = { readonly path: string; readonly limit: number; readonly next: (page: Whole) => string | null };

/** Reads one thing whose lines come page by page: each page tells the thing, and some of its lines. */
export const readingInPages = <Whole>({ path, limit, next }: Pages<Whole>) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(path), 'pages'],
    queryFn: ({ pageParam, signal }) => api.get<Whole>(askedOf(path, { limit, cursor: pageParam ?? undefined }), signal),
    initialPageParam: firstPage(),
    getNextPageParam: next,
  });

const firstPage = (): string | null => null;

export const keyOf = (path: string): readonly string[] => path.split(/[/?]/).filter((part) => part !== '');

/** Whatever changed is read again, with all that lies below it. */
export const refresh = (client: QueryClient, ...paths: readonly string[]): Promise<unknown> =>
  Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: keyOf(path) })));

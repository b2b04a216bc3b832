import { useInfiniteQuery } from '@tanstack/react-query';
import type { apiListQuery } from './queries.ts';

/** Whether a list is known to have rows. An empty list shows its own button and needs no second one above it. */
export function useHasRows<Item>(list: ReturnType<typeof apiListQuery<Item>>): boolean {
  const pages = useInfiniteQuery(list);
  return pages.data?.pages.some(({ data }) => data.length > 0) ?? false;
}

/** Whether to show a list that is empty for most people: it has rows, or it failed to load. */
export function useHasRowsOrError<Item>(list: ReturnType<typeof apiListQuery<Item>>): boolean {
  const hasRows = useHasRows(list);
  return useInfiniteQuery(list).isError || hasRows;
}

/** Whether a list is known to be empty; false while it loads. */
export function useIsEmptyList<Item>(list: ReturnType<typeof apiListQuery<Item>>): boolean {
  return useInfiniteQuery(list).data?.pages[0]?.data.length === 0;
}

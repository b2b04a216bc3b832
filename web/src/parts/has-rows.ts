import { useInfiniteQuery } from '@tanstack/react-query';
import type { listing } from './reading.ts';

/** Whether a list has anything in it, as far as is known: an empty one shows its own button, and needs no second above it. */
export function useHasRows<Item>(list: ReturnType<typeof listing<Item>>): boolean {
  const pages = useInfiniteQuery(list);
  return pages.data?.pages.some(({ data }) => data.length > 0) ?? false;
}

/** Whether a list that is empty for most has its place: it has something in it, or nobody could tell. */
export function useIsWorthAPlace<Item>(list: ReturnType<typeof listing<Item>>): boolean {
  const hasRows = useHasRows(list);
  return useInfiniteQuery(list).isError || hasRows;
}

/** Whether a list is known to have nothing in it: as long as it is being read nobody is told so. */
export function useIsEmpty<Item>(list: ReturnType<typeof listing<Item>>): boolean {
  return useInfiniteQuery(list).data?.pages[0]?.data.length === 0;
}

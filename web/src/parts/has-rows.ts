import { useInfiniteQuery } from '@tanstack/react-query';
import type { listing } from './reading.ts';

/** Whether a list has anything in it, as far as is known: an empty one shows its own button, and needs no second above it. */
export function useHasRows<Item>(list: ReturnType<typeof listing<Item>>): boolean {
  const pages = useInfiniteQuery(list);
  return pages.data?.pages.some(({ data }) => data.length > 0) ?? false;
}

import { queryOptions } from '@tanstack/react-query';
import { api, type Page } from '../../api/client.ts';
import type { LogEntry } from '../../../../sdk/src/api-schema.ts';
import { queryKeyOf } from '../../ui/queries.ts';
import { logListPath } from './tracking-api.ts';

/** The tracking log stores this much of an ID for its search and cuts it in the same way. */
const searchableIdLength = 200;
const linesPerPage = 100;
/** Two thousand newer requests of orders whose IDs start alike; beyond that the page says that it did not search further. */
const pagesMax = 20;

type OrderPostbacks = {
  readonly lines: readonly LogEntry[];
  /** There are older lines that were not searched. */
  readonly isIncomplete: boolean;
};

/**
 * The postbacks of one order. The log finds lines by the start of an ID, newest first: this reads all pages and drops the lines of
 * other orders.
 */
export function orderPostbacksQuery(store: string, order: string) {
  const subject = order.slice(0, searchableIdLength).toWellFormed();
  return queryOptions({
    queryKey: [...queryKeyOf(logListPath(store, {}, {})), 'of', subject],
    queryFn: async ({ signal }): Promise<OrderPostbacks> => {
      const lines: LogEntry[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < pagesMax; pages++) {
        const place: { readonly cursor?: string } = cursor === null ? {} : { cursor };
        const page: Page<LogEntry> = await api.get(logListPath(store, { q: subject }, { ...place, limit: linesPerPage }), signal);
        lines.push(...page.data.filter((line) => line.subject === subject));
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return { lines, isIncomplete: cursor !== null };
    },
  });
}

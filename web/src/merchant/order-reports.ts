import { queryOptions } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { keyOf } from '../parts/reading.ts';
import { logList, type LogLine } from './tracking-api.ts';

/** As much of an ID as the log keeps to find a line by; it cuts in the same way. */
const foundByMax = 200;
const linesPerPage = 100;
/** Two thousand newer reports about orders that begin alike; beyond that the page says that it did not look further. */
const pagesMax = 20;

type Reports = {
  readonly lines: readonly LogLine[];
  /** There are older lines that were not looked at. */
  readonly mayLack: boolean;
};

/**
 * What a store's server reported of one order. The log finds what begins with an ID, the newest first: it is read on to its end, and
 * what is about other orders is left out.
 */
export function orderReports(store: string, order: string) {
  const subject = order.slice(0, foundByMax).toWellFormed();
  return queryOptions({
    queryKey: [...keyOf(logList(store, {}, {})), 'of', subject],
    queryFn: async ({ signal }): Promise<Reports> => {
      const lines: LogLine[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < pagesMax; pages++) {
        const place: { readonly cursor?: string } = cursor === null ? {} : { cursor };
        const page: Page<LogLine> = await api.get(logList(store, { q: subject }, { ...place, limit: linesPerPage }), signal);
        lines.push(...page.data.filter((line) => line.subject === subject));
        cursor = page.next_cursor;
        if (cursor === null) break;
      }
      return { lines, mayLack: cursor !== null };
    },
  });
}

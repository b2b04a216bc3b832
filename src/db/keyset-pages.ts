/** The rows of one page, and the pages of one iteration. A job that reaches the limit continues at its next run. */
export type KeysetBounds = { readonly rowsPerPage: number; readonly pagesMax: number };

/** `limit` is exact: fewer rows mean that no more follow. */
export type KeysetPage<Key> = { readonly after: Key | null; readonly limit: number };

/**
 * Yields the pages of a query that is sorted by a key, each beginning after the last key of the page before, up to `pagesMax` pages. The
 * next page is read after the caller has processed the previous one, so that a job may change the rows it receives. The first page may be
 * empty.
 */
export async function* boundedKeysetPages<Row, Key>(
  { rowsPerPage, pagesMax }: KeysetBounds,
  keyOf: (row: Row) => Key,
  read: (page: KeysetPage<Key>) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let after: Key | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const rows: readonly Row[] = await read({ after, limit: rowsPerPage });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = keyOf(last);
  }
}

/** Processes every page where it is read, such as in the transaction that locks its rows. */
export async function processBoundedKeysetPages<Row, Key>(
  bounds: KeysetBounds,
  keyOf: (row: Row) => Key,
  process: (page: KeysetPage<Key>) => Promise<readonly Row[]>,
): Promise<void> {
  const pages = boundedKeysetPages(bounds, keyOf, process);
  while (!(await pages.next()).done);
}

/** For a query that returns keys. */
export const itself = <Key>(key: Key): Key => key;

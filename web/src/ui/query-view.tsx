import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import { LoadingSkeleton } from './table.tsx';
import styles from './table.module.css';

/** What the view needs of a query of TanStack Query. */
type ReadQuery<Data> = {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
  /** A failed next page is shown below the rows, by `ShowMore`. */
  readonly isFetchNextPageError?: boolean;
};

type QueryViewProps<Data> = {
  readonly query: ReadQuery<Data>;
  /** Lines of the loading placeholder. */
  readonly lines?: number;
  /** In a section whose content reaches its edges. */
  readonly padded?: boolean;
  /** Left out where several queries make up the content. */
  readonly children?: (data: Data) => ReactNode;
};

/** The loading and error states of a query, and its content. */
export function QueryView<Data>({ query, lines = 3, padded = false, children }: QueryViewProps<Data>) {
  const { data, isSuccess } = query;
  const error = query.isFetchNextPageError === true ? null : query.error;
  const alert = <ErrorAlert error={error} onRetry={() => void query.refetch()} />;
  return (
    <>
      {query.isPending && <LoadingSkeleton lines={lines} />}
      {padded && error !== null ? <div className={styles.padded}>{alert}</div> : alert}
      {isSuccess && data !== undefined && children?.(data)}
    </>
  );
}

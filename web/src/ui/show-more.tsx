import { Button } from '@mantine/core';
import { ErrorAlert } from './error-alert.tsx';

type ShowMoreProps = {
  /** The pages read so far. */
  readonly list: {
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => Promise<unknown>;
  };
};

/** Loads the next page of a list; shows the error and a retry when that fails. */
export function ShowMore({ list }: ShowMoreProps) {
  const more = () => void list.fetchNextPage();
  if (list.isFetchNextPageError && !list.isFetchingNextPage && list.error !== null) return <ErrorAlert error={list.error} onRetry={more} />;
  return (
    <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={more}>
      Show more
    </Button>
  );
}

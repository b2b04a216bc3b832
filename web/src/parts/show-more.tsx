import { Button } from '@mantine/core';
import { ProblemNote } from './problem-note.tsx';

type ShowMoreProps = {
  /** What was read so far, of which there is more. */
  readonly of: {
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => Promise<unknown>;
  };
};

/** The way to what is left of a list; where it did not come, why, and once more. */
export function ShowMore({ of: list }: ShowMoreProps) {
  const more = () => void list.fetchNextPage();
  if (list.isFetchNextPageError && !list.isFetchingNextPage && list.error !== null)
    return <ProblemNote problem={list.error} onRetry={more} />;
  return (
    <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={more}>
      Show more
    </Button>
  );
}

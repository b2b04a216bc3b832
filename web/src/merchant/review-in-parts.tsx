import { Button, Progress } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { textOf } from '../parts/problem-note.tsx';
import { decidedCount, reviewAll, type ReviewAction, type ReviewCounts } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from './list-search.ts';
import { endOf } from './review-words.ts';

type Work = {
  readonly store: string;
  readonly action: ReviewAction;
  readonly filter: ConversionFilter;
  /** As many as matched when it began; where nobody counted to the end, at least so many. */
  readonly total: number;
};

/** A message of its own: that of another decision must not take its place, nor the other way round. */
const id = 'review-in-parts';
const toldMs = 30_000;

let underWay = false;
/** One at a time. */
export const isUnderWay = (): boolean => underWay;

/**
 * Thousands, part by part, while the page stays free: how far it is stands in a message with a way to stop, on whichever page one
 * is. What is decided stays decided, so it may end anywhere; a window that is closed meanwhile asks first.
 */
export async function reviewInParts({ store, action, filter, total }: Work): Promise<void> {
  let isStopped = false;
  let soFar: ReviewCounts | null = null;
  const stop = () => {
    isStopped = true;
    showProgress();
  };
  const showProgress = () => {
    const count = soFar === null ? 0 : decidedCount(soFar);
    const message = <UnderWay doing={doing[action.do]} count={count} total={total} isStopped={isStopped} stop={stop} />;
    notifications.update({ id, message, autoClose: false, withCloseButton: false });
  };
  const end = (message: string, isFault = false) =>
    notifications.update({ id, message, autoClose: isFault ? false : toldMs, withCloseButton: true, ...(isFault && { color: 'red' }) });
  notifications.hide(id);
  notifications.show({ id, message: null, autoClose: false, withCloseButton: false });
  showProgress();
  underWay = true;
  addEventListener('beforeunload', askFirst);
  try {
    const counts = await reviewAll(store, action, filter, (counted) => {
      soFar = counted;
      showProgress();
      return !isStopped;
    });
    end(isStopped ? `Stopped. ${endOf(action, counts)} The rest is as it was.` : endOf(action, counts));
  } catch (error) {
    const done = soFar === null ? '' : `${endOf(action, soFar)} Then it ended: `;
    end(`${done}${textOf(error instanceof Error ? error : new Error(String(error)))} Do the same again to go on with the rest.`, true);
  } finally {
    underWay = false;
    removeEventListener('beforeunload', askFirst);
  }
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

const doing = { approve: 'Approving', reject: 'Rejecting', hold: 'Holding', release: 'Releasing', reopen: 'Reopening' } as const;

type UnderWayProps = {
  readonly doing: string;
  readonly count: number;
  readonly total: number;
  readonly isStopped: boolean;
  readonly stop: () => void;
};

function UnderWay({ doing: word, count, total, isStopped, stop }: UnderWayProps) {
  const words = `${word}: ${count.toLocaleString('en-GB')} of ${Math.max(total, count).toLocaleString('en-GB')}`;
  return (
    <div className={styles.underWay}>
      <span className={styles.told}>
        <strong>{words}</strong>
        <Button variant="default" size="xs" loading={isStopped} onClick={stop}>
          Stop
        </Button>
      </span>
      <Progress value={total === 0 ? 100 : Math.min(100, (100 * count) / total)} aria-label={word} />
      <span>You can go on working here meanwhile.</span>
    </div>
  );
}

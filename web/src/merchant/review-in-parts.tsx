import { Button, Progress } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { textOf } from '../parts/problem-note.tsx';
import styles from './conversions.module.css';

/** How it ended, and what can be done about it. */
export type Ended = { readonly told: string; readonly beside?: ReactNode };

type Work = {
  /** What one sees it do: `Approving`. */
  readonly doing: string;
  /** As many as there were when it began; where nobody counted to the end, at least so many. */
  readonly total: number;
  /** Does it, part by part. After each it tells how many are done, and goes on unless it was stopped. */
  readonly run: (goOn: (count: number) => boolean) => Promise<void>;
  /** Of what was done until then, however it ended. Null: nothing was. */
  readonly soFar: () => Ended | null;
  /** What to do where it ended by a fault. */
  readonly again: string;
};

/** A message of its own: that of another decision must not take its place, nor the other way round. */
const id = 'review-in-parts';
/** Long enough to read it, and to think about it once more. */
const toldMs = 120_000;

let underWay = false;
/** One at a time. */
export const isUnderWay = (): boolean => underWay;

/**
 * Thousands, part by part, while the page stays free: how far it is stands in a message with a way to stop, on whichever page one
 * is. What is done stays done, so it may end anywhere; a window that is closed meanwhile asks first.
 */
export async function inParts({ doing, total, run, soFar, again }: Work): Promise<void> {
  let isStopped = false;
  let count = 0;
  const stop = () => {
    isStopped = true;
    showProgress();
  };
  const showProgress = () => {
    const message = <UnderWay doing={doing} count={count} total={total} isStopped={isStopped} stop={stop} />;
    notifications.update({ id, message, autoClose: false, withCloseButton: false });
  };
  const end = (message: ReactNode, isFault = false) =>
    notifications.update({ id, message, autoClose: isFault ? false : toldMs, withCloseButton: true, ...(isFault && { color: 'red' }) });
  notifications.hide(id);
  notifications.show({ id, message: null, autoClose: false, withCloseButton: false });
  showProgress();
  underWay = true;
  addEventListener('beforeunload', askFirst);
  try {
    await run((done) => {
      count = done;
      showProgress();
      return !isStopped;
    });
    end(<Told ended={soFar()} before={isStopped ? 'Stopped. ' : ''} after={isStopped ? ' The rest is as it was.' : ''} />);
  } catch (error) {
    const why = textOf(error instanceof Error ? error : new Error(String(error)));
    const ended = soFar();
    end(<Told ended={ended} before="" after={`${ended === null ? '' : ' Then it ended: '}${why} ${again}`} />, true);
  } finally {
    underWay = false;
    removeEventListener('beforeunload', askFirst);
  }
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

type ToldProps = { readonly ended: Ended | null; readonly before: string; readonly after: string };

const Told = ({ ended, before, after }: ToldProps) => (
  <span className={styles.told}>
    {`${before}${ended?.told ?? ''}${after}`}
    {ended?.beside}
  </span>
);

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

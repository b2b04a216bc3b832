import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import type { ReactNode } from 'react';
import type { ReviewCounts } from '../../../../sdk/src/api-schema.ts';
import { errorText } from '../../ui/error-alert.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { decidedCount, reviewAll, undoAll, type DecisionRange, type ReviewAction, type ReviewTotals } from './commissions-api.ts';
import styles from './conversions.module.css';
import { progressLabels, reviewResultText, undoResultText } from './review-actions.ts';
import { t } from './messages.ts';

type BulkReview = {
  readonly store: string;
  readonly action: ReviewAction;
  readonly filter: ConversionFilter;
  readonly total: number;
  /** Called after each run, because the lists are stale then. */
  readonly onDone: () => void;
};

/** Decides thousands of rows. The result message offers an undo button while it is shown. */
export async function runBulkReview({ store, action, filter, total, onDone }: BulkReview): Promise<void> {
  let reviewed: ReviewTotals | null = null;
  const undoOf = ({ counts, decided }: ReviewTotals) => <UndoButton store={store} decided={decided} total={counts.ok} onDone={onDone} />;
  await runInBatches({
    progressLabel: progressLabels[action.do],
    total,
    run: async (onProgress) => {
      await reviewAll(store, action, filter, (soFar) => {
        reviewed = soFar;
        return onProgress(decidedCount(soFar.counts));
      });
    },
    result: () => reviewed && { message: reviewResultText(action, reviewed.counts), action: undoOf(reviewed) },
    failureHint: t.bulk_review.repeat_the_action_to_continue,
  });
  onDone();
}

type BulkUndo = {
  readonly store: string;
  readonly decided: readonly DecisionRange[];
  /** The number of undone decisions to expect. */
  readonly total: number;
  readonly onDone: () => void;
};

function UndoButton(undoing: BulkUndo) {
  if (undoing.decided.length === 0) return null;
  return (
    <Button variant="default" size="xs" onClick={() => void runBulkUndo(undoing)}>
      {t.bulk_review.undo}
    </Button>
  );
}

/** Undoes the decisions in the same batches. The rest can be undone by another click. */
async function runBulkUndo({ store, decided, total, onDone }: BulkUndo): Promise<void> {
  let undone: { readonly counts: ReviewCounts; readonly left: readonly DecisionRange[] } | null = null;
  const undoLeft = (counts: ReviewCounts, left: readonly DecisionRange[]) => (
    <UndoButton store={store} decided={left} total={total - decidedCount(counts)} onDone={onDone} />
  );
  await runInBatches({
    progressLabel: t.bulk_review.undoing,
    total,
    run: async (onProgress) => {
      await undoAll(store, decided, (counts, left) => {
        undone = { counts, left };
        return onProgress(decidedCount(counts));
      });
    },
    result: () => undone && { message: undoResultText(undone.counts), action: undoLeft(undone.counts, undone.left) },
    failureHint: t.bulk_review.conversions_that_were_not_undone,
  });
  onDone();
}

/** The result message and its action. */
type BatchResult = { readonly message: string; readonly action?: ReactNode };

type BatchRun = {
  /** The verb of the progress message: `Approving`. */
  readonly progressLabel: string;
  /** The count when the action started; a lower bound when the count stopped at its limit. */
  readonly total: number;
  /** Runs the batches. After each it reports the number done and continues unless the person stopped it. */
  readonly run: (onProgress: (count: number) => boolean) => Promise<void>;
  /** The result so far, after success, stop and failure. Null: nothing was done. */
  readonly result: () => BatchResult | null;
  /** The next step after a failure. */
  readonly failureHint: string;
};

/** Its own notification ID, so that it does not replace the message of another decision. */
const notificationId = 'review-in-parts';
/** Long enough to read the message and to reconsider. */
const resultShownMs = 120_000;

let running = false;
/** Only one batch action runs at a time. */
export const isBatchRunning = (): boolean => running;

/**
 * Runs an action on thousands of rows in batches without blocking the page. A notification shows the progress on every page and can
 * stop it. Finished batches stay decided; closing the window asks first.
 */
async function runInBatches({ progressLabel, total, run, result, failureHint }: BatchRun): Promise<void> {
  let isStopped = false;
  let count = 0;
  const stop = () => {
    isStopped = true;
    showProgress();
  };
  const showProgress = () => {
    const message = <BatchProgress progressLabel={progressLabel} count={count} total={total} isStopped={isStopped} stop={stop} />;
    toasts.update({ id: notificationId, message, autoClose: false, withCloseButton: false });
  };
  const end = (message: ReactNode, isError = false) =>
    toasts.update({
      id: notificationId,
      message,
      autoClose: isError ? false : resultShownMs,
      withCloseButton: true,
      ...(isError && { color: 'red' }),
    });
  toasts.hide(notificationId);
  toasts.show({ id: notificationId, message: null, autoClose: false, withCloseButton: false });
  showProgress();
  running = true;
  addEventListener('beforeunload', warnBeforeUnload);
  try {
    await run((done) => {
      count = done;
      showProgress();
      return !isStopped;
    });
    end(
      <ResultMessage
        ended={result()}
        before={isStopped ? t.bulk_review.stopped : ''}
        after={isStopped ? t.bulk_review.the_rest_is_unchanged : ''}
      />,
    );
  } catch (error) {
    const why = errorText(error instanceof Error ? error : new Error(String(error)));
    const ended = result();
    end(
      <ResultMessage ended={ended} before="" after={`${ended === null ? '' : t.bulk_review.then_it_failed}${why} ${failureHint}`} />,
      true,
    );
  } finally {
    running = false;
    removeEventListener('beforeunload', warnBeforeUnload);
  }
}

const warnBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

type ResultMessageProps = { readonly ended: BatchResult | null; readonly before: string; readonly after: string };

const ResultMessage = ({ ended, before, after }: ResultMessageProps) => (
  <span className={styles.notification}>
    {`${before}${ended?.message ?? ''}${after}`}
    {ended?.action}
  </span>
);

type BatchProgressProps = {
  readonly progressLabel: string;
  readonly count: number;
  readonly total: number;
  readonly isStopped: boolean;
  readonly stop: () => void;
};

function BatchProgress({ progressLabel: word, count, total, isStopped, stop }: BatchProgressProps) {
  const countText = t.bulk_review.of({ word, count, total: Math.max(total, count) });
  return (
    <div className={styles.progress}>
      <span className={styles.notification}>
        <strong>{countText}</strong>
        <Button variant="default" size="xs" loading={isStopped} onClick={stop}>
          {t.bulk_review.stop}
        </Button>
      </span>
      <progress max={100} value={total === 0 ? 100 : Math.min(100, (100 * count) / total)} aria-label={word} />
      <span>{t.bulk_review.you_can_keep_working_on}</span>
    </div>
  );
}

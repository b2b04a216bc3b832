import { Button } from '@mantine/core';
import {
  decidedCount,
  reviewAll,
  undoAll,
  type DecisionRange,
  type ReviewAction,
  type ReviewCounts,
  type ReviewSummary,
} from './commissions-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { runInBatches } from './run-in-batches.tsx';
import { reviewResultText, undoResultText } from './review-result-text.ts';

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
  let reviewed: ReviewSummary | null = null;
  const undoOf = ({ counts, decided }: ReviewSummary) => <UndoButton store={store} decided={decided} total={counts.ok} onDone={onDone} />;
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
    failureHint: 'Do the same again to go on with the rest.',
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
      Undo
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
    progressLabel: 'Taking back',
    total,
    run: async (goOn) => {
      await undoAll(store, decided, (counts, left) => {
        undone = { counts, left };
        return goOn(decidedCount(counts));
      });
    },
    result: () => undone && { message: undoResultText(undone.counts), action: undoLeft(undone.counts, undone.left) },
    failureHint: 'What was not taken back is as you decided it.',
  });
  onDone();
}

const progressLabels = { approve: 'Approving', reject: 'Rejecting', hold: 'Holding', release: 'Releasing', reopen: 'Reopening' } as const;

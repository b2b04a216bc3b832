import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Commission, CommissionTotals } from '../../../../sdk/src/api-schema.ts';
import { errorText } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { commissionsPath, reviewAll, reviewIds, undoAll, type DecisionRange, type ReviewAction } from './commissions-api.ts';
import styles from './conversions.module.css';
import { reviewResultText, undoResultText } from './review-actions.ts';
import { t } from './messages.ts';

export type Review = {
  /** Decides the rows and shows the result with an undo button. */
  readonly rows: (action: ReviewAction, rows: readonly Commission[]) => Promise<void>;
  /** Decides all matching rows: a few in one request, thousands in batches. */
  readonly all: (action: ReviewAction, filter: ConversionFilter, totals: CommissionTotals) => Promise<void>;
  /** Undoes the last decision of this page. */
  readonly undoLast: () => void;
};

const batchRunningError = {
  reason: 'conflict',
  message: t.use_review.another_bulk_review_is_in,
};

/** Up to this many are decided in one request; more run in batches. */
const singleRequestMax = 1_000;
export const needsBatches = ({ count, has_more: hasMore }: CommissionTotals): boolean => hasMore || count > singleRequestMax;

/** One notification at a time, about the last decision. */
const notificationId = 'review';
const resultShownMs = 30_000;

export function useReview(store: string): Review {
  const client = useQueryClient();
  const last = useRef<readonly DecisionRange[]>([]);
  const dedupe = useDedupe();
  const showResult = (message: string, decided: readonly DecisionRange[]) => {
    last.current = decided;
    toasts.hide(notificationId);
    toasts.show({
      id: notificationId,
      autoClose: resultShownMs,
      message: (
        <span className={styles.notification}>
          {message}
          {decided.length > 0 && (
            <Button variant="default" size="xs" onClick={undoLast}>
              {t.use_review.undo}
            </Button>
          )}
        </span>
      ),
    });
  };
  const changed = () => refresh(client, commissionsPath(store));
  const undo = async (decided: readonly DecisionRange[]) => {
    showResult(undoResultText(await undoAll(store, decided, () => true)), []);
    await changed();
  };
  function undoLast() {
    const decided = last.current;
    if (decided.length === 0) return;
    last.current = [];
    toasts.hide(notificationId);
    undo(decided).catch(notifyReviewFailed);
  }
  const rows: Review['rows'] = (action, before) =>
    dedupe(before, async (ids) => {
      const { counts, decided } = await reviewIds(store, action, ids);
      showResult(reviewResultText(action, counts), decided);
      await changed();
    });
  const all: Review['all'] = async (action, filter, totals) => {
    if (!needsBatches(totals)) {
      const { counts, decided } = await reviewAll(store, action, filter, () => true);
      showResult(reviewResultText(action, counts), decided);
      await changed();
      return;
    }
    last.current = [];
    const { isBatchRunning, runBulkReview } = await import('./bulk-review.tsx');
    if (isBatchRunning()) throw new ApiError(409, batchRunningError);
    void runBulkReview({ store, action, filter, total: totals.count, onDone: () => void changed() });
  };
  return { rows, undoLast, all };
}

/** Ignores rows whose decision is in flight: the second response would say that nothing changed and remove the undo button. */
function useDedupe() {
  const inFlight = useRef<ReadonlySet<string>>(new Set());
  return async (rows: readonly Commission[], decide: (ids: readonly string[]) => Promise<void>): Promise<void> => {
    const ids = rows.map(({ id }) => id).filter((id) => !inFlight.current.has(id));
    if (ids.length === 0) return;
    inFlight.current = new Set([...inFlight.current, ...ids]);
    try {
      await decide(ids);
    } finally {
      inFlight.current = new Set([...inFlight.current].filter((id) => !ids.includes(id)));
    }
  };
}

export const notifyCannotReopenAll = (): string =>
  toasts.show({
    title: t.use_review.couldnt_update_the_conversions,
    message: t.use_review.first_filter_by_state_approved,
  });

export const notifyReviewFailed = (error: unknown): string =>
  toasts.show({
    color: 'red',
    title: t.use_review.couldnt_update_the_conversions,
    message: errorText(error instanceof Error ? error : new Error(String(error))),
  });

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiProblem } from '../api.ts';
import { textOf } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import styles from './conversions.module.css';
import {
  commissionsPath,
  everyMatch,
  reviewedByIdsMax,
  reviewIds,
  type Commission,
  type ReviewAction,
  type Totals,
} from './commissions-api.ts';
import type { ConversionFilter } from './list-search.ts';
import { undoneCount, undoOf, type Undo } from './review-undo.ts';
import { endOf } from './review-words.ts';

export type Reviewing = {
  /** Decides on these rows, and says how it ended with a way to take it back. */
  readonly rows: (action: ReviewAction, rows: readonly Commission[]) => Promise<void>;
  /** Decides on all that match. So many as can be named are named, so that they can be taken back. */
  readonly all: (action: ReviewAction, filter: ConversionFilter, totals: Totals) => Promise<void>;
  /** Takes the last decision of this page back. */
  readonly undoLast: () => void;
};

const oneAtATime = {
  reason: 'conflict',
  message: 'Another decision on thousands is under way. Wait until it has ended, or stop it.',
};

export const canBeUndone = ({ count, has_more: hasMore }: Totals): boolean => !hasMore && count <= reviewedByIdsMax;

/** One message at a time: the one about the last decision. */
const told = 'review';
const toldMs = 30_000;

export function useReviewing(store: string): Reviewing {
  const client = useQueryClient();
  const last = useRef<Undo | null>(null);
  const tell = (message: string, undo: Undo | null) => {
    last.current = undo;
    notifications.hide(told);
    notifications.show({
      id: told,
      autoClose: toldMs,
      message: (
        <span className={styles.told}>
          {message}
          {undo !== null && undo.length > 0 && (
            <Button variant="default" size="xs" onClick={undoLast}>
              Undo
            </Button>
          )}
        </span>
      ),
    });
  };
  const rows: Reviewing['rows'] = async (action, before) => {
    const { counts, words } = await reviewIds(
      store,
      action,
      before.map(({ id }) => id),
    );
    tell(endOf(action, counts), undoOf(action, before, words));
    await refresh(client, commissionsPath(store));
  };
  const undo = async (steps: Undo) => {
    for (const { action, ids } of steps) await reviewIds(store, action, ids);
    tell(`Taken back: ${undoneCount(steps)}.`, null);
    await refresh(client, commissionsPath(store));
  };
  function undoLast() {
    const steps = last.current;
    if (steps === null || steps.length === 0) return;
    last.current = null;
    notifications.hide(told);
    undo(steps).catch(tellProblem);
  }
  return {
    rows,
    undoLast,
    all: async (action, filter, totals) => {
      if (canBeUndone(totals)) return rows(action, await everyMatch(store, filter));
      last.current = null;
      const { isUnderWay, reviewInParts } = await import('./review-in-parts.tsx');
      if (isUnderWay()) throw new ApiProblem(409, oneAtATime);
      void reviewInParts({ store, action, filter, total: totals.count }).then(() => refresh(client, commissionsPath(store)));
    },
  };
}

export const tellProblem = (error: unknown): string =>
  notifications.show({
    color: 'red',
    title: 'That was not decided',
    message: textOf(error instanceof Error ? error : new Error(String(error))),
  });

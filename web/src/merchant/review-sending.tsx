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
  reviewAll,
  reviewIds,
  undoAll,
  type Commission,
  type Decided,
  type ReviewAction,
  type Totals,
} from './commissions-api.ts';
import type { ConversionFilter } from './list-search.ts';
import { endOf, endOfUndo } from './review-words.ts';

export type Reviewing = {
  /** Decides on these rows, and says how it ended with a way to take it back. */
  readonly rows: (action: ReviewAction, rows: readonly Commission[]) => Promise<void>;
  /** Decides on all that match: a few at once, thousands part by part. */
  readonly all: (action: ReviewAction, filter: ConversionFilter, totals: Totals) => Promise<void>;
  /** Takes the last decision of this page back. */
  readonly undoLast: () => void;
};

const oneAtATime = {
  reason: 'conflict',
  message: 'Another decision on thousands is under way. Wait until it has ended, or stop it.',
};

/** So many are decided while one waits for the answer; more go part by part. */
const atOnceMax = 1_000;
export const goesInParts = ({ count, has_more: hasMore }: Totals): boolean => hasMore || count > atOnceMax;

/** One message at a time: the one about the last decision. */
const told = 'review';
const toldMs = 30_000;

export function useReviewing(store: string): Reviewing {
  const client = useQueryClient();
  const last = useRef<readonly Decided[]>([]);
  const eachOnce = useEachOnce();
  const tell = (message: string, decided: readonly Decided[]) => {
    last.current = decided;
    notifications.hide(told);
    notifications.show({
      id: told,
      autoClose: toldMs,
      message: (
        <span className={styles.told}>
          {message}
          {decided.length > 0 && (
            <Button variant="default" size="xs" onClick={undoLast}>
              Undo
            </Button>
          )}
        </span>
      ),
    });
  };
  const changed = () => refresh(client, commissionsPath(store));
  const undo = async (decided: readonly Decided[]) => {
    tell(endOfUndo(await undoAll(store, decided, () => true)), []);
    await changed();
  };
  function undoLast() {
    const decided = last.current;
    if (decided.length === 0) return;
    last.current = [];
    notifications.hide(told);
    undo(decided).catch(tellProblem);
  }
  const rows: Reviewing['rows'] = (action, before) =>
    eachOnce(before, async (ids) => {
      const { counts, decided } = await reviewIds(store, action, ids);
      tell(endOf(action, counts), decided);
      await changed();
    });
  const all: Reviewing['all'] = async (action, filter, totals) => {
    if (!goesInParts(totals)) {
      const { counts, decided } = await reviewAll(store, action, filter, () => true);
      tell(endOf(action, counts), decided);
      await changed();
      return;
    }
    last.current = [];
    const [{ isUnderWay }, { reviewThousands }] = await Promise.all([import('./review-in-parts.tsx'), import('./review-thousands.tsx')]);
    if (isUnderWay()) throw new ApiProblem(409, oneAtATime);
    void reviewThousands({ store, action, filter, total: totals.count, changed: () => void changed() });
  };
  return { rows, undoLast, all };
}

/** Pressed twice it is decided once: the second answer would say that nothing was changed, and take the way back with it. */
function useEachOnce() {
  const underWay = useRef<ReadonlySet<string>>(new Set());
  return async (rows: readonly Commission[], decide: (ids: readonly string[]) => Promise<void>): Promise<void> => {
    const ids = rows.map(({ id }) => id).filter((id) => !underWay.current.has(id));
    if (ids.length === 0) return;
    underWay.current = new Set([...underWay.current, ...ids]);
    try {
      await decide(ids);
    } finally {
      underWay.current = new Set([...underWay.current].filter((id) => !ids.includes(id)));
    }
  };
}

export const tellNotForAll = (): string =>
  notifications.show({
    title: 'That was not decided',
    message: 'Choose the state “Approved” or “Rejected” first: only what was decided can be reopened.',
  });

export const tellProblem = (error: unknown): string =>
  notifications.show({
    color: 'red',
    title: 'That was not decided',
    message: textOf(error instanceof Error ? error : new Error(String(error))),
  });

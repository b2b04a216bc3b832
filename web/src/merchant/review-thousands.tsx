import { Button } from '@mantine/core';
import { decidedCount, reviewAll, undoAll, type Decided, type ReviewAction, type ReviewCounts, type Reviewed } from './commissions-api.ts';
import type { ConversionFilter } from './list-search.ts';
import { inParts } from './review-in-parts.tsx';
import { endOf, endOfUndo } from './review-words.ts';

type Thousands = {
  readonly store: string;
  readonly action: ReviewAction;
  readonly filter: ConversionFilter;
  readonly total: number;
  /** Called with each part's end: the lists are old then. */
  readonly changed: () => void;
};

/** Decides on thousands; what was decided can be taken back from the message that says so, as long as it stands there. */
export async function reviewThousands({ store, action, filter, total, changed }: Thousands): Promise<void> {
  let reviewed: Reviewed | null = null;
  const undoOf = ({ counts, decided }: Reviewed) => <UndoButton store={store} decided={decided} total={counts.ok} changed={changed} />;
  await inParts({
    doing: doing[action.do],
    total,
    run: async (goOn) => {
      await reviewAll(store, action, filter, (soFar) => {
        reviewed = soFar;
        return goOn(decidedCount(soFar.counts));
      });
    },
    soFar: () => reviewed && { told: endOf(action, reviewed.counts), beside: undoOf(reviewed) },
    again: 'Do the same again to go on with the rest.',
  });
  changed();
}

type Undoing = {
  readonly store: string;
  readonly decided: readonly Decided[];
  /** How many they decided on. */
  readonly total: number;
  readonly changed: () => void;
};

function UndoButton(undoing: Undoing) {
  if (undoing.decided.length === 0) return null;
  return (
    <Button variant="default" size="xs" onClick={() => void undoThousands(undoing)}>
      Undo
    </Button>
  );
}

/** Takes as many back, part by part as they were decided. What is left of it can be taken back by one more press. */
async function undoThousands({ store, decided, total, changed }: Undoing): Promise<void> {
  let undone: { readonly counts: ReviewCounts; readonly left: readonly Decided[] } | null = null;
  const undoLeft = (counts: ReviewCounts, left: readonly Decided[]) => (
    <UndoButton store={store} decided={left} total={total - decidedCount(counts)} changed={changed} />
  );
  await inParts({
    doing: 'Taking back',
    total,
    run: async (goOn) => {
      await undoAll(store, decided, (counts, left) => {
        undone = { counts, left };
        return goOn(decidedCount(counts));
      });
    },
    soFar: () => undone && { told: endOfUndo(undone.counts), beside: undoLeft(undone.counts, undone.left) },
    again: 'What was not taken back is as you decided it.',
  });
  changed();
}

const doing = { approve: 'Approving', reject: 'Rejecting', hold: 'Holding', release: 'Releasing', reopen: 'Reopening' } as const;

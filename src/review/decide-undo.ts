import { never } from '../platform/must.ts';
import { reviewHoldReasons, type ReviewAction } from './decide-review.ts';

/** A decision that is to be taken back, and what the history of its commission says. */
export type UndoFacts = {
  readonly action: ReviewAction['do'];
  /** Somebody decided once more since: that stands. */
  readonly isOvertaken: boolean;
  /** The one before it of the same kind: of the state, or of the hold. Null: there was none. */
  readonly before: { readonly action: ReviewAction['do']; readonly reason: string | null; readonly note: string | null } | null;
};

/** What brings back how it stood before a decision; null where nothing does. Whether it may be is decided like any decision. */
export function decideUndo({ action, isOvertaken, before }: UndoFacts): ReviewAction | null {
  if (isOvertaken) return null;
  switch (action) {
    case 'hold':
      return { do: 'release', note: null };
    case 'release':
      return heldAgain(before);
    case 'approve':
    case 'reject':
    case 'reopen':
      return stateAgain(before);
    default:
      return never(action);
  }
}

/** What the house itself held has no decision before it, and nobody can hold it so again. */
function heldAgain(before: UndoFacts['before']): ReviewAction | null {
  if (before === null || before.action !== 'hold') return null;
  const reason = reviewHoldReasons.find((one) => one === before.reason);
  return reason === undefined ? null : { do: 'hold', reason, note: before.note };
}

function stateAgain(before: UndoFacts['before']): ReviewAction {
  if (before?.action === 'approve') return { do: 'approve', note: null };
  if (before?.action === 'reject' && before.reason !== null) return { do: 'reject', reason: before.reason, note: before.note };
  return { do: 'reopen', note: null };
}

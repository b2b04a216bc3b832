import { never } from '../core/invariant.ts';
import { reviewHoldReasons, type ReviewAction } from './decide-review.ts';

/** The decision to undo, and the history of its commission. */
export type UndoFacts = {
  readonly action: ReviewAction['do'];
  /** There is a later decision of the same kind. */
  readonly isSuperseded: boolean;
  /** The previous decision of the same kind (state or hold); null if there is none. */
  readonly before: { readonly action: ReviewAction['do']; readonly reason: string | null; readonly note: string | null } | null;
};

/** The action that restores what was before the decision; null if there is none. `decideReview` then decides whether it is allowed. */
export function decideUndo({ action, isSuperseded, before }: UndoFacts): ReviewAction | null {
  if (isSuperseded) return null;
  switch (action) {
    case 'hold':
      return { do: 'release', note: null };
    case 'release':
      return restoreHold(before);
    case 'approve':
    case 'reject':
    case 'reopen':
      return restoreState(before);
    default:
      return never(action);
  }
}

/** A hold set by the platform has no decision, and a person cannot set it again. */
function restoreHold(before: UndoFacts['before']): ReviewAction | null {
  if (before === null || before.action !== 'hold') return null;
  const reason = reviewHoldReasons.find((one) => one === before.reason);
  return reason === undefined ? null : { do: 'hold', reason, note: before.note };
}

function restoreState(before: UndoFacts['before']): ReviewAction {
  if (before?.action === 'approve') return { do: 'approve', note: null };
  if (before?.action === 'reject' && before.reason !== null) return { do: 'reject', reason: before.reason, note: before.note };
  return { do: 'reopen', note: null };
}

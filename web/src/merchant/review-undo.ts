import type { Commission, ReviewAction, ReviewWord } from './commissions-api.ts';

/** Decisions that together bring back what stood before another one. */
export type Undo = ReadonlyArray<{ readonly action: ReviewAction; readonly ids: readonly string[] }>;

/** For what a person may hold; the other reasons are those of the house, and nobody can set them again. */
const holdReasons: readonly string[] = ['dispute', 'fraud_review', 'merchant_request'];

/**
 * What takes a decision back, from the rows as they stood before it. `ok` is also answered where it was so already: such a row
 * is left alone, or the undo would change what the decision had not.
 */
export function undoOf(action: ReviewAction, before: readonly Commission[], words: ReadonlyMap<string, ReviewWord>): Undo {
  const back = new Map<string, { readonly action: ReviewAction; readonly ids: string[] }>();
  for (const commission of before) {
    const undo = words.get(commission.id) === 'ok' ? undoOfOne(action, commission) : null;
    if (undo === null) continue;
    const name = JSON.stringify(undo);
    const group = back.get(name) ?? { action: undo, ids: [] };
    group.ids.push(commission.id);
    back.set(name, group);
  }
  return [...back.values()];
}

function undoOfOne(action: ReviewAction, { state, held, rejected_reason: reason, rejected_note: note }: Commission): ReviewAction | null {
  switch (action.do) {
    case 'hold':
      return held === null ? { do: 'release' } : null;
    case 'release':
      return held !== null && holdReasons.includes(held.reason) ? { do: 'hold', reason: held.reason, note: null } : null;
    case 'approve':
    case 'reject':
    case 'reopen':
      if (state === goals[action.do]) return null;
      if (state === 'pending') return { do: 'reopen' };
      if (state === 'approved') return { do: 'approve' };
      return state === 'rejected' && reason !== null ? { do: 'reject', reason, note } : null;
  }
}

const goals = { approve: 'approved', reject: 'rejected', reopen: 'pending' } as const;

/** What an undo touches. */
export const undoneCount = (undo: Undo): number => undo.reduce((sum, { ids }) => sum + ids.length, 0);

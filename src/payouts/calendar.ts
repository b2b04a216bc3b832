import { nextDue, type Rhythm } from '../platform/rhythm.ts';

/** When creators are paid, on the one page that schedule.ts and the creators' own pages read. */
export const payoutRhythm = { every: 'month', days: [1, 15], hour: 6, minute: 0 } as const satisfies Rhythm;

export const nextPayoutAt = (after: Date): Date => nextDue(payoutRhythm, after);

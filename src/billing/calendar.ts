import type { Rhythm } from '../platform/rhythm.ts';

/** Cut on the 1st, charged on the 4th: whoever is billed has three days to look at it. */
export const cutRhythm: Rhythm = { every: 'month', days: [1], hour: 3, minute: 0 };
export const daysToLook = 3;

import type { Platform } from '../platform/platform.ts';
import { foldLinkDays } from './sql.ts';

const roundsMax = 1_000;

/** The night job: the writers' rows of days that are over become one row each. */
export async function foldFigures(platform: Platform, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  for (let round = 0; round < roundsMax; round++) {
    if ((await foldLinkDays(platform.database, today)) === 0) return;
  }
}

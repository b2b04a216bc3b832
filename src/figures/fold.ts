import type { Platform } from '../platform/platform.ts';
import { foldLinkDays, foldStoreDays } from './sql.ts';

const roundsMax = 1_000;

/** The night job: the writers' rows of days that are over become one row each. */
export async function foldFigures({ database }: Platform, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  for (const fold of [foldLinkDays, foldStoreDays]) {
    for (let round = 0; round < roundsMax; round++) if ((await fold(database, today)) === 0) break;
  }
}

import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { deleteOldAttempts } from './attempts-sql.ts';
import { deleteExpiredLinks } from './links-sql.ts';
import { deleteExpiredSessions } from './sessions-sql.ts';

/** In one run; what is left has been useless before and still is, so the next run has time for it. */
const rowsPerRunMax = 10_000;

/** A job: sessions, links and counters whose time is over. Nothing depends on it but the size of the tables. */
export async function tidyPeople({ database }: Platform): Promise<void> {
  const over = { now: realNow(), most: rowsPerRunMax };
  await deleteExpiredSessions(database, over);
  await deleteExpiredLinks(database, over);
  await deleteOldAttempts(database, over);
}

import { migrate } from './platform/database/migrate.ts';
import type { Platform } from './platform/platform.ts';
import { rebuildFigures } from './reports/rebuild-figures.ts';

/** The last migration that brought figures of what had happened before: 0013 made them, 0018 counts what was paid. */
const figuresSince = 18;

/**
 * Brings the schema forward, and what plain SQL could not: a database that comes from a version before the figures has them
 * counted once, from its commissions. A new database has nothing to count.
 */
export async function upgrade(platform: Pick<Platform, 'database' | 'nightDatabase'>): Promise<void> {
  const { applied, standsAt } = await migrate(platform.database);
  await countWhatIsNew(platform, applied, standsAt);
}

export async function countWhatIsNew(
  platform: Pick<Platform, 'nightDatabase'>,
  applied: readonly string[],
  standsAt: number,
): Promise<void> {
  const isNew = applied.length === standsAt;
  if (!isNew && applied.some((name) => Number(name.slice(0, 4)) <= figuresSince)) await rebuildFigures(platform);
}

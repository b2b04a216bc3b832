import { migrate } from '../db/migrate.ts';
import type { Platform } from '../runtime/platform.ts';
import { rebuildRollups } from '../reports/rebuild-rollups.ts';

/** The last migration that brought figures of what had happened before: 0013 made them, 0018 counts what was paid. */
const rollupsMigration = 18;

/**
 * Brings the schema forward, and what plain SQL could not: a database that comes from a version before the figures has them
 * counted once, from its commissions. A new database has nothing to count.
 */
export async function upgrade(platform: Pick<Platform, 'database' | 'jobsDatabase'>): Promise<void> {
  const { applied, latest: standsAt } = await migrate(platform.database);
  await rebuildRollupsIfNeeded(platform, applied, standsAt);
}

export async function rebuildRollupsIfNeeded(
  platform: Pick<Platform, 'jobsDatabase'>,
  applied: readonly string[],
  standsAt: number,
): Promise<void> {
  const isNew = applied.length === standsAt;
  if (!isNew && applied.some((name) => Number(name.slice(0, 4)) <= rollupsMigration)) await rebuildRollups(platform);
}

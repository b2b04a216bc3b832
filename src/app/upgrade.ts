import { firstAnswer } from '../db/database.ts';
import { distribute, isDistributed } from '../db/distribute.ts';
import { migrate } from '../db/migrate.ts';
import type { Platform } from '../runtime/platform.ts';
import { rebuildRollups } from '../reports/rebuild-rollups.ts';

/** The last migration that adds rollups of earlier events: 0013 creates the tables, 0018 adds the amounts paid. */
const rollupsMigration = 18;

/**
 * Applies the pending migrations and returns their names. Then rebuilds the rollups from the commissions if the database comes from a
 * version without them, which plain SQL cannot do. A new database has nothing to rebuild.
 */
export async function upgrade(platform: Pick<Platform, 'database' | 'jobsDatabase'>): Promise<readonly string[]> {
  await firstAnswer(platform.database);
  const { applied, latest } = await migrate(platform.database);
  // In a cluster, the nodes do not know a new table before it is distributed, which the end of an earlier start may have prevented.
  if (await isDistributed(platform.database)) await distribute(platform.database);
  await rebuildRollupsIfNeeded(platform, applied, latest);
  return applied;
}

export async function rebuildRollupsIfNeeded(
  platform: Pick<Platform, 'jobsDatabase'>,
  applied: readonly string[],
  latest: number,
): Promise<void> {
  const isNew = applied.length === latest;
  if (!isNew && applied.some((name) => Number(name.slice(0, 4)) <= rollupsMigration)) await rebuildRollups(platform);
}

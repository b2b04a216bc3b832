import { expect } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { activityView } from './database.ts';

/** Waits until this many connections wait for a lock, for example for a row that the test has locked. */
export async function untilLockWaits(database: Database, connections: number): Promise<void> {
  const waiting = sql`select 1 as one from ${activityView()} where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.all(waiting)).length, { interval: 10 }).toBeGreaterThanOrEqual(connections);
}

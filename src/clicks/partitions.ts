import { uuidText } from '../core/ids.ts';
import { attributionDaysMax } from '../merchants/terms.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayMs } from '../core/time.ts';
import { clickPartitions, deleteDefaultClicksBefore, dropClickPartition, createClickPartition } from './partitions-sql.ts';

/** A refund or a subscription event may arrive this long after its order or invoice, with a reserve. */
const lateDaysMax = 380;
export const clickRetentionDays = attributionDaysMax + lateDaysMax;
const monthsAhead = 2;
const deleteRowsMax = 5_000;
const deleteRoundsMax = 100;

/** Clicks are partitioned by ID, which begins with their time. */
type Month = { readonly name: string; readonly from: string; readonly to: string };

function monthOf(year: number, month: number): Month {
  const [first, next] = [new Date(Date.UTC(year, month, 1)), new Date(Date.UTC(year, month + 1, 1))];
  return { name: `clicks_${first.toISOString().slice(0, 7).replace('-', '_')}`, from: firstIdOf(first), to: firstIdOf(next) };
}

function firstIdOf(time: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(time.getTime(), 0, 6);
  return uuidText(bytes);
}

/** A daily job. It creates the partitions of this month and the next ones before their clicks arrive. */
export async function createUpcomingPartitions(platform: Pick<Platform, 'database' | 'log'>, now: Date): Promise<void> {
  const existing = new Set(await clickPartitions(platform.database));
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const month = monthOf(now.getUTCFullYear(), now.getUTCMonth() + ahead);
    if (existing.has(month.name)) continue;
    // Clicks that arrived earlier are in the default partition, and stay there until they are deleted row by row.
    const isCreated = await createClickPartition(platform.database, month);
    if (!isCreated) platform.log.warn({ month: month.name }, 'clicks of this month stay in the default partition');
  }
}

/** The beginning of the month in which a partition is missing next. */
export async function earliestMissingPartition({ database }: Platform, ranUpTo: Date): Promise<Date> {
  const existing = new Set(await clickPartitions(database));
  let months = 0;
  const isMissing = () => !existing.has(monthOf(ranUpTo.getUTCFullYear(), ranUpTo.getUTCMonth() + months).name);
  while (!isMissing()) months += 1;
  return new Date(Date.UTC(ranUpTo.getUTCFullYear(), ranUpTo.getUTCMonth() + months - monthsAhead, 1));
}

/** A daily job. It drops a month when no rule needs its clicks any longer. */
export async function dropOldPartitions(platform: Platform, now: Date): Promise<void> {
  const firstKept = new Date(now.getTime() - clickRetentionDays * dayMs);
  const oldestKept = monthOf(firstKept.getUTCFullYear(), firstKept.getUTCMonth());
  for (const name of await clickPartitions(platform.database)) {
    if (/^clicks_\d{4}_\d{2}$/.test(name) && name < oldestKept.name) await dropClickPartition(platform.database, name);
  }
  // Few rows, if any. The next run moves what is left after the last round.
  for (let round = 0; round < deleteRoundsMax; round++) {
    if ((await deleteDefaultClicksBefore(platform.database, oldestKept.from, deleteRowsMax)) < deleteRowsMax) return;
  }
}

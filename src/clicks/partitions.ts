import { uuidText } from '../platform/ids.ts';
import { attributionDaysMax } from '../merchants/terms.ts';
import type { Platform } from '../platform/platform.ts';
import { dayMs } from '../platform/time.ts';
import { clickPartitions, deleteDefaultClicksBefore, dropClickPartition, makeClickPartition } from './partitions-sql.ts';

/** A refund or a subscription's event may come this long after what it belongs to, and a little reserve. */
const lateDaysMax = 380;
export const keptDays = attributionDaysMax + lateDaysMax;
const monthsAhead = 2;
const deleteRowsMax = 5_000;
const deleteRoundsMax = 100;

/** A month of clicks: a partition by id, because a click's id begins with its time. */
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

/** The night job: this month's partition and the next ones exist before a click falls into them. */
export async function makePartitionsAhead(platform: Platform, now: Date): Promise<void> {
  const existing = new Set(await clickPartitions(platform.database));
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const month = monthOf(now.getUTCFullYear(), now.getUTCMonth() + ahead);
    if (existing.has(month.name)) continue;
    // Clicks that came first stand in the default partition, and stay there: they are deleted in their time, row by row.
    const made = await makeClickPartition(platform.database, month);
    if (!made) platform.log.warn({ month: month.name }, 'clicks of this month stay in the default partition');
  }
}

/** The night job: a month is dropped when no rule can ask for its clicks any more. */
export async function dropOldPartitions(platform: Platform, now: Date): Promise<void> {
  const kept = new Date(now.getTime() - keptDays * dayMs);
  const oldestKept = monthOf(kept.getUTCFullYear(), kept.getUTCMonth());
  for (const name of await clickPartitions(platform.database)) {
    if (/^clicks_\d{4}_\d{2}$/.test(name) && name < oldestKept.name) await dropClickPartition(platform.database, name);
  }
  // Few rows, if any. What is left after so many rounds goes the next night.
  for (let round = 0; round < deleteRoundsMax; round++) {
    if ((await deleteDefaultClicksBefore(platform.database, oldestKept.from, deleteRowsMax)) < deleteRowsMax) return;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { firstIdAt, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import { linesAfter, type KeptLine } from './sql.ts';

const lookMs = 500;
const quietMs = 15 * secondMs;
const linesMax = 200;
/** A line's id is minted before its commit, so lines become visible a little out of order: the last moments are read again. */
const overlapMs = 3 * secondMs;
/** How long one connection may follow; the browser comes again by itself. */
const followMs = 3_600 * secondMs;

/** The lines of a store from now on, each once, with a sign of life when nothing happens. Ends by itself after an hour. */
export async function* follow({ database, clock }: Platform, storeId: Id<'store'>): AsyncGenerator<KeptLine | 'still here'> {
  const told = new Map<string, number>();
  const startedAt = performance.now();
  const first = clock.now();
  let saidAt = performance.now();
  while (performance.now() - startedAt < followMs) {
    const from = new Date(Math.max(first.getTime(), clock.now().getTime() - overlapMs));
    const lines = await linesAfter(database, storeId, firstIdAt(from), linesMax).catch((): KeptLine[] => []);
    for (const line of lines.filter(({ postbackId }) => !told.has(postbackId))) {
      told.set(line.postbackId, line.at.getTime());
      saidAt = performance.now();
      yield line;
    }
    for (const [id, at] of told) if (at < from.getTime() - overlapMs) told.delete(id);
    if (performance.now() - saidAt > quietMs) {
      saidAt = performance.now();
      yield 'still here';
    }
    await pause(lookMs);
  }
}

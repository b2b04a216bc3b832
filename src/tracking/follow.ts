import { setTimeout as pause } from 'node:timers/promises';
import { firstIdAt, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs, type Clock } from '../platform/time.ts';
import { linesAfter, type KeptLine } from './sql.ts';

const lookMs = 500;
/** Keeps proxies from hanging up, and is how we hear that a browser is gone: the door lets the other side end its half of a connection. */
const quietMs = 5 * secondMs;
const linesMax = 200;
/** A line's id is minted before its commit, which the door waits for so long: the last moments are read again. */
const overlapMs = 5 * secondMs;
/** How long one connection may follow; the browser comes again by itself. */
const followMs = 3_600 * secondMs;
/** Who was removed, and whose key was revoked, is told nothing after so long. */
const accessMs = 3 * secondMs;

type Following = {
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly storeId: Id<'store'>;
  /** Asked again and again, because the request was judged once and is answered for an hour. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Aborted when nobody listens any more: a feed without news would notice it only when it has some. */
  readonly gone: AbortSignal;
};

/**
 * The lines of a store from now on, each once, with a sign of life when nothing happens. It goes on from what it has read, not from
 * what time it is: neither a reader that is slow nor a burst nor a clock that was moved makes it skip a line. Ends by itself after an
 * hour, and as soon as the reader may not go on.
 */
export async function* follow({ platform, storeId, mayGoOn, gone }: Following): AsyncGenerator<KeptLine | 'still here'> {
  const told = new Set<string>();
  const access = createAccess(mayGoOn);
  const nextPass = createPasses(platform.clock);
  const endsAt = performance.now() + followMs;
  let after: string = nextPass();
  let saidAt = performance.now();
  while (performance.now() < endsAt && !gone.aborted) {
    const may = await access();
    if (may === 'no') return;
    const lines = may === 'unknown' ? null : await linesAfter(platform.database, storeId, after, linesMax).catch(() => null);
    for (const line of lines ?? []) {
      after = line.postbackId;
      if (told.has(line.postbackId)) continue;
      told.add(line.postbackId);
      yield line;
      saidAt = performance.now();
    }
    if (lines?.length === linesMax) continue;
    if (lines !== null) after = nextPass();
    for (const id of told) if (id < after) told.delete(id);
    if (performance.now() - saidAt > quietMs) {
      saidAt = performance.now();
      yield 'still here';
    }
    await pause(lookMs, null, { signal: gone }).catch(() => {});
  }
}

/** `unknown` while the database is away: then nothing can be read either. */
function createAccess(mayGoOn: () => Promise<boolean>): () => Promise<'yes' | 'no' | 'unknown'> {
  let askedAt = performance.now();
  return async () => {
    if (performance.now() - askedAt < accessMs) return 'yes';
    const may = await mayGoOn().catch(() => null);
    if (may === null) return 'unknown';
    askedAt = performance.now();
    return may ? 'yes' : 'no';
  };
}

/**
 * Where the next pass through the lines begins, told when the one before has come to its end. What was minted so long before a pass
 * began was committed by then, and so was read by it; how long is measured by a clock that nobody moves.
 */
function createPasses(clock: Clock): () => Id {
  const begun: Array<{ readonly realMs: number; readonly atMs: number }> = [];
  return () => {
    const readBefore = (begun.at(-1)?.realMs ?? 0) - overlapMs;
    while (begun[1] !== undefined && begun[1].realMs <= readBefore) begun.shift();
    begun.push({ realMs: performance.now(), atMs: clock.now().getTime() });
    return firstIdAt(new Date(Math.min(...begun.map(({ atMs }) => atMs))));
  };
}

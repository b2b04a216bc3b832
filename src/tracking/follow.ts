import { setTimeout as pause } from 'node:timers/promises';
import { firstIdAt, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs, type Clock } from '../platform/time.ts';
import { lineIdsBetween, linesAfter, type KeptLine } from './sql.ts';

const lookMs = 500;
/** Keeps proxies from hanging up, and is how we hear that a browser is gone: the door lets the other side end its half of a connection. */
const quietMs = 5 * secondMs;
const linesMax = 200;
/** A line's id is minted before its commit, which the door waits for so long: the last moments are read again. */
const overlapMs = 5 * secondMs;
/** By as much the clock that minted an id may be behind ours: what a process of another machine writes is told too. */
const clockSkewMs = 10 * secondMs;
/** How long one connection may follow; the browser comes again by itself. */
const followMs = 3_600 * secondMs;
/** Who was removed, and whose key was revoked, is told nothing after so long. */
const accessMs = 3 * secondMs;
/** A line is told once also where a clock is set back by somewhat less. */
const rememberMs = 60 * secondMs;
/** Of each line the id, some 100 bytes. A store that has more in the moments that are read again has no log that anyone could follow. */
const toldMax = 10_000;

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
 * hour, where it would have to remember too many lines, and as soon as the reader may not go on.
 *
 * Two limits. A line of a process whose clock is further behind is not told; webhooks allow it as much. And where a clock is set back,
 * lines of the time that comes again are told if they were there before the feed, or were told longer ago than it remembers.
 */
export async function* follow({ platform, storeId, mayGoOn, gone }: Following): AsyncGenerator<KeptLine | 'still here'> {
  const { database, clock } = platform;
  const access = createAccess(mayGoOn);
  const nextPass = createPasses(clock);
  const endsAt = performance.now() + followMs;
  let after = nextPass();
  const span = { fromId: after, toId: firstIdAt(clock.now()), most: toldMax };
  const told = createTold(await lineIdsBetween(database, storeId, span));
  let saidAt = performance.now();
  while (performance.now() < endsAt && !gone.aborted && told.size() <= toldMax) {
    const may = await access();
    if (may === 'no') return;
    const wanted = { after, except: told.since(after), most: linesMax };
    const lines = may === 'unknown' ? null : await linesAfter(database, storeId, wanted).catch(() => null);
    let isPassed = lines !== null;
    for (const line of lines ?? []) {
      // The one before was perhaps taken only now, long after it was offered.
      const stillMay = await access();
      if (stillMay === 'no') return;
      isPassed = stillMay === 'yes';
      if (!isPassed) break;
      after = line.postbackId;
      told.add(after);
      yield line;
      saidAt = performance.now();
    }
    if (lines?.length === linesMax) continue;
    if (isPassed) {
      after = nextPass();
      told.forgetBefore(after);
    }
    if (performance.now() - saidAt > quietMs) {
      saidAt = performance.now();
      yield 'still here';
    }
    await pause(lookMs, null, { signal: gone }).catch(() => {});
  }
}

type Told = {
  readonly add: (id: Id) => void;
  readonly since: (id: Id) => readonly Id[];
  readonly forgetBefore: (id: Id) => void;
  readonly size: () => number;
};

/**
 * What need not be told (again). A line is forgotten when the passes begin behind it, and then only after a while: a clock that is set
 * back makes them begin before it once more. Where they are too many, that while is given up first.
 */
function createTold(before: readonly Id[]): Told {
  const toldAt = new Map(before.map((id) => [id, performance.now()]));
  return {
    add: (id) => void toldAt.set(id, performance.now()),
    since: (first) => [...toldAt.keys()].filter((id) => id >= first),
    forgetBefore(first) {
      const forgetAt = toldAt.size > toldMax ? Infinity : performance.now() - rememberMs;
      for (const [id, atMs] of toldAt) if (id < first && atMs < forgetAt) toldAt.delete(id);
    },
    size: () => toldAt.size,
  };
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
    return firstIdAt(new Date(Math.min(...begun.map(({ atMs }) => atMs)) - clockSkewMs));
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { firstIdAt, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { secondMs, type Clock } from '../core/time.ts';
import { logEntryIdsBetween, logEntriesAfter, type StoredLogEntry } from './log-sql.ts';

const pollMs = 500;
/** A heartbeat keeps proxies from closing the connection, and is how the server detects that a browser has disconnected. */
const heartbeatMs = 5 * secondMs;
/**
 * A slow reader keeps the rest of a page in memory, up to about 20 KB for each entry with its body. A larger page would save few queries:
 * each entry that names a creator needs a separate query (`log-api.ts`).
 */
const pageMax = 10;
/** An entry's ID is minted before its commit, which may take this long, so the last moments are read again. */
const overlapMs = 5 * secondMs;
/** The clock of another machine may be this much behind, and its entries are still sent. */
const clockSkewMs = 10 * secondMs;
/** How long one connection lasts; the browser reconnects. */
const followMs = 3_600 * secondMs;
/** How soon a feed ends after its reader is removed or the key is revoked. */
const accessMs = 3 * secondMs;
/** An entry is sent once even if a clock is set back by up to this much. */
const rememberMs = 60 * secondMs;
/**
 * IDs of sent entries, about 120 bytes each: for one feed, and for all feeds of this process together. A store with more entries in the
 * moments that are read again has too many to follow. A feed whose reader is slow adapts to more open feeds only when it reads again.
 */
const sentMaxPerFeed = 10_000;
const sentMaxInTotal = 500_000;
let openFeeds = 0;
const sentMax = (): number => Math.min(sentMaxPerFeed, Math.floor(sentMaxInTotal / openFeeds));

type Following = {
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly storeId: Id<'store'>;
  /** Called repeatedly, because access was checked once and the response lasts an hour. */
  readonly mayContinue: () => Promise<boolean>;
  /** Aborted when the reader disconnects; a feed without new entries would not notice. */
  readonly disconnected: AbortSignal;
};

/**
 * Yields the new log entries of a store, each once, and heartbeats. It continues from the last entry that it read, not from the current
 * time, so a slow reader, a burst, or a moved clock makes it skip no entry. It ends after an hour, if it would have to remember too many
 * entries (fewer if many feeds are open), and when the reader loses access.
 *
 * It has two limits. It misses an entry from a process whose clock is further behind than `clockSkewMs`, which webhooks also allow. After a
 * clock is set back, it repeats entries that are older than the feed, or that it sent longer ago than `rememberMs`.
 */
export async function* followLog(following: Following): AsyncGenerator<StoredLogEntry | 'heartbeat'> {
  openFeeds += 1;
  try {
    yield* newEntries(following);
  } finally {
    openFeeds -= 1;
  }
}

async function* newEntries({ platform, storeId, mayContinue, disconnected }: Following): AsyncGenerator<StoredLogEntry | 'heartbeat'> {
  const { database, clock } = platform;
  const access = createAccess(mayContinue);
  const nextPass = createPasses(clock);
  const endsAt = performance.now() + followMs;
  let passStart = nextPass();
  let after = passStart;
  const span = { fromId: after, toId: firstIdAt(clock.now()), most: sentMax() };
  const sent = createSentEntries(await logEntryIdsBetween(database, storeId, span));
  let sentAt = performance.now();
  while (performance.now() < endsAt && !disconnected.aborted) {
    // Here, because other feeds may have opened since the last pass, so that this one may remember less.
    sent.forgetBefore(passStart);
    if (sent.size() > sentMax()) return;
    const permission = await access();
    if (permission === 'no') return;
    const wanted = { after, except: sent.since(after), most: pageMax };
    const entries = permission === 'unknown' ? null : await logEntriesAfter(database, storeId, wanted).catch(() => null);
    let isComplete = entries !== null;
    for (const entry of entries ?? []) {
      // A slow reader may have taken the previous entry long after it was offered.
      const current = await access();
      if (current === 'no') return;
      isComplete = current === 'yes';
      if (!isComplete) break;
      after = entry.postbackId;
      sent.add(after);
      yield entry;
      sentAt = performance.now();
    }
    if (entries?.length === pageMax) continue;
    if (isComplete) {
      passStart = nextPass();
      after = passStart;
    }
    if (performance.now() - sentAt > heartbeatMs) {
      sentAt = performance.now();
      yield 'heartbeat';
    }
    await pause(pollMs, null, { signal: disconnected }).catch(() => {});
  }
}

type SentEntries = {
  readonly add: (id: Id) => void;
  readonly since: (id: Id) => readonly Id[];
  readonly forgetBefore: (id: Id) => void;
  readonly size: () => number;
};

/**
 * The entries that were sent, or that are older than the feed. An entry is forgotten some time after the passes start behind it, because a
 * clock that is set back makes them start before it again. If there are too many, it is forgotten immediately.
 */
function createSentEntries(before: readonly Id[]): SentEntries {
  const sentAt = new Map(before.map((id) => [id, performance.now()]));
  return {
    add: (id) => void sentAt.set(id, performance.now()),
    since: (first) => [...sentAt.keys()].filter((id) => id >= first),
    forgetBefore(first) {
      const forgetAt = sentAt.size > sentMax() ? Infinity : performance.now() - rememberMs;
      for (const [id, atMs] of sentAt) {
        // The oldest are first.
        if (atMs >= forgetAt) return;
        if (id < first) sentAt.delete(id);
      }
    },
    size: () => sentAt.size,
  };
}

/** `unknown` while the database is unavailable; then no entries can be read either. */
function createAccess(mayContinue: () => Promise<boolean>): () => Promise<'yes' | 'no' | 'unknown'> {
  let checkedAt = performance.now();
  return async () => {
    if (performance.now() - checkedAt < accessMs) return 'yes';
    const isAllowed = await mayContinue().catch(() => null);
    if (isAllowed === null) return 'unknown';
    checkedAt = performance.now();
    return isAllowed ? 'yes' : 'no';
  };
}

/**
 * Returns the ID at which the next pass starts. A pass has read every entry that was minted `overlapMs` before it began, because those were
 * committed by then. That interval is measured by the monotonic clock, which the sandbox does not move.
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

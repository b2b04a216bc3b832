import { ownCopy } from '../core/own-copy.ts';

/**
 * Caches links for `freshMs`, so that a change by any process takes effect within two seconds without messages between processes.
 * Concurrent look-ups share a statement. While the database does not respond, cached links are served, and other links are "unavailable"
 * rather than "unknown", because a 404 could be wrong.
 */
export type LinkCache<Link> = {
  /**
   * The cached link while it is fresh, else null. From `refreshAfterMs` on, it also starts a look-up in the background. `now` is on the
   * clock of `performance.now()`.
   */
  readonly fresh: (code: string, now: number) => FoundLink<Link> | null;
  /** The link, looked up if the cached one is no longer fresh. */
  readonly get: (code: string) => Promise<Found<Link>>;
};
type FoundLink<Link> = { readonly is: 'link'; readonly link: Link };
export type Found<Link> = FoundLink<Link> | { readonly is: 'unknown' } | { readonly is: 'unavailable' };

export type LinkCacheOptions<Location, Link> = {
  /** Reads where the links of these codes are. A location never changes, so it is read once. */
  readonly locate: (codes: readonly string[]) => Promise<ReadonlyMap<string, Location>>;
  /** Links on different nodes of the database are read separately, so that none waits for another node. */
  readonly nodeOf: (location: Location) => string;
  readonly load: (locations: readonly Location[]) => Promise<ReadonlyMap<string, Link>>;
  readonly freshMs: number;
  /** A link that is requested after this time is looked up again in the background, so that visits by a busy link seldom wait. */
  readonly refreshAfterMs: number;
  /** How long a request waits for a refresh before it uses the cached link. */
  readonly refreshWaitMs: number;
  /** How long a request waits for a link that is not cached. */
  readonly loadWaitMs: number;
  readonly linksMax: number;
};

type Entry<Location, Link> = {
  readonly location: Location;
  readonly found: FoundLink<Link>;
  readonly checkedAt: number;
  refresh: { readonly answer: Promise<Found<Link>>; readonly requestedAt: number } | null;
};

export function createLinkCache<Location, Link>(options: LinkCacheOptions<Location, Link>): LinkCache<Link> {
  // A Map keeps insertion order, so the entry that was refreshed longest ago is first, and is evicted first.
  const entries = new Map<string, Entry<Location, Link>>();
  const locate = shareLookUps<string, Location>(options.locate);
  const loads = new Map<string, LookUp<Location, Link>>();
  const loadFrom = (node: string): LookUp<Location, Link> => {
    const load = loads.get(node) ?? shareLookUps(options.load);
    loads.set(node, load);
    return load;
  };

  async function checked(code: string): Promise<Found<Link>> {
    const requestedAt = performance.now();
    const location = entries.get(code)?.location ?? (await locate(code, code)).get(code);
    const link = location === undefined ? undefined : (await loadFrom(options.nodeOf(location))(code, location)).get(code);
    entries.delete(code);
    if (location === undefined || link === undefined) return { is: 'unknown' };
    const found: FoundLink<Link> = { is: 'link', link };
    entries.set(ownCopy(code), { location, found, checkedAt: requestedAt, refresh: null });
    if (entries.size > options.linksMax) for (const oldest of entries.keys()) return (entries.delete(oldest), found);
    return found;
  }

  function fresh(code: string, now: number): FoundLink<Link> | null {
    const entry = entries.get(code);
    if (entry === undefined || now - entry.checkedAt >= options.freshMs) return null;
    if (entry.refresh === null && now - entry.checkedAt >= options.refreshAfterMs) {
      const answer = checked(code);
      entry.refresh = { answer, requestedAt: now };
      answer.catch(() => (entry.refresh = null));
    }
    return entry.found;
  }

  return {
    fresh,
    async get(code) {
      const now = performance.now();
      const known = fresh(code, now);
      if (known) return known;
      const stale = entries.get(code);
      const refresh = stale?.refresh ?? null;
      // An older look-up may have read the link too long ago.
      const isRecent = refresh !== null && now - refresh.requestedAt < options.freshMs;
      const waitMs = stale ? options.refreshWaitMs : options.loadWaitMs;
      return within(waitMs, isRecent ? refresh.answer : checked(code), () => (entries.get(code) ?? stale)?.found ?? { is: 'unavailable' });
    },
  };
}

/** The result if it arrives in time, else the fallback. A failed look-up counts as late. */
function within<Result>(waitMs: number, answer: Promise<Result>, fallback: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(fallback()), waitMs);
    answer.then(resolve, () => resolve(fallback())).finally(() => clearTimeout(timer));
  });
}

const codesMax = 1_000;
/** Running and waiting. While the database does not respond, further look-ups of uncached links fail immediately. */
const roundsMax = 10;

/** Looks up one code by its key, together with others. The result has all codes of the same statement. */
type LookUp<Key, Value> = (code: string, key: Key) => Promise<ReadonlyMap<string, Value>>;

/** Codes that are requested during a look-up share the next one. Rejects a look-up if too many are waiting. */
function shareLookUps<Key, Value>(load: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>): LookUp<Key, Value> {
  type Round = { readonly keys: Map<string, Key>; readonly answer: Promise<ReadonlyMap<string, Value>> };
  let next: Round | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let rounds = 0;

  function startRound(): Round {
    const keys = new Map<string, Key>();
    const answer = running.then(() => {
      if (next?.keys === keys) next = null;
      return load([...keys.values()]);
    });
    rounds += 1;
    running = answer.catch(() => {}).then(() => (rounds -= 1));
    return { keys, answer };
  }
  return (code, key) => {
    if (next === null || next.keys.size >= codesMax) {
      if (rounds >= roundsMax) return Promise.reject(new Error('too many look-ups of links wait for the database'));
      next = startRound();
    }
    next.keys.set(code, key);
    return next.answer;
  };
}

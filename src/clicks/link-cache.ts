/**
 * Caches links for `freshMs`, so that a change by any process takes effect within two seconds without messages between processes.
 * Concurrent look-ups share a statement. While the database does not respond, cached links are served, and other links are "unavailable"
 * rather than "unknown", because a 404 could be wrong.
 */
export type LinkCache<Link> = { readonly get: (code: string) => Promise<Found<Link>> };
export type Found<Link> = { readonly is: 'link'; readonly link: Link } | { readonly is: 'unknown' } | { readonly is: 'unavailable' };

export type LinkCacheOptions<Location, Link> = {
  /** Reads where the links of these codes are. A location never changes, so it is read once. */
  readonly locate: (codes: readonly string[]) => Promise<ReadonlyMap<string, Location>>;
  /** Links on different nodes of the database are read separately, so that none waits for another node. */
  readonly nodeOf: (location: Location) => string;
  readonly load: (locations: readonly Location[]) => Promise<ReadonlyMap<string, Link>>;
  readonly freshMs: number;
  /** How long a request waits for a refresh before it uses the cached link. */
  readonly refreshWaitMs: number;
  /** How long a request waits for a link that is not cached. */
  readonly loadWaitMs: number;
  readonly linksMax: number;
};

type Entry<Location, Link> = { readonly location: Location; readonly link: Link; readonly checkedAt: number };

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
    entries.set(code, { location, link, checkedAt: requestedAt });
    if (entries.size > options.linksMax) for (const oldest of entries.keys()) return (entries.delete(oldest), { is: 'link', link });
    return { is: 'link', link };
  }

  return {
    async get(code) {
      const entry = entries.get(code);
      if (entry && performance.now() - entry.checkedAt < options.freshMs) return { is: 'link', link: entry.link };
      const fallback: Found<Link> = entry ? { is: 'link', link: entry.link } : { is: 'unavailable' };
      return within(entry ? options.refreshWaitMs : options.loadWaitMs, checked(code), fallback);
    },
  };
}

/** The result if it arrives in time, else the fallback. A failed look-up counts as late. */
function within<Result>(waitMs: number, answer: Promise<Result>, fallback: Result): Promise<Result> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(fallback), waitMs);
    answer.then(resolve, () => resolve(fallback)).finally(() => clearTimeout(timer));
  });
}

const codesMax = 1_000;

/** Looks up one code by its key, together with others. The result has all codes of the same statement. */
type LookUp<Key, Value> = (code: string, key: Key) => Promise<ReadonlyMap<string, Value>>;

/** Codes that are requested during a look-up share the next one. */
function shareLookUps<Key, Value>(load: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>): LookUp<Key, Value> {
  type Round = { readonly keys: Map<string, Key>; readonly answer: Promise<ReadonlyMap<string, Value>> };
  let next: Round | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function startRound(): Round {
    const keys = new Map<string, Key>();
    const answer = running.then(() => {
      if (next?.keys === keys) next = null;
      return load([...keys.values()]);
    });
    running = answer.catch(() => {});
    return { keys, answer };
  }
  return (code, key) => {
    if (next === null || next.keys.size >= codesMax) next = startRound();
    next.keys.set(code, key);
    return next.answer;
  };
}

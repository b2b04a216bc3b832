/**
 * Caches links for `freshMs`, so that a change by any process takes effect within two seconds without messages between processes.
 * Concurrent look-ups share a statement. While the database does not respond, cached links are served, and other links are "unavailable"
 * rather than "unknown", because a 404 could be wrong.
 */
export type LinkCache<Link> = { readonly get: (code: string) => Promise<Found<Link>> };
export type Found<Link> = { readonly is: 'link'; readonly link: Link } | { readonly is: 'unknown' } | { readonly is: 'unavailable' };

export type LinkCacheOptions<Link> = {
  readonly load: (codes: readonly string[]) => Promise<ReadonlyMap<string, Link>>;
  readonly freshMs: number;
  /** How long a request waits for a refresh before it uses the cached link. */
  readonly refreshWaitMs: number;
  /** How long a request waits for a link that is not cached. */
  readonly loadWaitMs: number;
  readonly linksMax: number;
};

type Entry<Link> = { link: Link; checkedAt: number };

export function createLinkCache<Link>(options: LinkCacheOptions<Link>): LinkCache<Link> {
  // A Map keeps insertion order, so the entry that was refreshed longest ago is first, and is evicted first.
  const entries = new Map<string, Entry<Link>>();
  const lookUp = batchLookUps(options.load);

  async function checked(code: string): Promise<Found<Link>> {
    const requestedAt = performance.now();
    const link = (await lookUp(code)).get(code);
    entries.delete(code);
    if (link === undefined) return { is: 'unknown' };
    entries.set(code, { link, checkedAt: requestedAt });
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

/** Codes that are requested during a look-up share the next one. */
function batchLookUps<Link>(load: (codes: readonly string[]) => Promise<ReadonlyMap<string, Link>>) {
  type Round = { readonly codes: Set<string>; readonly answer: Promise<ReadonlyMap<string, Link>> };
  let next: Round | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function startRound(): Round {
    const codes = new Set<string>();
    const answer = running.then(() => {
      if (next?.codes === codes) next = null;
      return load([...codes]);
    });
    running = answer.catch(() => {});
    return { codes, answer };
  }
  return (code: string): Promise<ReadonlyMap<string, Link>> => {
    if (next === null || next.codes.size >= codesMax) next = startRound();
    next.codes.add(code);
    return next.answer;
  };
}

/**
 * Links in memory, never older than `freshMs` while the database answers: a change made by any process is seen within two
 * seconds, without any message between processes. Codes that are asked for at once are looked up in one statement. While
 * the database is away, slow or frozen, what is known goes on being served; what is not known is unavailable, never
 * "unknown": a 404 would tell the shopper something that we do not know.
 */
export type LinkCache<Link> = { readonly get: (code: string) => Promise<Found<Link>> };
export type Found<Link> = { readonly is: 'link'; readonly link: Link } | { readonly is: 'unknown' } | { readonly is: 'unavailable' };

export type LinkCacheOptions<Link> = {
  readonly load: (codes: readonly string[]) => Promise<ReadonlyMap<string, Link>>;
  readonly freshMs: number;
  /** How long a shopper waits for a look-up before the known link is good enough. */
  readonly patienceMs: number;
  /** How long one waits for a link that nothing is known of. */
  readonly unknownPatienceMs: number;
  readonly linksMax: number;
};

type Entry<Link> = { link: Link; checkedAt: number };

export function createLinkCache<Link>(options: LinkCacheOptions<Link>): LinkCache<Link> {
  // The order of a Map is the order of insertion: the entry that was looked up longest ago comes first, and goes first.
  const entries = new Map<string, Entry<Link>>();
  const lookUp = gathered(options.load);

  async function checked(code: string): Promise<Found<Link>> {
    const askedAt = performance.now();
    const link = (await lookUp(code)).get(code);
    entries.delete(code);
    if (link === undefined) return { is: 'unknown' };
    entries.set(code, { link, checkedAt: askedAt });
    if (entries.size > options.linksMax) for (const oldest of entries.keys()) return (entries.delete(oldest), { is: 'link', link });
    return { is: 'link', link };
  }

  return {
    async get(code) {
      const entry = entries.get(code);
      if (entry && performance.now() - entry.checkedAt < options.freshMs) return { is: 'link', link: entry.link };
      const otherwise: Found<Link> = entry ? { is: 'link', link: entry.link } : { is: 'unavailable' };
      return within(entry ? options.patienceMs : options.unknownPatienceMs, checked(code), otherwise);
    },
  };
}

/** The answer if it comes in time, else what is known without it. A look-up that fails is one that did not come. */
function within<Result>(patienceMs: number, answer: Promise<Result>, otherwise: Result): Promise<Result> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), patienceMs);
    answer.then(resolve, () => resolve(otherwise)).finally(() => clearTimeout(timer));
  });
}

const codesMax = 1_000;

/** All codes that are asked for while a look-up is under way go into the next one together. */
function gathered<Link>(load: (codes: readonly string[]) => Promise<ReadonlyMap<string, Link>>) {
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

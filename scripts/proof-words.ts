import type { SpeedRow } from '../bench/speed-rows.ts';
import type { SpeedResult } from './proof-results.ts';

/** A comparison of the benchmark, under the names that its rows have, and in words for readers. */
type ComparisonWords = { readonly what: string; readonly ratio: string; readonly words: string };

export const comparisons: readonly ComparisonWords[] = [
  { what: 'redirects', ratio: 'ours / an INSERT per request', words: 'redirect throughput vs. one INSERT per click' },
  { what: 'redirects', ratio: 'ours / no recording', words: 'redirect throughput vs. the same server without recording' },
  { what: 'postbacks', ratio: 'ours / seven round trips', words: 'order throughput vs. a transaction of seven round trips' },
  { what: 'postbacks', ratio: 'ours / one statement', words: 'order throughput vs. one statement per order' },
  { what: 'postbacks', ratio: 'ours / without the database', words: 'order throughput vs. the same server without its database' },
  { what: 'billing, a commission', ratio: 'one by one / in bulk', words: 'invoicing commissions in bulk vs. one by one' },
  {
    what: "a merchant's overview over a year",
    ratio: 'from raw rows / from rollups',
    words: 'a year of the overview from daily totals vs. from raw rows',
  },
];

/** The rows of a comparison that did the same work, and so have a valid ratio. */
export const rowsOf = ({ rows }: SpeedResult, { what, ratio }: ComparisonWords): readonly SpeedRow[] =>
  rows.filter((row) => row.what === what && row.ratio === ratio && row.isHonest);

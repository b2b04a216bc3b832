import type { SpeedRow } from '../bench/speed-rows.ts';
import type { MutantResult, PartResult, SpeedResult } from './proof-results.ts';

/** The results that a newcomer wants first, selected from docs/proof.md and written into README.md by `npm run proof`. */
type Shown = {
  readonly speed: SpeedResult | null;
  readonly results: readonly PartResult[];
  readonly mutants: readonly MutantResult[];
};

const speeds: ReadonlyArray<readonly [what: string, ratio: string, words: string]> = [
  ['redirects', 'ours / an INSERT per request', 'redirect throughput vs. one INSERT per click'],
  ['redirects', 'ours / no recording', 'redirect throughput vs. the same server without recording'],
  ['postbacks', 'ours / seven round trips', 'order throughput vs. a transaction of seven round trips'],
  ['postbacks', 'ours / without the database', 'order throughput vs. the same server without its database'],
  ['billing, a commission', 'one by one / in bulk', 'invoicing commissions in bulk vs. one by one'],
];
const parts = ['histories', 'kills', 'deaths', 'hostile', 'faults', 'overload', 'tenants'];

export function renderResults({ speed, results, mutants }: Shown): string {
  const fast = speed === null ? [] : speeds.flatMap(([what, ratio, words]) => speedLine(words, rowsOf(speed, what, ratio)));
  const sure = parts.flatMap((name) => results.filter(({ part }) => part === name).flatMap(surest));
  const caught = mutants.filter(({ isCaught }) => isCaught).length;
  const noticed = mutants.length === 0 ? [] : [`| mutants that the tests caught | ${caught} of ${mutants.length} |`];
  return [
    '',
    '| performance | ratio |',
    '| --- | --- |',
    ...fast,
    '',
    '| reliability | result |',
    '| --- | --- |',
    ...sure,
    ...noticed,
    '',
  ].join('\n');
}

const rowsOf = ({ rows }: SpeedResult, what: string, ratio: string): readonly SpeedRow[] =>
  rows.filter((row) => row.what === what && row.ratio === ratio && row.isHonest);

function speedLine(words: string, rows: readonly SpeedRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ median, min, max, sizes }) => `${median} (${min} to ${max}), ${sizes}`);
  return [`| ${words} | ${cells.join('<br>')} |`];
}

/** The first result represents a part; the others are in docs/proof.md. A failed part is not left out. */
function surest({ part, passed, figures }: PartResult): readonly string[] {
  if (!passed) return [`| ${part} | FAILED the last time, see [docs/proof.md](docs/proof.md) |`];
  const [first] = figures;
  return first === undefined ? [] : [`| ${first.what} | ${first.measured} |`];
}

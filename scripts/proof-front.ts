import type { MutantResult, PartResult, SpeedResult } from './proof-results.ts';
import { comparisons, rowsOf } from './proof-words.ts';

/** The results that a newcomer wants first, selected from docs/proof.md and written into README.md by `npm run proof`. */
export type Results = {
  readonly speed: SpeedResult | null;
  readonly results: readonly PartResult[];
  readonly mutants: readonly MutantResult[];
};

const parts = ['histories', 'kills', 'deaths', 'hostile', 'faults', 'overload', 'tenants'];

export function renderResults({ speed, results, mutants }: Results): string {
  const fast = speed === null ? [] : comparisons.flatMap((comparison) => speedLine(speed, comparison));
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

function speedLine(speed: SpeedResult, comparison: (typeof comparisons)[number]): readonly string[] {
  const rows = rowsOf(speed, comparison);
  if (rows.length === 0) return [];
  const cells = rows.map(({ median, min, max, sizes }) => `${median} (${min} to ${max}), ${sizes}`);
  return [`| ${comparison.words} | ${cells.join('<br>')} |`];
}

/** The first result represents a part; the others are in docs/proof.md. A failed part is not left out. */
function surest({ part, passed, figures }: PartResult): readonly string[] {
  if (!passed) return [`| ${part} | FAILED the last time, see [docs/proof.md](docs/proof.md) |`];
  const [first] = figures;
  return first === undefined ? [] : [`| ${first.what} | ${first.measured} |`];
}

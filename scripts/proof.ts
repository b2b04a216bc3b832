import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardParts, missingFor } from './hard-parts.ts';
import { mutants } from './mutants.ts';
import { speedChart } from './proof-chart.ts';
import { renderResults } from './proof-front.ts';
import { proofPage } from './proof-page.ts';
import { keptMutants, keptResults, keptSpeed } from './proof-results.ts';

/**
 * `npm run proof`: writes the latest results of the hard tests, the benchmark, and the mutants to docs/proof.md, their chart to
 * docs/proof.svg, and a selection to README.md, between two marks.
 */
const root = join(import.meta.dirname, '..');
const [begin, end] = ['<!-- the figures: written by npm run proof -->', '<!-- the end of the figures -->'];

const stored = keptResults(root);
const results = Object.keys(hardParts).flatMap((name) => stored.find(({ part }) => part === name) ?? []);
const speed = keptSpeed(root);
const storedMutants = keptMutants(root);
const mutantResults = mutants.flatMap(({ name }) => storedMutants.find((result) => result.name === name) ?? []);
const missing = [
  ...Object.entries(hardParts).flatMap(([name, part]) =>
    missingFor(part).length > 0 || results.some((result) => result.part === name) ? [] : [name],
  ),
  ...(speed === null ? ['the benchmark'] : []),
  ...(mutantResults.length < mutants.length ? [`${mutants.length - mutantResults.length} mutants`] : []),
];

writeFileSync(join(root, 'docs', 'proof.md'), proofPage({ results, speed, mutants: mutantResults }));
if (speed !== null) writeFileSync(join(root, 'docs', 'proof.svg'), speedChart(speed));
const readme = join(root, 'README.md');
writeFileSync(readme, replaceFigures(readFileSync(readme, 'utf8'), renderResults({ speed, results, mutants: mutantResults })));
process.stdout.write(`Wrote docs/proof.md.${missing.length === 0 ? '' : ` No result on this machine: ${missing.join(', ')}.`}\n`);

function replaceFigures(text: string, figures: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md needs "${begin}" before "${end}"`);
  return `${text.slice(0, from + begin.length)}\n${figures}\n${text.slice(to)}`;
}

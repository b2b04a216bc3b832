import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardParts } from './hard-parts.ts';
import { keptResults, type PartResult } from './proof-results.ts';

/** `npm run proof`: writes what the hard tests last said into docs/proof.md, between its two marks. All else there stays as it is. */
const root = join(import.meta.dirname, '..');
const file = join(root, 'docs', 'proof.md');
const begin = '<!-- the hard tests: written by npm run proof -->';
const end = '<!-- the end of the hard tests -->';
const heading = '# Proof\n\nWhat is claimed, the command that shows it, and what it showed. Each line can be had again with its seed.\n';

const results = keptResults(root);
const missing = Object.keys(hardParts).filter((name) => !results.some(({ part }) => part === name));
const text = existsSync(file) ? readFileSync(file, 'utf8') : `${heading}\n${begin}\n${end}\n`;
const [from, to] = [text.indexOf(begin), text.indexOf(end)];
if (from === -1 || to < from) throw new Error(`docs/proof.md has lost its marks: put "${begin}" and "${end}" where the table belongs`);
writeFileSync(file, `${text.slice(0, from + begin.length)}\n${section()}\n${text.slice(to)}`);
process.stdout.write(
  `docs/proof.md holds ${results.length} parts${missing.length > 0 ? `; never run here: ${missing.join(', ')}` : ''}.\n`,
);

function section(): string {
  const known = Object.keys(hardParts).flatMap((name) => results.find(({ part }) => part === name) ?? []);
  const rows = known.flatMap(rowsOf).join('\n');
  const runs = known.map(runOf).join('\n');
  return `
## The hard tests

\`npm run test:hard\`; one part alone with \`npm run test:hard -- kills\`, the same again with \`--seed\`.

| part | what | what came out | must be | seed |
| --- | --- | --- | --- | --- |
${rows}

| part | ended | tests | took | size | when | commit | machine |
| --- | --- | --- | --- | --- | --- | --- | --- |
${runs}
`;
}

function rowsOf({ part, passed, figures, seed }: PartResult): readonly string[] {
  if (figures.length === 0) return [`| ${part} | all of it | ${passed ? 'every test passed' : 'FAILED'} | | ${seed} |`];
  return figures.map(({ what, came, must = '', seed: own }) => `| ${part} | ${cell(what)} | ${cell(came)} | ${cell(must)} | ${own} |`);
}

/** A run that was cut short, or failed, says so: what stands here is what was seen. */
function runOf({ part, passed, tests, seconds, scale, startedAt, commit, machine }: PartResult): string {
  const counts = `${tests.passed} passed, ${tests.failed} failed`;
  const size = scale === 1 ? 'full' : `${scale} of full`;
  return `| ${part} | ${passed ? 'good' : 'FAILED'} | ${counts} | ${seconds} s | ${size} | ${startedAt} | ${commit} | ${cell(machine)} |`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

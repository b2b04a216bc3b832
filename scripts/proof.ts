import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { hardParts } from './hard-parts.ts';
import type { SpeedRow } from '../bench/speed-rows.ts';
import { mutants } from './mutants.ts';
import { renderResults } from './proof-front.ts';
import { keptMutants, keptResults, keptSpeed, type MutantResult, type PartResult, type SpeedResult } from './proof-results.ts';

/**
 * `npm run proof`: writes the last results of the hard tests, the benchmark and the mutants into docs/proof.md, each between its two marks,
 * and a selection into README.md. It changes nothing else in these files. With CITUS_URL and CITUS_WORKERS it runs
 * `npm run test:citus` and writes its counts.
 */
const root = join(import.meta.dirname, '..');
const file = join(root, 'docs', 'proof.md');
const heading = '# Proof\n\nWhat is claimed, the command that shows it, and what it showed. Each line can be had again with its seed.\n';

const results = keptResults(root);
const speed = keptSpeed(root);
const mutantResults = mutants.flatMap(({ name }) => keptMutants(root).find((result) => result.name === name) ?? []);
const missing = Object.keys(hardParts).filter((name) => !results.some(({ part }) => part === name));
let text = existsSync(file) ? readFileSync(file, 'utf8') : `${heading}\n${marks('the hard tests').join('\n')}\n`;
if (results.length > 0) text = between(text, 'the hard tests', section());
if (speed !== null) text = between(text, 'the speed', speedSection(speed));
if (mutantResults.length > 0) text = between(text, 'the deliberate defects', mutantsSection());
if ((process.env['CITUS_URL'] ?? '') !== '') text = between(text, 'the cluster', clusterSection());
writeFileSync(file, text);
const front = join(root, 'README.md');
writeFileSync(front, between(readFileSync(front, 'utf8'), 'the figures', renderResults({ speed, results, mutants: mutantResults })));
process.stdout.write(
  `docs/proof.md holds ${results.length} parts${missing.length > 0 ? `; never run here: ${missing.join(', ')}` : ''}` +
    (speed === null ? '; the benchmark was never run here as a whole' : '') +
    `${mutantResults.length < mutants.length ? `; ${mutants.length - mutantResults.length} defects were not tried here` : ''}.\n`,
);

function marks(name: string): readonly [string, string] {
  return [`<!-- ${name}: written by npm run proof -->`, `<!-- the end of ${name} -->`];
}

function between(whole: string, name: string, written: string): string {
  const [begin, end] = marks(name);
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from === -1) return `${whole.trimEnd()}\n\n${begin}\n${written}\n${end}\n`;
  if (to < from) throw new Error(`a file has lost a mark: put "${end}" where what was written ends`);
  return `${whole.slice(0, from + begin.length)}\n${written}\n${whole.slice(to)}`;
}

function speedSection({ startedAt, commit, machine, rows }: SpeedResult): string {
  const { is, loadBy, fsyncsPerSecond, foreignLoad } = machine;
  return `
## The speed

\`npm run bench\`. Ratios within one run, round against round; absolute figures would say more about the machine. ${startedAt},
commit ${commit}, ${is}; ${fsyncsPerSecond.before} fsyncs a second before and ${fsyncsPerSecond.after} after;
others took ${foreignLoad.before} before and ${foreignLoad.after} after; load made by ${loadBy}.

| what | sizes | measured | median | min | max | rounds | must be | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map(speedLine).join('\n')}
`;
}

function speedLine({ what, sizes, ratio, unit, median, min, max, rounds, aim, isReached, isHonest }: SpeedRow): string {
  const wanted = 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`;
  const values = isHonest ? [median, min, max] : ['no ratio', '', ''];
  return `| ${[cell(what), sizes, ratio ?? unit, ...values, rounds, wanted, isReached ? 'reached' : 'MISSED'].join(' | ')} |`;
}

/** The last line of `npm run test:citus` has the counts. */
function clusterSection(): string {
  const args = [join(import.meta.dirname, 'test.ts'), '--citus'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'], maxBuffer: Infinity });
  return `
## The tests on a cluster

\`npm run test:citus\`, ${new Date().toISOString()}: ${stdout.trimEnd().split('\n').at(-1) ?? ''}.
`;
}

function mutantsSection(): string {
  const caught = mutantResults.filter(({ isCaught }) => isCaught).length;
  const moments = mutantResults.map(({ at }) => at).sort();
  const seconds = mutantResults.reduce((sum, result) => sum + result.seconds, 0);
  const machines = [...new Set(mutantResults.map(({ machine }) => machine))].join('; ');
  return `
## The deliberate defects

\`npm run test:mutants\`. Each is put into a copy of the code, and the tests that are named for it must notice: ${caught} of
${mutants.length} were caught, in ${seconds} s together, between ${moments[0]} and ${moments.at(-1)}, on ${machines}.

| defect | money | | by | took | commit |
| --- | --- | --- | --- | --- | --- |
${mutantResults.map(mutantLine).join('\n')}
`;
}

function mutantLine({ name, isMoney, isCaught, by, seconds, commit }: MutantResult): string {
  return `| ${[cell(name), isMoney ? 'money' : '', isCaught ? 'caught' : 'MISSED', cell(by), `${seconds} s`, commit].join(' | ')} |`;
}

function section(): string {
  const known = Object.keys(hardParts).flatMap((name) => results.find(({ part }) => part === name) ?? []);
  const rows = known.flatMap(rowsOf).join('\n');
  const runs = known.map(runOf).join('\n');
  return `
## The hard tests

\`npm run test:hard\`; one part alone with \`npm run test:hard -- kills\`, the same again with \`--seed\`.
A commit with a plus had changes beside it that were not committed; what others took is what other programs used of the machine meanwhile.

| part | what | what came out | must be | seed |
| --- | --- | --- | --- | --- |
${rows}

| part | ended | tests | took | size | when | commit | machine | others took |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${runs}
`;
}

function rowsOf({ part, passed, figures, seed }: PartResult): readonly string[] {
  if (figures.length === 0) return [`| ${part} | all of it | ${passed ? 'every test passed' : 'FAILED'} | | ${seed} |`];
  return figures.map(
    ({ what, measured, limit = '', seed: own }) => `| ${part} | ${cell(what)} | ${cell(measured)} | ${cell(limit)} | ${own} |`,
  );
}

/** Marks a run that was interrupted or failed, because its results are incomplete. */
function runOf({ part, passed, tests, seconds, scale, startedAt, commit, machine, foreignLoad }: PartResult): string {
  const counts = `${tests.passed} passed, ${tests.failed} failed`;
  const size = scale === 1 ? 'full' : `${scale} of full`;
  const where = [startedAt, commit, cell(machine), foreignLoad].join(' | ');
  return `| ${part} | ${passed ? 'good' : 'FAILED'} | ${counts} | ${seconds} s | ${size} | ${where} |`;
}

function cell(words: string): string {
  return words.replaceAll('|', '\\|');
}

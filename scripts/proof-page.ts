import type { SpeedRow } from '../bench/speed-rows.ts';
import type { Results } from './proof-front.ts';
import type { MutantResult, PartResult, SpeedResult } from './proof-results.ts';
import { comparisons, rowsOf } from './proof-words.ts';

/** The claim that a part of the hard tests supports, and how the part tests it. */
type Claim = { readonly claim: string; readonly how: string };

const claims: Readonly<Record<string, Claim>> = {
  histories: {
    claim: 'The service behaves like its specification.',
    how: 'Random sequences of orders, refunds, reviews, invoices, and payouts run against the service and against a small reference model. Every response and every balance is compared after each command.',
  },
  races: {
    claim: 'Concurrent requests never record or pay anything twice.',
    how: 'Copies of one order, different orders on one click, reversals during invoicing, and competing workers start at the same moment, in one and in two processes.',
  },
  kills: {
    claim: 'An acknowledged order is never lost.',
    how: 'The service, or PostgreSQL with all its children, is killed with `kill -9` under load. Afterwards every order, refund, and click that was acknowledged must be in the database exactly once.',
  },
  deaths: {
    claim: 'A crash never charges a store or pays a creator twice.',
    how: 'The process dies at every step of a charge and of a payout, for each outcome that the payment provider can have (declined, timeout, late webhook, and others). Three passes of the jobs must settle everything.',
  },
  hostile: {
    claim: 'No input causes a server error.',
    how: 'Generated bodies, headers, paths, parameters, cursors, and pages are sent to every operation. A 5xx response, a response that the OpenAPI document does not describe, or growing memory fails the test.',
  },
  faults: {
    claim: 'A database outage is answered with a retry, and links keep working.',
    how: 'The database is slowed down, frozen, disconnected, stopped, restarted, and filled up. Each postback must get the correct reply or a 503 with `Retry-After`, and each known link must redirect.',
  },
  overload: {
    claim: 'Overload reduces throughput only slightly.',
    how: 'Load generators send 1.5 times the capacity, and then 10,000 connections at once. The service must serve most of its capacity and reject the rest quickly.',
  },
  slow: {
    claim: 'Slow clients do not slow down others.',
    how: '2,000 connections send one byte per second while ordinary clients are measured.',
  },
  colluders: {
    claim: 'Simulated fraud does not pay off.',
    how: 'Merchants and creators who collude in several ways run against the risk rules.',
  },
  tenants: {
    claim: 'A store or creator cannot read or change what belongs to another.',
    how: 'Every role sends requests with the IDs of other stores and creators to every operation. Each response must have the same bytes as for an ID that does not exist.',
  },
  browsers: {
    claim: 'The dashboards work on every screen and with assistive technology.',
    how: 'Every page opens in a real browser at four widths, light and dark, and is checked with axe.',
  },
  zones: {
    claim: 'Results do not depend on the time zone or clock of the machine.',
    how: 'The tests run in several time zones, on a leap day, and with a clock that jumps.',
  },
  cluster: {
    claim: 'In a cluster, an outage of one node loses nothing and delays no store of another node.',
    how: 'On a Citus cluster under load, a worker and the coordinator are killed with `kill -9`, a shard moves, and a worker is added. Every acknowledged order must be in the database exactly once, and the verification must find nothing after each of these events.',
  },
};

/** The page docs/proof.md: claims first, then how each was measured, with the complete tables folded away. */
export function proofPage({ results, speed, mutants }: Results): string {
  const sections = [
    ...(speed === null ? [] : [speedSection(speed)]),
    ...(results.length === 0 ? [] : [reliabilitySection(results)]),
    ...(mutants.length === 0 ? [] : [mutantsSection(mutants)]),
  ];
  return `# Proof

This page lists what Tributary claims about its reliability and speed, how each claim was measured, and the latest result. Every number
comes from a command that you can run yourself. \`npm run proof\` writes this page from the latest results of these commands.

| to repeat | run | takes about |
| --- | --- | --- |
| everything under [Reliability](#reliability) | \`npm run test:hard\` | an hour |
| one part, with the same random numbers | \`npm run test:hard -- kills --seed 1315958522\` | 6 minutes |
| everything under [Speed](#speed) | \`npm run bench\` | an hour |
| everything under [Mutation tests](#mutation-tests) | \`npm run test:mutants\` | a few minutes |

Run them on a machine that does nothing else. Each result names the CPU time that other programs used.
${sections.join('')}
## How to read the numbers

- **Seed.** Everything random is derived from the seed in the table. The same seed sends the same requests in the same order.
- **Commit.** The version that was measured. A \`+\` after the commit marks uncommitted changes.
- **Other load.** The CPU time that other programs used. Durations are meaningful only when it is close to 0.
- **p50, p99.** Half of the requests were at least as fast as p50, and 99 of 100 as fast as p99.
- **Verify clean.** \`npm run verify\` found no difference between the ledger, the totals, and the records.
- **A failure stays visible.** A part that failed, or a target that was missed, is shown as such until a later run passes.
`;
}

function speedSection(speed: SpeedResult): string {
  const { is, loadBy, fsyncsPerSecond, foreignLoad } = speed.machine;
  const missed = speed.rows.filter(({ isReached }) => !isReached).length;
  const reached =
    missed === 0 ? `All ${speed.rows.length} targets were reached.` : `${missed} of ${speed.rows.length} targets were MISSED.`;
  return `
## Speed

An absolute number of requests per second says more about a machine than about a program. The benchmark therefore runs Tributary and a
baseline in alternating rounds on the same machine, and reports the ratio. Each baseline is the straightforward way to build the same thing,
or the least work that could produce the same result. After each round the benchmark counts the rows: a ratio is reported only when both
sides stored the same data.

![Ratios of the benchmark on a logarithmic scale; the table below has the same numbers](proof.svg)

To the right of 1×, Tributary is faster than the baseline. Two of the baselines do less work, so their ratio is below 1: a server that does
not record clicks, and one that does not use a database. They show what recording costs.

| comparison | median | lowest to highest |
| --- | --- | --- |
${comparisons.flatMap((one) => rowsOf(speed, one).map((row) => comparisonLine(one.words, row))).join('\n')}

${reached}

${folded(
  'All measurements and their targets',
  `| what | sizes | measured | median | min | max | rounds | target | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${speed.rows.map(speedLine).join('\n')}

Measured ${speed.startedAt}, commit ${speed.commit}, on ${is}. The disk made ${fsyncsPerSecond.before} fsyncs per second before and
${fsyncsPerSecond.after} after. Other load: ${foreignLoad.before} before and ${foreignLoad.after} after. Load generator: ${loadBy}.`,
)}
`;
}

const comparisonLine = (words: string, { sizes, median, min, max }: SpeedRow): string =>
  `| ${words}, ${sizes} | ${median}× | ${min}× to ${max}× |`;

function speedLine({ what, sizes, ratio, unit, median, min, max, rounds, aim, isReached, isHonest }: SpeedRow): string {
  const target = 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`;
  const values = isHonest ? [median, min, max] : ['no ratio', '', ''];
  return `| ${[cell(what), sizes, ratio ?? unit, ...values, rounds, target, isReached ? 'reached' : 'MISSED'].join(' | ')} |`;
}

function reliabilitySection(results: readonly PartResult[]): string {
  return `
## Reliability

Each part of \`npm run test:hard\` runs the tests of \`npm test\` at full length: with more rounds, more data, and more time.

${results.map(partSection).join('\n')}
${folded(
  'When and where each part ran',
  `| part | tests | duration | size | started | commit | machine | other load |
| --- | --- | --- | --- | --- | --- | --- | --- |
${results.map(runLine).join('\n')}`,
)}
`;
}

function partSection(result: PartResult): string {
  const { part, passed, tests, seconds, figures, seed } = result;
  const { claim, how } = claims[part] ?? { claim: part, how: '' };
  const status = passed ? `${tests.passed} tests passed in ${seconds} s.` : `FAILED: ${tests.failed} tests failed.`;
  const rows = figures.map(
    ({ what, measured, limit = '', seed: own }) => `| ${cell(what)} | ${cell(measured)} | ${cell(limit)} | ${own} |`,
  );
  const table = `| what | result | limit | seed |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
  const shown =
    figures.length === 0 ? `Seed ${seed}.` : figures.length > shownRowsMax ? folded(`All ${figures.length} results`, table) : table;
  return `### ${claim}

${how} ${status} Command: \`npm run test:hard -- ${part}\`.

${shown}
`;
}

const shownRowsMax = 3;

/** Marks a run that was interrupted or failed, because its results are incomplete. */
function runLine({ part, tests, seconds, scale, startedAt, commit, machine, foreignLoad }: PartResult): string {
  const counts = `${tests.passed} passed, ${tests.failed} failed`;
  const size = scale === 1 ? 'full' : `${scale} of full`;
  return `| ${[part, counts, `${seconds} s`, size, startedAt, commit, cell(machine), foreignLoad].join(' | ')} |`;
}

function mutantsSection(mutants: readonly MutantResult[]): string {
  const caught = mutants.filter(({ isCaught }) => isCaught).length;
  const aboutMoney = mutants.filter(({ isMoney }) => isMoney).length;
  const missed = caught === mutants.length ? '' : ` ${mutants.length - caught} MISSED.`;
  const times = mutants.map(({ at }) => at).toSorted();
  const seconds = mutants.reduce((sum, result) => sum + result.seconds, 0);
  const machines = [...new Set(mutants.map(({ machine }) => machine))].join('; ');
  return `
## Mutation tests

A test that cannot fail proves nothing. \`npm run test:mutants\` puts one bug after the other into a copy of the code and runs the tests
that must notice: ${caught} of ${mutants.length} were caught. A bug that would move money incorrectly must always be caught; ${aboutMoney}
of these bugs would.${missed}

${folded(
  'All bugs, and the first test that failed',
  `| bug | about money | | caught by | duration | commit |
| --- | --- | --- | --- | --- | --- |
${mutants.map(mutantLine).join('\n')}

Measured between ${times[0]} and ${times.at(-1)}, ${seconds} s in total, on ${machines}.`,
)}
`;
}

function mutantLine({ name, isMoney, isCaught, by, seconds, commit }: MutantResult): string {
  return `| ${[cell(name), isMoney ? 'yes' : '', isCaught ? 'caught' : 'MISSED', cell(by), `${seconds} s`, commit].join(' | ')} |`;
}

/** GitHub and the served guides render Markdown between the tags only after an empty line. */
const folded = (summary: string, content: string): string => `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;

const cell = (words: string): string => words.replaceAll('|', '\\|');

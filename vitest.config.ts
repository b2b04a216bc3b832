import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { env } from 'node:process';
import { messageCatalogs } from './web/messages-plugin.ts';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { largerInFullRun, onlyInFullRun } from './test/support/full-run.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { ResultLines } from './test/support/result-lines.ts';

const everyFile = ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts'];
// scripts/test.ts sets TEST_RUN.
const included = env['TEST_RUN'] === 'full' ? [...onlyInFullRun, ...largerInFullRun] : everyFile;
const excluded = env['TEST_RUN'] === 'quick' ? onlyInFullRun : [];
const cores = Math.min(8, Math.max(2, availableParallelism()));
/** Tests that change or measure their process: its memory, its signals, its handlers of errors. All others share processes. */
const ownProcess = [
  'src/embedded-postgres/',
  'test/load/',
  ...['failover', 'jobs-and-the-database', 'restart', 'several', 'stop'].map((name) => `test/processes/${name}.test.ts`),
];
/**
 * Tests that mostly wait: for a timeout, for a lease to end, for the cache of a key. They run before all others, with more workers than
 * cores.
 */
const waiting = [
  'src/batch/attempts',
  'src/batch/batch',
  'src/clicks/link-cache',
  'test/payouts/contradicted-hold',
  'test/postbacks/authentication',
  'test/postbacks/conversions/401',
  'test/postbacks/conversions/403',
  'test/postbacks/lost-commit',
  'test/postbacks/shutdown',
  'test/risk/failed-assessment',
  'test/webhooks/delivery',
  'test/webhooks/lease',
  'test/webhooks/queue',
].map((name) => `${name}.test.ts`);
const every = globSync([...included], { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(
  (file) => !excluded.includes(file),
);
/** Also contains values of options, which select too much: vitest selects again. */
const paths = (env['TEST_PATHS'] ?? '').split('\n').filter((path) => path !== '');
const selected = every.filter((file) =>
  paths.some((path) => file.includes(path.replace(`${import.meta.dirname}/`, '').replace(/^\.\/|:\d+$/g, ''))),
);
/** A project without files would only take time to start. */
const files = selected.length === 0 ? every : selected;
const results = env['TEST_RESULTS'];
const isWaiting = (file: string): boolean => waiting.includes(file);
const isOwn = (file: string): boolean => ownProcess.some((folder) => file.startsWith(folder));
/** Node runs TypeScript, and not the JSX that these import. */
const isOfDashboards = (file: string): boolean => file.startsWith('web/');
/** Node itself imports the files, as in production. Vite's rewritten imports take about a fifth more CPU time. */
const native = { viteModuleRunner: false, nodeLoader: false } as const;

type Settings = NonNullable<TestProjectInlineConfiguration['test']>;

function project(name: string, isIn: (file: string) => boolean, settings: Settings): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: files.filter(isIn), ...settings } };
}

const projectsWithFiles = (...projects: readonly TestProjectInlineConfiguration[]): TestProjectInlineConfiguration[] =>
  projects.filter(({ test }) => test?.include?.length !== 0);

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    ...(results !== undefined && { reporters: ['default', new ResultLines(results)] }),
    // A test file and its database use most of a core, and each additional worker compiles the same code again. Files of the full run
    // mostly wait, for processes that start and for browsers.
    maxWorkers: env['TEST_RUN'] === 'full' ? 2 * cores : cores,
    sequence: { sequencer: LongestFirst, groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is waited for comes when it comes: a second is too short on a machine that does other work too.
    expect: { poll: { timeout: 30_000 } },
    projects: projectsWithFiles(
      project('waiting', isWaiting, { isolate: false, experimental: native, maxWorkers: 2 * cores, sequence: { groupOrder: 0 } }),
      project('shared process', (file) => ![isOwn, isOfDashboards, isWaiting].some((is) => is(file)), {
        isolate: false,
        experimental: native,
      }),
      project('own process', isOwn, { experimental: native }),
      { ...project('dashboards', isOfDashboards, { isolate: false }), plugins: [messageCatalogs()] },
    ),
  },
});

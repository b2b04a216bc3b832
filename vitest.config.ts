import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Another time than now, for a whole run; test/load/time-zones.test.ts asks for it.
    setupFiles: ['test/support/check-responses.ts', ...(process.env['ODD_CLOCK'] === undefined ? [] : ['test/support/odd-clock.ts'])],
    pool: 'forks',
    // Most of the time a test waits for a database, a browser or a clock, also on two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is waited for comes when it comes: a second is too short on a machine that does other work too.
    expect: { poll: { timeout: 30_000 } },
  },
});

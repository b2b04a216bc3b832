import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isHard, reportMeasurement } from '../support/size.ts';

/** Behind and ahead of UTC, with a half-hour offset, and one that once skipped a day. */
const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'].map((zone) => ({ TZ: zone }));
/** Just before the end of a leap day, and repeatedly set an hour forward and back: test/support/odd-clock.ts. */
const clocks = ['leap-day', 'steps'].map((clock) => ({ ODD_CLOCK: clock, TZ: 'Pacific/Apia' }));

/** `npm test` runs the decision tables only; the hard tests run every test next to the code that needs no database and no timer. */
const files = isHard ? ['src/'] : ['/decide-'];
const real = ['src/batch/**', 'src/db/**', 'src/embedded-postgres/**', 'src/queue/**', 'src/http/dashboards*', 'src/capture/**'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const runMsMax = 300_000;

test.each([...zones, ...(isHard ? clocks : [])])(
  'no decision depends on the time zone or clock of the machine: %o',
  (where) => {
    const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'tributary-zones-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const report = join(folder, 'report.json');
    const excluded = real.flatMap((pattern) => ['--exclude', pattern]);
    const once = ['--pool=threads', '--no-isolate', '--maxWorkers=1', '--reporter=json', `--outputFile.json=${report}`];
    const { status, stderr } = spawnSync(process.execPath, [vitest, 'run', ...files, ...excluded, ...once], {
      cwd: root,
      encoding: 'utf8',
      // None of these tests needs a database, so none has to be started.
      env: { PATH: process.env['PATH'], TEST_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', ...where },
      timeout: runMsMax,
    });
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    expect({ status, failed }, stderr).toEqual({ status: 0, failed: 0 });
    expect(passed).toBeGreaterThan(400);
    reportMeasurement({
      what: `time zone of the machine: ${Object.values(where).join(', ')}`,
      measured: `${passed} tests, 0 depend on it`,
    });
  },
  runMsMax,
);

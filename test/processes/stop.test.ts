import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { newDataDir } from '../support/embedded.ts';
import { startArguments } from '../../scripts/start-arguments.ts';
import { childEnvironment, freePort } from '../support/main-process.ts';
import { isFull, reportMeasurement } from '../support/size.ts';

/** Stops the service with its embedded database during or after its start; returns its output and exit status. */
type Started = {
  readonly pid: number;
  readonly answers: () => Promise<boolean>;
  /** All that it printed, once it has ended. */
  readonly printed: () => Promise<string>;
  readonly stop: () => Promise<{ readonly code: number | null; readonly errors: string; readonly warnings: readonly string[] }>;
};

async function startWith(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Started> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, startArguments, {
    env: { ...childEnvironment, PORT: port, BASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await said;
  });
  invariant(child.pid !== undefined, 'the process was started');
  return {
    pid: child.pid,
    answers: () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    printed: async () => (await said)[0],
    async stop() {
      child.kill('SIGTERM');
      const [lines, errors] = await said;
      // Startup messages are plain text; a JSON log line is a warning or worse.
      return { code: child.exitCode, errors, warnings: lines.split('\n').filter((line) => line.startsWith('{')) };
    },
  };
}

/** On a busy machine a start takes many times as long. */
const waitMs = 60_000;
const testMs = 300_000;

const inOrder = { code: 0, errors: '', warnings: [] };

const answering = ({ answers }: Started) => expect.poll(answers, { timeout: waitMs, interval: 5 }).toBe(true);

test(
  'the service shuts down in order and logs no error when it is stopped at its first answer, or later',
  async () => {
    const dataDir = newDataDir();
    for (const laterMs of isFull ? [0, 0, 1_500] : [0]) {
      const service = await startWith(dataDir);
      await answering(service);
      await pause(laterMs);
      expect([laterMs, await service.stop()]).toEqual([laterMs, inOrder]);
    }
  },
  testMs,
);

test(
  'the service completes the current step and shuts down in order when it is stopped at any moment of its start',
  async () => {
    const dataDir = newDataDir();
    const first = await startWith(dataDir);
    await answering(first);
    await first.stop();
    for (const afterMs of isFull ? [0, 200, 500, 1_000] : [200]) {
      const service = await startWith(dataDir);
      // PostgreSQL writes this file just before it starts, and removes it at the end.
      await expect.poll(() => existsSync(join(dataDir, 'connection.json')), { timeout: waitMs, interval: 5 }).toBe(true);
      await pause(afterMs);
      expect([afterMs, await service.stop()]).toEqual([afterMs, inOrder]);
    }
  },
  testMs,
);

test(
  'several processes that are stopped during their start shut down in order, and the first start prints its progress',
  async () => {
    const dataDir = newDataDir();
    const printed: string[] = [];
    for (const laterMs of isFull ? [0, 800] : [800]) {
      const service = await startWith(dataDir, { WORKERS: '2' });
      await answering(service);
      await pause(laterMs);
      expect([laterMs, await service.stop()]).toEqual([laterMs, inOrder]);
      printed.push(await service.printed());
    }
    expect(printed[0]).toContain(`Database: creating it in ${dataDir}`);
  },
  testMs,
);

/** Without the pages of program files, which the system shares between processes and can drop. */
const kilobytesMax = 120 * 1_024;

test.runIf(existsSync('/proc/self/status'))(
  'an idle service takes at most 120 MB of memory of its own',
  async () => {
    const service = await startWith(newDataDir());
    await answering(service);
    const ownKilobytes = (): number => Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]);
    // On a busy machine, the process is at rest later.
    for (let seconds = 0; seconds < 20 && !(ownKilobytes() < kilobytesMax); seconds += 1) await pause(1_000);
    const kilobytes = ownKilobytes();
    reportMeasurement({
      what: 'own memory of a service at rest',
      measured: `${Math.round(kilobytes / 1_024)} MB`,
      limit: 'at most 120 MB',
    });
    expect(kilobytes).toBeLessThan(kilobytesMax);
    expect(await service.stop()).toEqual(inOrder);
  },
  testMs,
);

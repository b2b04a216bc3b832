import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { invariant } from '../src/core/invariant.ts';
import { removeEmbedded } from '../src/embedded-postgres/start.ts';
import { launchBrowser } from '../test/support/browser.ts';

/** A value without a comparison, and its upper limit. */
export type Weighed = {
  readonly what: string;
  /** The environment of the measurement, where it is not the service. */
  readonly sizes?: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly most: number;
};

const root = join(import.meta.dirname, '..');
const readyMsMax = 60_000;
const idleSeconds = 10;

/** Measures the size and startup time of the service: `npm start` on a folder that was used before. */
export async function measureService(rounds: number): Promise<readonly Weighed[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-start-'));
  try {
    await (await start(dataDir)).stop();
    const starts: number[] = [];
    for (let round = 0; round < rounds - 1; round++) {
      const service = await start(dataDir);
      starts.push(service.tookMs);
      await service.stop();
    }
    const service = await start(dataDir);
    starts.push(service.tookMs);
    try {
      await pause(idleSeconds * 1_000);
      const idle = residentMegabytes(service.npm);
      const dashboard = await firstLoad(service.url, rounds);
      return [
        { what: 'capture script, packed by gzip', unit: 'bytes', values: [captureBytes()], most: 1_024 },
        { what: 'dashboard, first load, packed by gzip', unit: 'kB', values: [dashboard.kilobytes], most: 250 },
        { what: 'dashboard, until a person can type', unit: 'ms', values: dashboard.ms, most: 1_000 },
        { what: '`npm start` on a folder in use, until ready', unit: 'ms', values: starts, most: 2_000 },
        ...(idle === null
          ? []
          : [{ what: `memory of the service after ${idleSeconds} idle seconds`, unit: 'MB', values: [idle], most: 150 }]),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await removeEmbedded(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const captureBytes = (): number => gzipSync(readFileSync(join(root, 'src', 'capture', 'v1.min.js')), { level: 9 }).length;

type Started = { readonly url: string; readonly npm: number; readonly tookMs: number; readonly stop: () => Promise<void> };

async function start(dataDir: string): Promise<Started> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Other variables may be settings of the service.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port), BASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const began = performance.now();
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  invariant(child.pid !== undefined, 'npm was started');
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  while (!(await isReady(url))) {
    if (performance.now() - began > readyMsMax) await stop();
    invariant(child.exitCode === null, '`npm start` is ready within a minute');
    await pause(20);
  }
  return { url, npm: child.pid, tookMs: Math.round(performance.now() - began), stop };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Memory of the service process, which npm started; null where the system does not report it as Linux does. */
function residentMegabytes(npm: number): number | null {
  const children = `/proc/${npm}/task/${npm}/children`;
  if (!existsSync(children)) return null;
  const [service = ''] = readFileSync(children, 'utf8').trim().split(' ');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service}/status`, 'utf8'))?.[1]);
  invariant(Number.isFinite(kilobytes), 'the system reports the memory of the service');
  return Math.round(kilobytes / 1_024);
}

/** In a real browser without a cache: from navigation to an input field that accepts text. */
async function firstLoad(url: string, rounds: number): Promise<{ readonly kilobytes: number; readonly ms: readonly number[] }> {
  const browser = await launchBrowser();
  try {
    let kilobytes = 0;
    const ms: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await (await browser.newContext()).newPage();
      const bodies: Array<Promise<Buffer>> = [];
      page.on('response', (answer) => {
        if (!answer.url().includes('/api/')) bodies.push(answer.body());
      });
      const began = performance.now();
      await page.goto(`${url}/sign-in`, { waitUntil: 'commit' });
      await page.getByLabel('Email').fill('somebody@shop.example');
      ms.push(Math.round(performance.now() - began));
      await page.waitForLoadState('networkidle');
      kilobytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_000;
      await page.context().close();
    }
    return { kilobytes: Math.round(kilobytes), ms };
  } finally {
    await browser.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  server.close();
  await once(server, 'close');
  return address.port;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { must } from '../../src/platform/must.ts';
import { seedWorld } from '../../src/seed.ts';
import { openPlatform } from '../../src/service.ts';
import { testSecretKey, type TestService } from './service.ts';

type Packaged = { readonly scripts: Readonly<Record<'start', string>> };

/** What `npm start` gives Node: its flags, and the file. The unit and the image give the same (test/operating/packaging.test.ts). */
export const startArguments: readonly string[] = (JSON.parse(readFileSync('package.json', 'utf8')) as Packaged).scripts.start
  .split(' ')
  .slice('exec node'.split(' ').length);

/** The service as `npm start` runs it: a process that can be killed. */
export type MainProcess = {
  readonly url: string;
  readonly pid: number;
  /** By which signal it ended; null where it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly kill: () => Promise<void>;
};

type Settings = Readonly<Record<string, string>>;

export async function startMain(port: number, settings: Settings): Promise<MainProcess> {
  const url = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), BASE_URL: url, LOG_LEVEL: 'silent', SECRET_KEY: testSecretKey.toString('base64') };
  // Nothing of our own environment: the test runner leaves settings of the same names there.
  const child: ChildProcess = spawn(process.execPath, startArguments, {
    env: { PATH: process.env['PATH'], ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout, pid } = child;
  must(stdout !== null && pid !== undefined, 'it was started, and its output is a pipe');
  const ended = once(child, 'exit').then(([, signal]: readonly (NodeJS.Signals | null)[]) => signal ?? null);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  for await (const line of createInterface({ input: stdout })) {
    if (line !== `Tributary is ready at ${url}`) continue;
    // Nobody reads on, and a full pipe must stop nobody.
    stdout.resume();
    return { url, pid, ended, kill };
  }
  throw new Error('the service ended before it was ready');
}

const portLeast = 10_000;
const portMost = 30_000;

/**
 * A port that nobody listens on just now, so that a process that was killed comes back under its address. It lies below those
 * that the system gives out by itself: meanwhile no connection of another test takes it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portLeast + Math.floor(Math.random() * (portMost - portLeast));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server
        .once('error', () => resolve(false))
        .once('listening', () => server.close(() => resolve(true)))
        .listen(port, '127.0.0.1'),
    );
    if (isFree) return port;
  }
}

/** The same house beside that process: it looks at the same rows, seeds worlds, and never dies. */
export function besideMain(databaseUrl: string, url: string): TestService {
  const read = readConfig({ BASE_URL: url, LOG_LEVEL: 'silent' }, '/');
  must(read.is === 'good', 'the settings of the tests are right');
  const platform = openPlatform({ config: read.config, databaseUrl, secretKey: testSecretKey, log: createLog('silent') });
  return {
    platform,
    url,
    databaseUrl,
    seed: () => seedWorld(platform),
    leave: async () => {},
    async stop() {
      await platform.nightDatabase.end();
      await platform.database.end();
    },
  };
}

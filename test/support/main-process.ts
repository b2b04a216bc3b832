import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { invariant } from '../../src/core/invariant.ts';
import { seedWorld } from '../../src/commands/seed/seed.ts';
import { openPlatform } from '../../src/app/server.ts';
import { startArguments } from '../../scripts/start-arguments.ts';
import { testSecretKey, type TestService } from './service.ts';

/** The service as `npm start` runs it: a process that can be killed. */
export type MainProcess = {
  readonly url: string;
  readonly pid: number;
  /** The signal that ended it; null if it exited. */
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly kill: () => Promise<void>;
};

/** What a process of the service needs of the environment of the tests. */
export const childEnvironment = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

type Settings = Readonly<Record<string, string>>;

export async function startMain(port: number, settings: Settings): Promise<MainProcess> {
  const url = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), BASE_URL: url, LOG_LEVEL: 'silent', SECRET_KEY: testSecretKey.toString('base64') };
  // The environment is not inherited, because the test runner sets variables of the same names.
  const child: ChildProcess = spawn(process.execPath, startArguments, {
    env: { ...childEnvironment, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout, pid } = child;
  invariant(stdout !== null && pid !== undefined, 'the process was started, and its output is a pipe');
  const ended = once(child, 'exit').then(([, signal]: readonly (NodeJS.Signals | null)[]) => signal ?? null);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  for await (const line of createInterface({ input: stdout })) {
    if (line !== `Tributary is ready at ${url}`) continue;
    // Drains the output after the start, because a full pipe would block the process.
    stdout.resume();
    return { url, pid, ended, kill };
  }
  throw new Error('the service ended before it was ready');
}

const portLeast = 10_000;
const portMost = 30_000;

/**
 * A free port, so that a killed process restarts under its address. It is below the range from which the system assigns ports, so that no
 * connection of another test takes it.
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

/** The same service in this process: it reads the same rows, creates sandboxes, and is never killed. */
export function besideMain(databaseUrl: string, url: string): TestService {
  const read = readConfig({ BASE_URL: url, LOG_LEVEL: 'silent' }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const platform = openPlatform({ config: read.config, databaseUrl, secretKey: testSecretKey, log: createLog('silent') });
  return {
    platform,
    url,
    databaseUrl,
    seed: () => seedWorld(platform),
    drain: async () => {},
    async stop() {
      await platform.jobsDatabase.end();
      await platform.database.end();
    },
  };
}

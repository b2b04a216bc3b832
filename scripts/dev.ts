import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';
import { startEmbedded } from '../src/embedded-postgres/start.ts';
import { pageNames } from '../src/http/dashboards.ts';
import { readWorld } from './dev-world.ts';

/**
 * `npm run dev`: the service restarts when a file of `src/` changes, and the browser shows changes of `web/` without a reload. The database
 * keeps running in `.data-dev`, and its sandbox is seeded once. Only this machine can reach it.
 */
const root = join(import.meta.dirname, '..');
const dataDir = resolve(root, process.env['DATA_DIR'] ?? '.data-dev');
const port = Number(process.env['PORT'] ?? 3000);
const servicePort = port + 1;
const stops: Array<() => Promise<unknown>> = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
try {
  await start();
} catch (error) {
  console.error(`dev: ${error instanceof Error ? error.message : String(error)}`);
  await end(1);
}

async function start(): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: console.log, onProgress: console.log });
  stops.push(embedded.stop);
  const [service, dashboards] = await Promise.all([startWatchedService(embedded.url), startDashboards()]);
  stops.push(() => stopChild(service), dashboards);
  for (const [role, { email, password }] of Object.entries(readWorld(dataDir).logins))
    console.log(`  ${role.padEnd(9)} ${email}  ${password}`);
  console.log(`Tributary for development: http://localhost:${port} (Ctrl-C stops it)`);
}

/** Resolves when the service accepts requests for the first time. Later restarts print a line each. */
async function startWatchedService(databaseUrl: string): Promise<ChildProcess> {
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    MODE: 'sandbox',
    BASE_URL: `http://localhost:${port}`,
    PORT: String(servicePort),
    HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'tributary'),
  };
  const args = ['--watch', '--watch-preserve-output', join(root, 'scripts', 'dev-service.ts')];
  const child = spawn(process.execPath, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((ready, reject) => {
    lines.on('line', (line) => {
      console.log(line);
      if (line.startsWith('Service: ready')) ready();
    });
    child.once('exit', () => reject(new Error('the service did not start')));
  });
  return child;
}

/** Vite serves the pages; every other path goes to the service. */
async function startDashboards(): Promise<() => Promise<void>> {
  const pages = pageNames.filter((name) => name !== '').join('|');
  const notPages = `^/(?!$|[?]|@|src/|node_modules/|icon\\.svg|scheme\\.js|(${pages})(/|[?]|$))`;
  const server = await createServer({
    configFile: join(root, 'web', 'vite.config.ts'),
    logLevel: 'warn',
    server: { port, strictPort: true, host: 'localhost', proxy: { [notPages]: `http://127.0.0.1:${servicePort}` } },
  });
  await server.listen();
  return () => server.close();
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

/** Runs in the reverse order of the start. The second signal does not wait. */
async function end(code: number): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const stop of stops.splice(0).reverse()) await stop();
  process.exit(code);
}

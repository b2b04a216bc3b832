import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { invariant } from '../src/core/invariant.ts';
import { readWorld } from './dev-world.ts';
import { restartOnChange } from './restart-on-change.ts';

/**
 * `npm run dev`: the service restarts when one of its files changes, and the browser shows changes of `web/` without a reload. The database
 * keeps running in `.data-dev`, and its sandbox is seeded once. Only this machine can reach it.
 */
const root = join(import.meta.dirname, '..');
const dataDir = resolve(root, process.env['DATA_DIR'] ?? '.data-dev');
const port = Number(process.env['PORT'] ?? 3000);
const servicePort = port + 1;
const stops: { service?: () => Promise<void>; dashboards?: () => Promise<void>; database?: () => Promise<void> } = {};
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
try {
  await start();
} catch (error) {
  console.error(`dev: ${error instanceof Error ? error.message : String(error)}`);
  await end(1);
}

/** The service takes longest to load, so it is started before anything else is imported. */
async function start(): Promise<void> {
  const databaseUrl = Promise.withResolvers<string>();
  const service = startService(databaseUrl.promise);
  stops.service = service.stop;
  const { startEmbedded } = await import('../src/embedded-postgres/start.ts');
  const embedded = await startEmbedded({ dataDir, log: console.log, onProgress: console.log });
  stops.database = embedded.stop;
  databaseUrl.resolve(embedded.url);
  stops.dashboards = await startDashboards();
  await service.ready;
  for (const [role, { email, password }] of Object.entries(readWorld(dataDir).logins))
    console.log(`  ${role.padEnd(9)} ${email}  ${password}`);
  console.log(`Tributary for development: http://localhost:${port} (Ctrl-C stops it)`);
}

/** `ready` resolves when the service accepts requests for the first time. Later restarts print a line each. */
function startService(databaseUrl: Promise<string>): { readonly ready: Promise<void>; readonly stop: () => Promise<void> } {
  const ready = Promise.withResolvers<void>();
  const env = {
    ...process.env,
    DATABASE_URL: undefined,
    DATA_DIR: dataDir,
    MODE: 'sandbox',
    BASE_URL: `http://localhost:${port}`,
    PORT: String(servicePort),
    HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'tributary'),
  };
  const run = (): ChildProcess => {
    const hook = join(root, 'scripts', 'resolve-relative.mjs');
    const child = spawn(process.execPath, ['--import', hook, join(root, 'scripts', 'dev-service.ts')], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const lines = child.stdout;
    invariant(lines !== null, 'the output is a pipe');
    createInterface({ input: lines }).on('line', (line) => {
      console.log(line);
      if (line.startsWith('Service: ready')) ready.resolve();
    });
    void databaseUrl.then((url) => child.connected && child.send(url, () => {}));
    return child;
  };
  const folders = ['src', 'sdk/src', 'locales', 'migrations'].map((folder) => join(root, folder));
  const onFailure = (): void => console.error('Service: ended with the error above; it starts again when a file changes');
  const { stop } = restartOnChange({ start: run, folders, onFailure });
  return { ready: ready.promise, stop };
}

/** Vite serves the pages; every other path goes to the service. */
async function startDashboards(): Promise<() => Promise<void>> {
  const { createServer } = await import('vite');
  const { pageNames } = await import('../src/http/dashboards.ts');
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

/** The database stops last, because the service uses it. The second signal does not wait. */
async function end(code: number): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const stop of [stops.service, stops.dashboards, stops.database]) await stop?.();
  process.exit(code);
}

import { startService } from '../src/app/server.ts';
import { configFromEnvironment } from '../src/core/config.ts';
import { createLog } from '../src/core/log.ts';
import { loadOrCreateSecretKey } from '../src/core/secrets.ts';
import { ensureWorld } from './dev-world.ts';

/*
 * The service of `npm run dev`, which restarts it when a file changes, and sends it the address of the database as soon as that has
 * started. Vite serves the dashboards.
 */
let stop = (): void => process.exit(0);
// `disconnect`: `npm run dev` was killed.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => stop());
const databaseUrl = await new Promise<string>((resolve) => process.once('message', resolve));
// It was killed while this process loaded, after it had sent the address.
if (!process.connected) stop();
const result = configFromEnvironment();
if (result.is === 'wrong') throw new Error(result.errors.join('; '));
const { config } = result;
const startedAt = performance.now();
const service = await startService({
  config,
  databaseUrl,
  secretKey: await loadOrCreateSecretKey(config.dataDir),
  log: createLog('warn'),
  dashboardsFolder: null,
  onProgress: console.log,
});
stop = () => {
  // A second signal does not wait: all jobs are safe to run twice.
  stop = () => process.exit(0);
  void service.stop().then(() => process.exit(0));
};

await ensureWorld(service.platform, config.dataDir);
console.log(`Service: ready after ${Math.round(performance.now() - startedAt)} ms`);

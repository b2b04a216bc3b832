import { startService } from '../src/app/server.ts';
import { configFromEnvironment } from '../src/core/config.ts';
import { createLog } from '../src/core/log.ts';
import { loadOrCreateSecretKey } from '../src/core/secrets.ts';
import { ensureWorld } from './dev-world.ts';

/** The service of `npm run dev`, which restarts it when a file changes. Vite serves the dashboards. */
const result = configFromEnvironment();
if (result.is === 'wrong') throw new Error(result.errors.join('; '));
const { config } = result;
const startedAt = performance.now();
const service = await startService({
  config,
  databaseUrl: config.databaseUrl ?? '',
  secretKey: await loadOrCreateSecretKey(config.dataDir),
  log: createLog('warn'),
  dashboardsFolder: null,
  onProgress: console.log,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.stop().then(() => process.exit(0)));

await ensureWorld(service.platform, config.dataDir);
console.log(`Service: ready after ${Math.round(performance.now() - startedAt)} ms`);

import { openKeyRing } from '../src/clicks/signing-keys.ts';
import { invariant } from '../src/core/invariant.ts';
import { readConfig } from '../src/core/config.ts';
import { isDatabaseAway } from '../src/db/connection-errors.ts';
import { createServer } from '../src/http/server.ts';
import { createLog } from '../src/core/log.ts';
import type { Platform } from '../src/runtime/platform.ts';
import { openPlatform, startService } from '../src/app/server.ts';
import { readJob, onMessage } from './child.ts';
import { clickContestants, type ClickContestant } from './clicks.ts';
import { postbackContestants, type PostbackContestant } from './postbacks.ts';

/** A measured server in a separate process. `ours` is the whole service as it starts; the others share its server and modules. */
export type ContestantJob = {
  readonly name: 'ours' | ClickContestant | PostbackContestant;
  readonly databaseUrl: string;
  readonly secretKey: string;
  /** Settings besides the defaults. */
  readonly environment?: Readonly<Record<string, string>>;
};

const job = await readJob<ContestantJob>();
const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...job.environment }, '/');
invariant(read.is === 'good', 'the settings of the benchmark are valid');
const { config } = read;
const options = {
  config,
  databaseUrl: job.databaseUrl,
  secretKey: Buffer.from(job.secretKey, 'base64'),
  log: createLog(config.logLevel),
  dashboardsFolder: null,
};
process.stdout.write(`${await start()}\n`);

async function start(): Promise<number> {
  if (job.name === 'ours') {
    const service = await startService(options);
    const startedAt = process.cpuUsage();
    onMessage(service.stop, () => farewell(startedAt, service.platform));
    return Number(new URL(service.url).port);
  }
  const platform = openPlatform(options);
  const ring = await openKeyRing(platform);
  const app = createServer({
    trustedProxies: [],
    problemFormats: [],
    isTemporary: isDatabaseAway,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const register = { ...clickContestants, ...postbackContestants }[job.name];
  register(app, { platform, ring });
  const url = await app.listen({ host: config.host, port: 0 });
  const startedAt = process.cpuUsage();
  onMessage(
    () => app.close(),
    () => farewell(startedAt, platform),
  );
  return Number(new URL(url).port);
}

/** The cost, and whether any request was answered before its click was on disk. */
export type Farewell = { readonly cpuMs: number; readonly early: number };

async function farewell(startedAt: NodeJS.CpuUsage, { metrics }: Platform): Promise<Farewell> {
  const { user, system } = process.cpuUsage(startedAt);
  const early = await metrics.registry.getSingleMetric('tributary_clicks_early_total')?.get();
  return { cpuMs: (user + system) / 1_000, early: early?.values[0]?.value ?? 0 };
}

import { openKeyRing } from '../src/clicks/signing-keys.ts';
import { must } from '../src/platform/must.ts';
import { readConfig } from '../src/platform/config.ts';
import { isDatabaseAway } from '../src/platform/database/away.ts';
import { createServer } from '../src/platform/http/server.ts';
import { createLog } from '../src/platform/log.ts';
import type { Platform } from '../src/platform/platform.ts';
import { openPlatform, startService } from '../src/service.ts';
import { readJob, whenTold } from './child.ts';
import { clickContestants, type ClickContestant } from './clicks.ts';
import { postbackContestants, type PostbackContestant } from './postbacks.ts';

/** A server that is measured, in a process of its own. `ours` is the whole service as it starts; the others share its server and rooms. */
export type ContestantJob = {
  readonly name: 'ours' | ClickContestant | PostbackContestant;
  readonly databaseUrl: string;
  readonly secretKey: string;
};

const job = await readJob<ContestantJob>();
const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }, '/');
must(read.is === 'good', 'the settings of the benchmark are right');
const { config } = read;
const options = {
  config,
  databaseUrl: job.databaseUrl,
  secretKey: Buffer.from(job.secretKey, 'base64'),
  log: createLog(config.logLevel),
  webFolder: null,
};
process.stdout.write(`${await start()}\n`);

async function start(): Promise<number> {
  if (job.name === 'ours') {
    const service = await startService(options);
    const startedAt = process.cpuUsage();
    whenTold(service.stop, () => farewell(startedAt, service.platform));
    return Number(new URL(service.url).port);
  }
  const platform = openPlatform(options);
  const ring = await openKeyRing(platform);
  const app = createServer({
    trustedProxies: [],
    dialects: [],
    isTemporary: isDatabaseAway,
    onFault: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const register = { ...clickContestants, ...postbackContestants }[job.name];
  register(app, { platform, ring });
  const url = await app.listen({ host: config.host, port: 0 });
  const startedAt = process.cpuUsage();
  whenTold(
    () => app.close(),
    () => farewell(startedAt, platform),
  );
  return Number(new URL(url).port);
}

/** What it cost, and whether anybody was answered before the click was on disk. */
export type Farewell = { readonly cpuMs: number; readonly early: number };

async function farewell(startedAt: NodeJS.CpuUsage, { metrics }: Platform): Promise<Farewell> {
  const { user, system } = process.cpuUsage(startedAt);
  const early = await metrics.registry.getSingleMetric('tributary_clicks_early_total')?.get();
  return { cpuMs: (user + system) / 1_000, early: early?.values[0]?.value ?? 0 };
}

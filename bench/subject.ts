import { GCProfiler } from 'node:v8';
import pg from 'pg';
import { openKeyRing } from '../src/clicks/signing-keys.ts';
import { invariant } from '../src/core/invariant.ts';
import { readConfig } from '../src/core/config.ts';
import { isDatabaseAway } from '../src/db/connection-errors.ts';
import { MessageWriter } from '../src/db/message-writer.ts';
import { createServer } from '../src/http/server.ts';
import { createLog } from '../src/core/log.ts';
import type { Platform } from '../src/runtime/platform.ts';
import { openPlatform, startService } from '../src/app/server.ts';
import { answerParent, readJob } from './child.ts';
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
    const counted = startCounting();
    answerParent(() => withEarly(counted(), service.platform), service.stop);
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
  const counted = startCounting();
  answerParent(
    () => withEarly(counted(), platform),
    () => app.close(),
  );
  return Number(new URL(url).port);
}

/**
 * What the process used since it was ready, or since it was last asked. Allocations are read at each garbage collection, so the last few
 * megabytes are missing.
 */
export type Counted = {
  readonly cpuMs: number;
  readonly gcMs: number;
  readonly allocatedBytes: number;
  /** SQL statements, including BEGIN and COMMIT, without those of the job queue. */
  readonly statements: number;
  /** Messages exchanged with PostgreSQL: statements that are sent together are one. */
  readonly roundTrips: number;
};

/** The cost, and whether any request was answered before its click was on disk. */
export type Farewell = Counted & { readonly early: number };

function startCounting(): () => Counted {
  const counts = countStatements();
  const begin = () => {
    const profiler = new GCProfiler();
    profiler.start();
    return { profiler, startedAt: process.cpuUsage(), before: { ...counts } };
  };
  let counting = begin();
  return () => {
    const { profiler, startedAt, before } = counting;
    const { user, system } = process.cpuUsage(startedAt);
    const collections = profiler.stop()?.statistics ?? [];
    let [allocatedBytes, gcUs] = [0, 0];
    for (const [place, { cost, beforeGC }] of collections.entries()) {
      gcUs += cost;
      const afterLast = collections[place - 1]?.afterGC.heapStatistics.usedHeapSize ?? beforeGC.heapStatistics.usedHeapSize;
      allocatedBytes += Math.max(0, beforeGC.heapStatistics.usedHeapSize - afterLast);
    }
    counting = begin();
    const statements = counting.before.statements - before.statements;
    const roundTrips = counting.before.roundTrips - before.roundTrips;
    return { cpuMs: (user + system) / 1_000, gcMs: gcUs / 1_000, allocatedBytes, statements, roundTrips };
  };
}

function countStatements() {
  const counts = { statements: 0, roundTrips: 0 };
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function counting(this: pg.Client, ...words: readonly unknown[]) {
    counts.roundTrips += 1;
    return Reflect.apply(query, this, words);
  };
  const execute = MessageWriter.prototype.execute;
  MessageWriter.prototype.execute = function counting(this: MessageWriter) {
    counts.statements += 1;
    Reflect.apply(execute, this, []);
  };
  return counts;
}

async function withEarly(counted: Counted, { metrics }: Platform): Promise<Farewell> {
  const early = await metrics.registry.getSingleMetric('tributary_clicks_early_total')?.get();
  return { ...counted, early: early?.values[0]?.value ?? 0 };
}

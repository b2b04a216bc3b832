import cluster from 'node:cluster';
import { startFamily, welcome } from './family.ts';
import { firstOperatorLink } from './people/operators.ts';
import { configFromEnvironment, type Config } from './platform/config.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { ensureWebBuilt } from './platform/http/ensure-web.ts';
import { createLog, type Log } from './platform/log.ts';
import { explainStart } from './platform/processes/explain.ts';
import { endMsMax } from './platform/processes/supervise.ts';
import { workForParent } from './platform/processes/worker.ts';
import { keyOf } from './platform/secrets.ts';
import { startService } from './service.ts';
import { work } from './worker.ts';

/** Reads the configuration, starts what it names, says where it is, and stops in order when it is told to. */
const result = configFromEnvironment(process.argv.slice(2));
if (result.is === 'wrong') {
  for (const fault of result.faults) console.error(`tributary: ${fault}`);
  console.error('tributary: nothing was started; .env.example tells what can be set');
  process.exit(1);
}
if (cluster.isWorker) beWorker(result.config, createLog(result.config.logLevel));
else await run(result.config, createLog(result.config.logLevel)).catch(explain);

function beWorker(config: Config, log: Log): void {
  workForParent((task, family) => work(config, log, { task, family }), explainStart);
}

function run(config: Config, log: Log): Promise<void> {
  return config.workers > 1 ? startSeveral(config, log) : start(config, log);
}

async function start(config: Config, log: Log): Promise<void> {
  const { stops, signal, started } = stopOnSignals(config, log);
  try {
    const building = config.role === 'jobs' ? Promise.resolve(null) : ensureWebBuilt();
    // Waited for below; until then its failure must not end the process before the database was stopped.
    building.catch(() => {});
    const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line) }) : null;
    if (embedded) stops.push(embedded.stop);
    const secretKey = await keyOf(config);
    const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
    const webFolder = await Promise.race([building, aborted(signal)]);
    if (signal.aborted) return;
    const service = await startService({ config, databaseUrl, secretKey, log, webFolder });
    stops.push(service.stop, () => service.leave({ isAnnounced: true, acceptingMs: config.drainMs, restingMs: 0 }));
    if (signal.aborted) return;
    console.log(`Tributary is ready at ${service.url}`);
    const firstLink = await firstOperatorLink(service.platform);
    if (firstLink !== null) welcome(firstLink);
  } catch (error) {
    for (const stop of stops.splice(0).reverse()) await stop();
    throw error;
  } finally {
    started();
  }
}

async function startSeveral(config: Config, log: Log): Promise<void> {
  const stopping = stopOnSignals(config, log);
  try {
    const family = await startFamily(config, log, stopping.signal);
    stopping.stops.push(family.stop);
    stopping.replaceAll = family.replaceAll;
  } finally {
    stopping.started();
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  // Nobody tells it a second time.
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

type Stopping = {
  readonly stops: Array<() => Promise<void>>;
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Called when the start is over, whatever came of it: what it still works with is not stopped under it. */
  readonly started: () => void;
  replaceAll: (() => Promise<void>) | null;
};

/**
 * The first signal stops in order; the second does not wait. SIGHUP replaces the processes where there are several, unless it
 * says that the terminal which they were started from is closed.
 */
function stopOnSignals(config: Config, log: Log): Stopping {
  const first = new AbortController();
  const startOver = Promise.withResolvers<void>();
  const stopping: Stopping = { stops: [], signal: first.signal, started: startOver.resolve, replaceAll: null };
  const onSignal = async (name: NodeJS.Signals) => {
    if (first.signal.aborted) process.exit(1);
    if (name === 'SIGHUP' && stopping.replaceAll !== null && !process.stdin.isTTY) {
      log.info('replacing all processes, one after another');
      return stopping.replaceAll();
    }
    first.abort();
    log.info({ signal: name }, 'stopping');
    if (config.workers === 1) endAfter(config.drainMs + endMsMax, log);
    await startOver.promise;
    for (const stop of stopping.stops.splice(0).reverse()) await stop();
    process.exit(0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, (signal) => void onSignal(signal));
  return stopping;
}

/** A job that is not done by then is begun again by whoever comes next; jobs are made for that. */
function endAfter(ms: number, log: Log): void {
  const end = (): void => {
    log.error('not everything stopped in time; what is left ends here');
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}

function explain(error: unknown): void {
  explainStart(error);
  process.exit(1);
}

import cluster from 'node:cluster';
import { startWorkers, printOperatorLink } from './supervisor.ts';
import { configFromEnvironment, type Config } from '../core/config.ts';
import { startEmbedded } from '../embedded-postgres/start.ts';
import { ensureBuilt } from '../build/ensure-built.ts';
import { createLog, type Log } from '../core/log.ts';
import { printStartError } from '../processes/start-errors.ts';
import { endMsMax } from '../processes/supervise.ts';
import { runWorkerProcess } from '../processes/worker-process.ts';
import { loadSecretKey } from '../core/secrets.ts';

/**
 * Imports what serves requests, which takes a second on a first start, so it is called while the database starts. A process that only
 * supervises others does not call it.
 */
const importService = () => Promise.all([import('./server.ts'), import('../people/operators.ts')]);

/** Reads the configuration, starts the service, prints its URL, and shuts down on a signal. */
const result = configFromEnvironment(process.argv.slice(2));
if (result.is === 'wrong') {
  for (const error of result.errors) console.error(`tributary: ${error}`);
  console.error('tributary: nothing was started; see .env.example for the settings');
  process.exit(1);
}
if (cluster.isWorker) runAsWorker(result.config, createLog(result.config.logLevel));
else await run(result.config, createLog(result.config.logLevel)).catch(explain);

function runAsWorker(config: Config, log: Log): void {
  runWorkerProcess(async (task, supervisor) => {
    const { runWorker } = await import('./worker.ts');
    return runWorker(config, log, { task, supervisor });
  }, printStartError);
}

function run(config: Config, log: Log): Promise<void> {
  return config.workers > 1 ? startSupervisor(config, log) : start(config, log);
}

async function start(config: Config, log: Log): Promise<void> {
  const { stops, signal, started } = stopOnSignals(config, log);
  try {
    const building = config.role === 'jobs' ? Promise.resolve(null) : ensureBuilt('web', printProgress);
    const importing = importService();
    // Waited for below; until then a failure must not end the process before the database was stopped.
    for (const each of [building, importing]) each.catch(() => {});
    const embedded =
      config.databaseUrl === null
        ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line), onProgress: printProgress })
        : null;
    if (embedded) stops.push(embedded.stop);
    const secretKey = await loadSecretKey(config);
    const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
    const dashboardsFolder = await Promise.race([aborted(signal), building]);
    if (signal.aborted) return;
    const [{ startService }, { createFirstOperatorLink }] = await importing;
    const service = await startService({ config, databaseUrl, secretKey, log, dashboardsFolder, onProgress: printProgress });
    stops.push(service.stop, () => service.drain({ isAnnounced: true, acceptingMs: config.drainMs, restingMs: 0 }));
    if (signal.aborted) return;
    console.log(`Tributary is ready at ${service.url}`);
    const firstLink = await createFirstOperatorLink(service.platform);
    if (firstLink !== null) printOperatorLink(firstLink);
  } catch (error) {
    for (const stop of stops.splice(0).reverse()) await stop();
    throw error;
  } finally {
    started();
  }
}

async function startSupervisor(config: Config, log: Log): Promise<void> {
  const stopping = stopOnSignals(config, log);
  try {
    // Built before the processes start, because these print no progress.
    if (config.role !== 'jobs') await Promise.race([aborted(stopping.signal), ensureBuilt('web', printProgress)]);
    if (stopping.signal.aborted) return;
    const workers = await startWorkers(config, log, { signal: stopping.signal, onProgress: printProgress });
    stopping.stops.push(workers.stop);
    stopping.replaceAll = workers.replaceAll;
  } finally {
    stopping.started();
  }
}

function printProgress(line: string): void {
  console.log(line);
}

function aborted(signal: AbortSignal): Promise<null> {
  // The signal does not fire again after it was aborted.
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

type ShutdownState = {
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
function stopOnSignals(config: Config, log: Log): ShutdownState {
  const first = new AbortController();
  const startOver = Promise.withResolvers<void>();
  const stopping: ShutdownState = { stops: [], signal: first.signal, started: startOver.resolve, replaceAll: null };
  const onSignal = async (name: NodeJS.Signals) => {
    if (first.signal.aborted) process.exit(1);
    if (name === 'SIGHUP' && stopping.replaceAll !== null && !process.stdin.isTTY) {
      log.info('replacing all processes, one after another');
      return stopping.replaceAll();
    }
    first.abort();
    log.info({ signal: name }, 'stopping');
    if (config.workers === 1) exitAfter(config.drainMs + endMsMax, log);
    await startOver.promise;
    for (const stop of stopping.stops.splice(0).reverse()) await stop();
    process.exit(0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, (signal) => void onSignal(signal));
  return stopping;
}

/** Jobs that are interrupted run again after the next start; all jobs are safe to run twice. */
function exitAfter(ms: number, log: Log): void {
  const end = (): void => {
    log.error('not everything stopped in time; what is left ends here');
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}

function explain(error: unknown): void {
  printStartError(error);
  process.exit(1);
}

import { ensureWebBuilt } from './platform/http/ensure-web.ts';
import { firstOperatorLink } from './people/operators.ts';
import { configFromEnvironment, type Config } from './platform/config.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { createLog, type Log } from './platform/log.ts';
import { secretKeyOf } from './platform/secrets.ts';
import { startService } from './service.ts';

/** `npm start`: reads the configuration, starts what it names, says where it is, and stops in order when it is told to. */
const result = configFromEnvironment();
if (result.is === 'wrong') {
  for (const fault of result.faults) console.error(`tributary: ${fault}`);
  console.error('tributary: nothing was started; .env.example tells what can be set');
  process.exit(1);
}
await start(result.config).catch(explain);

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const stops: Array<() => Promise<void>> = [];
  stopOnSignals(stops, log);
  try {
    const building = ensureWebBuilt();
    // Waited for below; until then its failure must not end the process before the database was stopped.
    building.catch(() => {});
    const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line) }) : null;
    if (embedded) stops.push(embedded.stop);
    const secretKey = config.secretKey ?? (await secretKeyOf(config.dataDir));
    const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
    const service = await startService({ config, databaseUrl, secretKey, log, webFolder: await building });
    stops.push(service.stop);
    console.log(`Tributary is ready at ${service.url}`);
    const firstLink = await firstOperatorLink(service.platform);
    if (firstLink !== null) console.log(`Nobody operates it yet. Open this link to become the operator; it works once:\n${firstLink}`);
  } catch (error) {
    for (const stop of stops.splice(0).reverse()) await stop();
    throw error;
  }
}

/** The first signal stops in order; the second does not wait. */
function stopOnSignals(stops: Array<() => Promise<void>>, log: Log): void {
  let isStopping = false;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    for (const stop of stops.splice(0).reverse()) await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, (name) => void onSignal(name));
}

/** One clear line for what the person at the keyboard can mend; the stack for what they cannot. */
function explain(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') console.error('tributary: the port is taken by another program; stop that one, or set PORT to another number');
  else if (code === 'EACCES')
    console.error('tributary: this port or folder is not ours to use; set PORT above 1023, or DATA_DIR to a folder of your own');
  else console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

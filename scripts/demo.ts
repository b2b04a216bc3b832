import { rm, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkShopPage, setUpStore, type StoreSetUp } from '../demo/set-up.ts';
import { startShop } from '../demo/shop.ts';
import { readConfig } from '../src/core/config.ts';
import { removeEmbedded, startEmbedded } from '../src/embedded-postgres/start.ts';
import { ensureBuilt } from '../src/build/ensure-built.ts';
import { createLog } from '../src/core/log.ts';
import { loadOrCreateSecretKey } from '../src/core/secrets.ts';
import { seedHistory } from '../src/commands/seed/history.ts';
import { seedWorld } from '../src/commands/seed/seed.ts';
import { startService } from '../src/app/server.ts';

/**
 * `npm run demo`: the service with a separate database, a sandbox with a year of history, and a shop that reports to it. The next start
 * reuses the data of the first one; `--fresh` starts over. Only this machine can reach it.
 */
const usage = 'npm run demo -- [--fresh] [--days 365] [--port 3100] [--shop-port 3200] [--folder .data-demo]';
const root = join(import.meta.dirname, '..');
const stops: Array<() => Promise<void>> = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
try {
  await start();
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  await end(1);
}

/** Runs in the reverse order of the start. The second signal does not wait. */
async function end(code: number): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const stop of stops.splice(0).reverse()) await stop();
  process.exit(code);
}

async function start(): Promise<void> {
  const { dataDir, port, shopPort, days, isFresh } = readArguments();
  if (isFresh) await forget(dataDir);
  const config = readConfig(
    { MODE: 'sandbox', PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn', OUTGOING_ALLOW: `localhost:${shopPort}` },
    root,
  );
  if (config.is === 'wrong') throw new Error(config.errors.join('; '));
  const log = createLog(config.config.logLevel);
  const building = ensureBuilt('web');
  building.catch(() => {});
  const embedded = await startEmbedded({ dataDir, log: (line) => log.info(line) });
  stops.push(embedded.stop);
  const secretKey = await loadOrCreateSecretKey(dataDir);
  const service = await startService({
    config: config.config,
    databaseUrl: embedded.url,
    secretKey,
    log,
    dashboardsFolder: await building,
  });
  stops.push(service.stop);

  const kept = await keptIn<Kept>(join(dataDir, 'demo.json'));
  const world = kept?.world ?? (await seeded());
  const { merchant } = world.logins;
  const shop = await startShop<StoreSetUp>({
    port: shopPort,
    now: () => service.platform.clock.now(),
    connect: async (shopUrl) => {
      if (kept?.shopUrl === shopUrl) return heldAt(service.url, kept.store);
      return setUpStore({ serviceUrl: service.url, shopUrl, merchant, creatorId: world.creator.id });
    },
  });
  stops.push(shop.stop);
  if (kept?.shopUrl !== shop.url) await checkShopPage({ serviceUrl: service.url, merchant, storeId: shop.settings.storeId });
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ world, shopUrl: shop.url, store: shop.settings } satisfies Kept), {
    mode: 0o600,
  });
  tell({ serviceUrl: service.url, shopUrl: shop.url, linkUrl: shop.settings.linkUrl, logins: world.logins });

  async function seeded(): Promise<World> {
    if (days === 0) return seedWorld(service.platform);
    console.log(`Making ${days} days of history; it takes a minute, once.`);
    return seedHistory(service.platform, days);
  }
}

type World = Awaited<ReturnType<typeof seedWorld>>;
/** Used only for the sandbox of this machine: its passwords are worthless elsewhere. */
type Kept = { readonly world: World; readonly shopUrl: string; readonly store: StoreSetUp };

/** Removes only what the demo created, and no other files of the given folder. A demo that is running in it is left alone. */
async function forget(dataDir: string): Promise<void> {
  await removeEmbedded(dataDir);
  for (const name of ['demo.json', 'secret-key']) await rm(join(dataDir, name), { force: true });
}

/** The same store at the current address of the service, whose port may differ from the last start. */
function heldAt(serviceUrl: string, store: StoreSetUp): StoreSetUp {
  return { ...store, serviceUrl, linkUrl: new URL(new URL(store.linkUrl).pathname, serviceUrl).href };
}

async function keptIn<Value>(path: string): Promise<Value | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Value;
  } catch {
    return null;
  }
}

/** Reports unknown options together with known ones. */
function given() {
  try {
    return parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        days: { type: 'string', default: '365' },
        port: { type: 'string', default: '3100' },
        'shop-port': { type: 'string', default: '3200' },
        folder: { type: 'string', default: '.data-demo' },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}

function readArguments() {
  const { values } = given();
  const [days, shopPort] = [Number(values.days), Number(values['shop-port'])];
  const isGood = [days, shopPort].every((number) => Number.isInteger(number) && number >= 0) && shopPort > 0 && shopPort < 65_536;
  if (!isGood) throw new Error(`that is not right: ${usage}`);
  return { isFresh: values.fresh, days, port: values.port, shopPort, dataDir: resolve(root, values.folder) };
}

type Addresses = { readonly serviceUrl: string; readonly shopUrl: string; readonly linkUrl: string; readonly logins: World['logins'] };

function tell({ serviceUrl, shopUrl, linkUrl, logins }: Addresses): void {
  const accounts = Object.entries(logins).map(([role, { email, password }]) => `  ${role.padEnd(9)} ${email}  ${password}`);
  console.log(
    [
      '',
      `The dashboards   ${serviceUrl}`,
      `The shop         ${shopUrl}`,
      `A creator's link ${linkUrl}`,
      '',
      'Sign in as:',
      ...accounts,
      '',
      'Open the link, consent, buy something, and look at it as the merchant (store "Kettle & Leaf") and as the creator.',
      'The other store has the history. Ctrl-C stops everything; what was made is there at the next start.',
    ].join('\n'),
  );
}

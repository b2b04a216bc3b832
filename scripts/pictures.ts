import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { checkShopPage, setUpStore, type StoreSetUp } from '../demo/set-up.ts';
import { startShop } from '../demo/shop.ts';
import { readConfig } from '../src/core/config.ts';
import { removeEmbedded, startEmbedded } from '../src/embedded-postgres/start.ts';
import { ensureBuilt } from '../src/build/ensure-built.ts';
import { createLog } from '../src/core/log.ts';
import { invariant } from '../src/core/invariant.ts';
import { loadOrCreateSecretKey } from '../src/core/secrets.ts';
import { seedHistory } from '../src/commands/seed/history.ts';
import { startService } from '../src/app/server.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { newVisitor, type Visitor } from '../test/support/dashboard.ts';
import { freePort } from '../test/support/main-process.ts';
import { webpOf } from '../test/support/picture.ts';
import { firstOf, takeEveryPage, type Api } from './all-pictures.ts';

/**
 * `npm run pictures`: takes the screenshots of README.md from the real service with a year of history, in light and in dark mode. With
 * `--all` it takes every page of the dashboards instead, for a reader who looks for what is wrong, in the folder `.pictures`; with
 * `--page operator/jobs` also, only the pages whose path contains that text. Everything
 * that it starts uses a temporary database and folder, which are removed at the end.
 */
const { all: isAll, page: pathParts } = parseArgs({
  options: { all: { type: 'boolean', default: false }, page: { type: 'string', multiple: true, default: [] } },
}).values;
const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs', 'pictures');
const size = { width: 1200, height: 860 };
/** Longer than in a test: this run may be slow without failing, and the machine may be busy. */
const stepMsMax = 60_000;
/** How long an animation may last: a drawer slides, a chart appears. */
const restMs = 1_500;
const air = 24;
const person = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36';

type World = Awaited<ReturnType<typeof seedHistory>>;
type Scene = { readonly url: string; readonly world: World; readonly demo: StoreSetUp; readonly api: Api };

const stops: Array<() => Promise<void>> = [];
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end().finally(() => process.exit(1)));
try {
  const scene = await setUp();
  const browser = await launchBrowser();
  stops.push(() => browser.close());
  await (isAll ? takeEveryPage(browser, scene, { folder: join(root, '.pictures'), parts: pathParts }) : takeReadmePictures(browser, scene));
} finally {
  await end();
}

/** Runs once, in the reverse order of the start. */
async function end(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const stop of stops.reverse()) await stop();
}

/** The service, a store with a year of history, and next to it a store that is being connected. */
async function setUp(): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-pictures-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const demoPort = await freePort();
  const settings = { MODE: 'sandbox', PORT: String(await freePort()), DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const config = readConfig({ ...settings, OUTGOING_ALLOW: `localhost:${demoPort}` }, root);
  invariant(config.is === 'good', 'these settings are valid');
  const log = createLog(config.config.logLevel);
  const embedded = await startEmbedded({ dataDir, log: (line) => log.info(line) });
  stops.push(() => removeEmbedded(dataDir), embedded.stop);
  const [secretKey, dashboardsFolder] = [await loadOrCreateSecretKey(dataDir), await ensureBuilt('web')];
  const service = await startService({ config: config.config, databaseUrl: embedded.url, secretKey, log, dashboardsFolder });
  stops.push(service.stop);
  console.log('Making a year of history; it takes a minute or two.');
  const world = await seedHistory(service.platform);
  const { merchant } = world.logins;
  const shop = await startShop<StoreSetUp>({
    port: demoPort,
    now: () => service.platform.clock.now(),
    connect: (demoUrl) => setUpStore({ serviceUrl: service.url, shopUrl: demoUrl, merchant, creatorId: world.creator.id }),
  });
  stops.push(shop.stop);
  await checkShopPage({ serviceUrl: service.url, merchant, storeId: shop.settings.storeId });
  return { url: service.url, world, demo: shop.settings, api: apiAt(service.url, world.operator_key) };
}

function apiAt(url: string, key: string): Api {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    invariant(response.ok, `${method} ${path} returns a success status, not ${response.status}`);
    return response.json();
  };
}

async function takeReadmePictures(browser: Browser, { url, world, demo: shop, api }: Scene): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const path = `/stores/${world.store.id}`;
  const orderId = await firstOf(api, `${path}/commissions?state=paid&limit=50`, 'order_id');
  const paid = await firstOf(api, `${path}/commissions?order_id=${encodeURIComponent(orderId)}`, 'id');
  const refused = await firstOf(api, `${path}/tracking-log?reason=attribution_window_expired&limit=1`, 'id');
  for (const scheme of ['light', 'dark'] as const) {
    const visitor = () => newVisitor(browser, url, { scheme, ...size, stepMsMax });
    const [mara, cora, olive] = [await visitor(), await visitor(), await visitor()];
    const take = (from: Visitor, name: string) => shoot(from, join(pictures, `${name}-${scheme}.webp`));
    await mara.signIn(world.logins.merchant);
    await mara.open(path);
    await mara.page.getByRole('button', { name: '12 months' }).click();
    await scrollTo(mara, '12 months');
    await take(mara, 'overview');
    await mara.open(`${path}/conversions?open=${paid}`);
    await mara.page.getByRole('dialog').getByText('Paid to the creator').scrollIntoViewIfNeeded();
    await take(mara, 'story');
    await mara.open(`${path}/tracking-log?open=${refused}`);
    await take(mara, 'tracking-log');
    await mara.open(`/stores/${shop.storeId}/integration`);
    await buyAs(await newVisitor(browser, url, { userAgent: person, stepMsMax }), shop);
    await take(mara, 'integration');
    await cora.signIn(world.logins.creator);
    await cora.open('/creator');
    await take(cora, 'creator');
    await olive.signIn(world.logins.operator);
    await olive.open('/operator/ledger');
    await olive.page.getByRole('button', { name: 'Verify now' }).click();
    await take(olive, 'ledger');
  }
}

/** A shopper who came through a creator's link buys, returns the order, and buys again, now without a usable click. */
async function buyAs({ page, context }: Visitor, { linkUrl }: StoreSetUp): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const answered = (count: number) =>
    page
      .locator('.answer')
      .nth(count - 1)
      .waitFor();
  await page.goto(linkUrl, { waitUntil: 'networkidle' });
  const shelf = page.url();
  await press('Yes');
  await press('Buy River mug');
  await answered(1);
  await press('Refund');
  await answered(2);
  await page.goto(shelf);
  await press('Buy Copper kettle');
  await answered(1);
  await context.close();
}

/** Scrolls until this button is at the top, with a small margin above it. */
async function scrollTo({ page }: Visitor, button: string): Promise<void> {
  const box = await page.getByRole('button', { name: button }).boundingBox();
  invariant(box, `the button ${button} exists`);
  await page.mouse.move(box.x, box.y);
  await page.mouse.wheel(0, box.y - air);
}

async function shoot({ page, context, complaints }: Visitor, path: string): Promise<void> {
  await page.locator('[data-waiting]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(restMs);
  invariant(complaints.length === 0, `the page logged no errors: ${complaints.join('; ')}`);
  await writeFile(path, await webpOf(context, await page.screenshot({ animations: 'disabled' })));
  console.log(path.slice(root.length + 1));
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUpStore, type SetUp } from '../demo/set-up.ts';
import { startShop } from '../demo/shop.ts';
import { readConfig } from '../src/platform/config.ts';
import { removeEmbedded, startEmbedded } from '../src/platform/database/embedded.ts';
import { ensureWebBuilt } from '../src/platform/http/ensure-web.ts';
import { createLog } from '../src/platform/log.ts';
import { must } from '../src/platform/must.ts';
import { secretKeyOf } from '../src/platform/secrets.ts';
import { seedHistory } from '../src/seed-history.ts';
import { startService } from '../src/service.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { newVisitor, type Visitor } from '../test/support/dashboard.ts';
import { freePort } from '../test/support/main-process.ts';

/**
 * `npm run pictures`: the pictures of README.md, taken of the service itself with a year behind it, by a browser, in light and in dark.
 * All that it starts has a database of its own in a temporary folder, and is gone at the end.
 */
const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs', 'pictures');
const size = { width: 1200, height: 780 };
/** Longer than in a test: nobody else's failure is told by it, and the machine may be busy. */
const stepMsMax = 60_000;
/** How long what was drawn last may still move: a drawer slides, a chart comes. */
const restMs = 1_500;
const person = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36';

type World = Awaited<ReturnType<typeof seedHistory>>;
type Scene = { readonly url: string; readonly world: World; readonly shop: SetUp; readonly api: Api };
type Api = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<unknown>;

const stops: Array<() => Promise<void>> = [];
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end().finally(() => process.exit(1)));
try {
  await takeAll(await setUp());
} finally {
  await end();
}

/** In the reverse order of the start, once. */
async function end(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const stop of stops.reverse()) await stop();
}

/** The service, a year of a shop behind it, and beside it a shop that is just being connected. */
async function setUp(): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-pictures-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const shopPort = await freePort();
  const settings = { MODE: 'sandbox', PORT: String(await freePort()), DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const config = readConfig({ ...settings, OUTGOING_ALLOW: `localhost:${shopPort}` }, root);
  must(config.is === 'good', 'these settings are right');
  const log = createLog(config.config.logLevel);
  const embedded = await startEmbedded({ dataDir, log: (line) => log.info(line) });
  stops.push(() => removeEmbedded(dataDir), embedded.stop);
  const [secretKey, webFolder] = [await secretKeyOf(dataDir), await ensureWebBuilt()];
  const service = await startService({ config: config.config, databaseUrl: embedded.url, secretKey, log, webFolder });
  stops.push(service.stop);
  console.log('Making a year of history; it takes a minute or two.');
  const world = await seedHistory(service.platform);
  const { merchant } = world.logins;
  const shop = await startShop<SetUp>({
    port: shopPort,
    now: () => service.platform.clock.now(),
    connect: (shopUrl) => setUpStore({ serviceUrl: service.url, shopUrl, merchant, creatorId: world.creator.id }),
  });
  stops.push(shop.stop);
  return { url: service.url, world, shop: shop.settings, api: apiAt(service.url, world.operator_key) };
}

function apiAt(url: string, key: string): Api {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    must(response.ok, `${method} ${path} was answered ${response.status}`);
    return response.json();
  };
}

async function takeAll(scene: Scene): Promise<void> {
  const { url, world, shop, api } = scene;
  const browser = await launchBrowser();
  stops.push(() => browser.close());
  await mkdir(pictures, { recursive: true });
  const path = `/stores/${world.store.id}`;
  // By chance a word of eight digits, which tells two worlds apart and nobody who looks anything.
  await api('PATCH', path, { name: 'Harbour Coffee' });
  await proveTheRest(scene);
  const paid = await firstOf(api, `${path}/commissions?state=paid&limit=1`);
  const refused = await firstOf(api, `${path}/tracking-log?reason=attribution_window_expired&limit=1`);
  for (const scheme of ['light', 'dark'] as const) {
    const visitor = () => newVisitor(browser, url, { scheme, ...size, stepMsMax });
    const [mara, cora, olive] = [await visitor(), await visitor(), await visitor()];
    const take = (who: Visitor, name: string) => shoot(who, join(pictures, `${name}-${scheme}.png`));
    await mara.signIn(world.logins.merchant);
    await mara.open(path);
    await take(mara, 'overview');
    await mara.open(`${path}/conversions?open=${paid}`);
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

/** What `setUpStore` leaves open of the six lights: a page that was looked at, a test link that was opened, a refund that was tested. */
async function proveTheRest({ url, shop, api }: Scene): Promise<void> {
  const { storeId, trackingKey, postbackKey } = shop;
  await api('POST', `/stores/${storeId}/integration/check-page`, {});
  await fetch(text(await api('POST', `/stores/${storeId}/test-links`, {}), 'url'), { headers: { 'user-agent': person } });
  const reversal = await fetch(`${url}/api/partner-network/postbacks/${trackingKey}/reversals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${postbackKey}` },
    body: JSON.stringify({ order_id: 'test-1', reason: 'tried' }),
  });
  must(reversal.ok, `the refund of the test order was answered ${reversal.status}`);
}

/** Somebody who came by a creator's link buys, subscribes, and brings one thing back. */
async function buyAs({ page, context }: Visitor, { linkUrl }: SetUp): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto(linkUrl, { waitUntil: 'networkidle' });
  await press('Yes');
  const shelf = page.url();
  for (const name of ['Subscribe', 'Buy River mug', 'Buy Copper kettle']) {
    await page.goto(shelf);
    await press(name);
    await page.locator('.answer').first().waitFor();
  }
  await press('Refund');
  await page.locator('.answer').nth(1).waitFor();
  await context.close();
}

async function shoot({ page, complaints }: Visitor, path: string): Promise<void> {
  await page.locator('[data-waiting]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(restMs);
  must(complaints.length === 0, `the page complains: ${complaints.join('; ')}`);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path.slice(root.length + 1));
}

async function firstOf(api: Api, path: string): Promise<string> {
  const list = await api('GET', path);
  const rows: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'data') : null;
  must(Array.isArray(rows) && rows.length > 0, `a year of history has some of ${path}`);
  return text(rows[0], 'id');
}

function text(answer: unknown, field: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined;
  must(typeof value === 'string', `the service answers with ${field}`);
  return value;
}

import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { captureScript } from '../../src/capture/serve.ts';
import { invariant } from '../../src/core/invariant.ts';
import { clickVariants } from '../../web/src/features/integration/snippets/save-click.ts';
import { scriptVariants } from '../../web/src/features/integration/snippets/script-tags.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { openLandingPage } from '../support/landing-page.ts';
import { openMerchant } from '../support/merchant.ts';

let page: Page;
// Runs the setup page's snippets for a store's own pages and server, each in the place that its note names.
const merchant = await openMerchant();
const site = await openLandingPage();
const browser = await sharedBrowser();
const { immutablePath, integrity } = captureScript();
const facts = { origin: merchant.service.url, immutablePath, integrity };
beforeEach(async () => void (page = await (await browser.newContext()).newPage()));
afterEach(() => page.context().close());
afterAll(async () => {
  await closePages(browser);
  await site.close();
  await merchant.service.stop();
});

const variantNamed = (name: string): string => {
  const found = scriptVariants.find((variant) => variant.name === name) ?? clickVariants.find((variant) => variant.name === name);
  invariant(found, `there is a variant ${name}`);
  return typeof found.code === 'string' ? found.code : found.code(facts);
};

const click = 'rmc_snippet';
const clickKept = async (): Promise<string | undefined> =>
  (await page.context().cookies()).find(({ name }) => name === '_service_click')?.value;

/** An app whose router rewrites the address as soon as it runs. */
const app = "history.replaceState(null, '', '/home');";
const show = (html: string) =>
  site.show((request, response) =>
    request.url === '/your-app.js'
      ? response.setHeader('content-type', 'text/javascript').end(app)
      : response.setHeader('content-type', 'text/html').end(html),
  );

test.each(scriptVariants.map(({ name }) => name))('the tag "%s", copied unchanged, stores the click of the URL', async (name) => {
  show(`<!doctype html><title>Store</title>${variantNamed(name)}<p>Tea</p>`);
  await page.goto(`${site.url}/?rm_click=${click}`);
  await expect.poll(clickKept).toBe(click);
});

test.each(['With consent', 'Tag manager'])(
  'of the tag "%s" the first part alone keeps nothing; the second may run before or after it',
  async (name) => {
    const [tag = '', grant = ''] = variantNamed(name).split('\n\n');
    expect(grant).toContain('grantConsent');
    show(`<!doctype html><title>Store</title>${tag}<p>Tea</p>`);
    await page.goto(`${site.url}/?rm_click=${click}`, { waitUntil: 'networkidle' });
    expect(await clickKept()).toBeUndefined();
    // As a tag manager inserts it: a script that is parsed so is run.
    await page.evaluate(`document.head.append(document.createRange().createContextualFragment(${JSON.stringify(grant)})), 0`);
    await expect.poll(clickKept).toBe(click);
  },
);

/** A checkout that takes whatever comes, and what came. */
function showCheckout(html: string): Promise<string> {
  return new Promise((resolve) => {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.method !== 'POST') return void response.setHeader('content-type', 'text/html').end(html);
      const body = await text(request);
      response.end('thank you');
      resolve(body);
    };
    site.show((request, response) => void answer(request, response));
  });
}

test.each([click, null])('"In the form" sends the click along, or nothing where there is none (%s)', async (given) => {
  const form = variantNamed('In the form').replace('…', '<button>Pay</button>');
  const response = showCheckout(`<!doctype html><title>Store</title>${variantNamed('Plain')}${form}`);
  await page.goto(given === null ? site.url : `${site.url}/?rm_click=${given}`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Pay' }).click();
  expect(new URLSearchParams(await response).get('click_id')).toBe(given ?? '');
});

test.each([click, null])('"With fetch" sends the click along, or null where there is none (%s)', async (given) => {
  const pay = `<script type="module">const cart = { item: 'tea' };\n${variantNamed('With fetch')}</script>`;
  const response = showCheckout(`<!doctype html><title>Store</title>${variantNamed('Plain')}${pay}`);
  await page.goto(given === null ? site.url : `${site.url}/?rm_click=${given}`);
  expect(JSON.parse(await response)).toEqual({ item: 'tea', click_id: given });
});

test('"On the server" keeps the click of the cookie beside the order, in the column that it makes', async () => {
  const [statement = '', program = ''] = variantNamed('On the server').split(';\n\n');
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  const around = `
let route;
const app = { post: (path, handler) => (route = handler) };
const placeOrder = async (order) => console.log(JSON.stringify(order));
${program}
await route({ body: { item: 'tea' }, cookies: { _service_click: '${click}' } }, {});
await route({ body: { item: 'tea' }, cookies: {} }, {});`;
  await writeFile(join(folder, 'checkout.mjs'), around);
  const { stdout } = await promisify(execFile)(execPath, [join(folder, 'checkout.mjs')]);
  await rm(folder, { recursive: true });
  const placed = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(placed).toEqual([
    { item: 'tea', clickId: click },
    { item: 'tea', clickId: null },
  ]);
  const client = new pg.Client({ connectionString: merchant.service.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create temporary table orders (order_id text)');
  await client.query(statement);
  await client.query('insert into orders (order_id, click_id) values ($1, $2)', ['1', 'c'.repeat(200)]);
});

test('this file runs every snippet of the page for a store’s own pages and server', () => {
  expect(clickVariants.map(({ name }) => name)).toEqual(['In the form', 'With fetch', 'On the server']);
  expect(scriptVariants.length).toBeGreaterThan(3);
});

import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';
import { pathsOfRoutes } from '../support/web-routes.ts';
import { createSilentEndpoint } from '../support/webhook-receiver.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
await reviewerOf(merchant).sale();
const endpoint = (await createSilentEndpoint(merchant)).id;
await merchant.database.run(sql`update store_roles set role = 'viewer' where store_id = ${merchant.storeId}`);
const viewer = await dashboard.visitor();
await viewer.signIn(merchant.world.logins.merchant);

/** Controls that only show, filter, copy or save. Any other button must be hidden from viewers. */
const harmless = [
  /^Compare version/,
  /^(Export .*|CSV|PDF|Copy .*|Next|Previous|First|Show more|Clear filters|View|Watch live|Try again)$/,
  /^(7 days|30 days|90 days|Month to date|12 months|Previous period|Previous year|Revenue|Commissions|Conversion funnel|View as table)$/,
  /^(Creator|Program|Link|Sub-ID|Referrer)$/,
  /^(curl|Node|Python|PHP|Ruby|Go|Plain|With consent|Tag manager|Single-page app|Pinned|In the form|With fetch|On the server)$/,
  /^(Refund|Partial refund|Lead|Validate|Add product|Simulate order)$/,
  /^(Subscription begins|Invoice|Invoice refunded|Part of an invoice refunded|Subscription ends)$/,
  // The steps of the integration, each of which opens its part of the page.
  /^\d?(Create a postback key|Capture the click|Send a test order|Report refunds and subscriptions|Go live)(Done|To do)?/,
  /^Continue: /,
];
/** Names in a row that open or filter: an order, a creator, a reason. */
const named = /^(order \d+ of |Cora Creator|Friends of the shop|Per product|\d+ ?[a-z_]+)/;

const storePages = pathsOfRoutes().filter((path) => path.startsWith('/stores/$store'));

test.each(storePages)('%s shows no action to a viewer of the store', async (path) => {
  const { page } = viewer;
  const { store, program } = merchant.world;
  await viewer.open(path.replace('$store', store.id).replace('$program', program.id).replace('$endpoint', endpoint));
  // A status chip only explains itself, and a header only sorts.
  const buttons = page.locator('main button:not([data-tone], th[aria-sort] button)');
  const shown = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  const refused = shown.filter((name) => ![...harmless, named].some((rule) => rule.test(name?.trim() ?? '')));
  expect(refused).toEqual([]);
});

test('no link leads to a form that the role does not allow', async () => {
  const { page } = viewer;
  const { store } = merchant.world;
  for (const path of [`/stores/${store.id}`, `/stores/${store.id}/programs`]) {
    await viewer.open(path);
    expect([path, await page.locator('main a[href$="/new-program"]').count()]).toEqual([path, 0]);
  }
  const empty = await page.evaluate<string>(`fetch('/api/v1/stores', {
    method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: '{"name":"No Program","site_url":"https://none.example"}',
  }).then((answer) => answer.json()).then(({ id }) => id)`);
  const id = readPublicId('store', empty);
  invariant(id, 'a store was made');
  await merchant.database.run(sql`update store_roles set role = 'viewer' where store_id = ${id}`);
  for (const path of [`/stores/${empty}`, `/stores/${empty}/programs`]) {
    await viewer.open(path);
    expect([path, await page.locator('main a[href$="/new-program"]').count()]).toEqual([path, 0]);
  }
  await page.getByText('No programs yet').waitFor();
});

test('a viewer sees Integration checks, but no full key and no action, and the service rejects changes', async () => {
  const { page } = viewer;
  await viewer.open(`/stores/${merchant.world.store.id}/integration`);
  await page.getByText('You can view this page and validate postbacks.').waitFor();
  await page.getByText('of 6 integration checks passed').waitFor();
  expect(await page.locator('main').getByRole('link', { name: 'Create key' }).count()).toBe(0);
  expect(await page.locator('main').innerText()).not.toContain(merchant.world.store.postback_key);
  const store = `/api/v1/stores/${merchant.world.store.id}`;
  const script = `fetch('${store}/postback-keys').then((answer) => answer.json())`;
  const { data } = await page.evaluate<{ readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> }>(script);
  expect(data.length).toBeGreaterThan(0);
  for (const key of data) expect(key).not.toHaveProperty('key');
  const asks: ReadonlyArray<readonly [method: string, path: string]> = [
    ['POST', '/postback-keys'],
    ['DELETE', `/postback-keys/${String(data[0]?.['id'])}`],
    ['POST', '/test-links'],
    ['POST', '/integration/check-page'],
    ['POST', '/integration/disable'],
    ['POST', '/integration/enable'],
  ];
  for (const [method, path] of asks) {
    const options = JSON.stringify({ method, headers: { 'content-type': 'application/json' }, ...(method === 'POST' && { body: '{}' }) });
    const asking = `fetch('${store}${path}', ${options}).then(async (answer) => [answer.status, (await answer.json()).reason])`;
    expect(await page.evaluate(asking), `${method} ${path}`).toEqual([403, 'permission_missing']);
  }
  expect((await merchant.api('GET', `/stores/${merchant.world.store.id}`)).json.integration).toBe('enabled');
  expect((await merchant.api('GET', `/stores/${merchant.world.store.id}/postback-keys`)).json.data).toHaveLength(data.length);
  expect(viewer.complaints).toEqual([]);
});

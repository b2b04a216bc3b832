import { afterAll, expect, test } from 'vitest';
import { expectShown, openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';

// Pages must not mix up stores, orders or people.
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const storePath = () => `/stores/${merchant.world.store.id}`;
const button = (visitor: Visitor, name: string) => visitor.page.getByRole('button', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');

/** More than one page of the log, about orders whose numbers start with the number of the order under test. */
const newerOrders = 120;

test('the timeline of an order shows its own postbacks, however many newer orders start with its number', async () => {
  const { commissionId } = await reviewerOf(merchant).sale({ order_id: '12' });
  for (let number = 0; number < newerOrders; number++) await merchant.reverse({ order_id: `12${number}` });
  await mara.open(`${storePath()}/conversions?open=${commissionId}`);
  await expectShown(dialog().getByText('Timeline'));
  await mara.settled();
  await expectShown(dialog().getByRole('link', { name: 'recorded', exact: true }));
  expect(await dialog().getByRole('link', { name: 'unknown_order' }).count()).toBe(0);
  expect(await dialog().getByText('Older postbacks').count()).toBe(0);
});

test('another store’s page shows no totals of the previous store, even while its own load', async () => {
  const body = JSON.stringify({ name: 'Second Store', site_url: 'https://second.example' });
  const { json } = await mara.page.evaluate<{ readonly json: { readonly id: string } }>(`fetch('/api/v1/stores', {
    method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }, body: '${body}',
  }).then(async (answer) => ({ json: await answer.json() }))`);
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await mara.page.route(`**/stores/${json.id}/overview**`, async (route) => {
    await held;
    await route.continue();
  });
  const revenue = mara.page.getByRole('term').filter({ hasText: 'Revenue from creators' });
  await mara.open(storePath());
  await expectShown(revenue);
  await mara.page.locator('#sidebar button').first().click();
  await mara.page.getByRole('menuitem', { name: 'Second Store' }).click();
  await expectShown(mara.page.getByRole('heading', { name: 'Second Store', level: 1 }));
  expect(await revenue.count()).toBe(0);
  go();
  await expectShown(revenue);
});

test('the viewed account is cleared when the session ends, and at each sign-in', async () => {
  const olive = await dashboard.visitor();
  const looks = `sessionStorage.setItem('tributary.viewing', '${JSON.stringify({ is: 'store', id: merchant.world.store.id, name: 'Shop' })}')`;
  const remembered = () => olive.page.evaluate(`sessionStorage.getItem('tributary.viewing')`);
  const viewing = olive.page.getByRole('region', { name: 'Viewing', exact: true });
  await olive.signIn(merchant.world.logins.operator);
  await olive.page.evaluate(looks);
  await olive.open(storePath());
  await expectShown(viewing);

  await olive.context.clearCookies();
  await olive.open(storePath());
  await expectShown(button(olive, 'Sign in'));
  expect(await remembered()).toBeNull();

  await olive.page.evaluate(looks);
  await olive.signIn(merchant.world.logins.operator);
  await expectShown(olive.page.getByRole('link', { name: 'Billing runs' }));
  expect([await remembered(), await viewing.count()]).toEqual([null, 0]);
  expect(olive.complaints).toEqual([]);
});

/** One more than a page of a list holds. */
const manyStores = 51;

test('a person with more stores than a page holds gets a link to the rest', async () => {
  const olive = await dashboard.visitor();
  await olive.signIn(merchant.world.logins.operator);
  for (let number = 0; number < manyStores; number++)
    expect((await merchant.api('POST', '/stores', { name: `Store ${number}`, site_url: 'https://many.example' })).status).toBe(201);
  await olive.open('/stores');
  const rows = olive.page.getByRole('table', { name: 'My stores' }).getByRole('row');
  const [heading, ...firstPage] = await rows.allInnerTexts();
  await button(olive, 'Next').click();
  await expect.poll(async () => (await rows.allInnerTexts()).some((row) => row !== heading && firstPage.includes(row))).toBe(false);
  await button(olive, 'Previous').click();
  await expect.poll(() => rows.allInnerTexts()).toEqual([heading, ...firstPage]);
  expect(olive.complaints).toEqual([]);
});

test('no page logs an error', () => {
  expect(mara.complaints).toEqual([]);
});

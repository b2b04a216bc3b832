import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { expectShown, openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import type { Json } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const { sale, act } = reviewerOf(merchant);
const early = [await sale({ order_subtotal_cents: 120_000 }), await sale({ order_subtotal_cents: 30_050 })];
await act('approve', { ids: early.map(({ commissionId }) => commissionId) });
// At noon, because the page and the test compute the last days separately.
await merchant.moveClock('40d');
await merchant.moveToNoon();
const late = [await sale({ order_subtotal_cents: 20_000 }), await sale({ order_subtotal_cents: 5_000 })];
await act('hold', { ids: late.slice(1).map(({ commissionId }) => commissionId) });
await merchant.convert(await merchant.order({ click_id: null }));
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const storePath = () => `/stores/${merchant.world.store.id}`;
const read = async (query: string): Promise<Json> => (await merchant.api('GET', `${storePath()}/overview${query}`)).json;
const usd = (cents: number): string => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const section = (name: string) => mara.page.getByRole('region', { name, exact: true });

const metrics = () => mara.page.getByLabel('Key metrics').locator('> div');

async function stats(): Promise<Readonly<Record<string, string>>> {
  const pairs = await Promise.all(
    (await metrics().all()).map(async (tile) => [await textOf(tile.locator('dt')), await textOf(tile.locator('dd').first())]),
  );
  return Object.fromEntries(pairs);
}
const detailOf = (name: string) => metrics().filter({ hasText: name }).locator('dd').nth(1);
const textOf = async (part: Locator): Promise<string> => (await part.innerText()).replaceAll(/\s+/g, ' ').trim();
const textsOf = async (parts: Locator): Promise<readonly string[]> => Promise.all((await parts.all()).map(textOf));

test.each(['30', '365', '7'])(
  'the metrics of the last %s days on the page match the API, and the next charge matches billing',
  async (days) => {
    const { totals, owed_cents: owed } = await read(`?days=${days}`);
    const { json: ranking } = await merchant.api('GET', `${storePath()}/breakdown?by=creator&days=${days}`);
    const { json: billing } = await merchant.api('GET', `${storePath()}/billing`);
    await mara.open(`${storePath()}?last=${days}d`);
    await expect.poll(stats).toEqual({
      'Revenue from creators': `${usd(totals.revenue_cents)} USD`,
      Commissions: `${usd(totals.earned_cents)} USD`,
      'Owed to creators': `${usd(owed)} USD`,
      Clicks: String(totals.clicks),
      Orders: String(totals.orders),
      'Conversion rate': `${(totals.orders * 100) / totals.clicks}%`,
    });
    await expectShown(detailOf('Revenue from creators').getByText(`${usd(totals.refunded_cents)} USD refunded`));
    const nextCharge = billing.total_cents === 0 ? 'No charge due yet' : `${usd(billing.total_cents)} USD`;
    await expectShown(detailOf('Owed to creators').getByRole('link', { name: nextCharge }));
    await expect.poll(() => metrics().locator('[data-sparkline]').count()).toBe(6);
    const steps = async () => (await textsOf(section('Funnel').locator('li strong'))).map(Number);
    await expect.poll(steps).toEqual([totals.clicks, totals.orders, totals.approved, totals.paid]);
    const row = section('Revenue by source').getByRole('row').nth(1).getByRole('cell');
    const [creator] = ranking.rows;
    await expect
      .poll(() => textsOf(row))
      .toEqual([creator.name, creator.clicks, creator.orders, usd(creator.revenue_cents), usd(creator.earned_cents)].map(String));
  },
);

test('the table of the chart has every day with events, and adds up to the totals', async () => {
  const { totals, days } = await read('?days=90');
  await mara.open(`${storePath()}?last=90d`);
  await mara.page.getByText('View as table').click();
  const rows = section('Daily activity').getByRole('row');
  await expectShown(rows.nth(1));
  await expect.poll(() => rows.count()).toBe(days.length + 1);
  const cells = await Promise.all((await rows.all()).slice(1).map((row) => textsOf(row.getByRole('cell'))));
  expect(days.length).toBeGreaterThan(1);
  expect(cells.reduce((sum, [, , orders]) => sum + Number(orders), 0)).toBe(totals.orders);
  const name = await section('Daily activity').getByRole('img').getAttribute('aria-label');
  expect(name).toContain(`${usd(totals.revenue_cents)} USD in total`);
});

test('a date range is chosen by a preset or two days, is in the URL, and a link shows it again', async () => {
  await mara.open(storePath());
  await mara.page.getByText('90 days', { exact: true }).click();
  await mara.page.waitForURL(/last=90d/);
  const { from, to } = await read('?days=90');
  await expectShown(mara.page.locator(`input[type=date][value="${from}"]`));
  await mara.page.getByLabel('From, in UTC').fill(to);
  await mara.page.waitForURL((address) => address.searchParams.get('from') === to && address.searchParams.get('to') === to);
  await mara.settled();
  const own = await read(`?from=${to}&to=${to}`);
  await expect.poll(async () => (await stats())['Revenue from creators']).toBe(`${usd(own.totals.revenue_cents)} USD`);
  await mara.page.getByText('Conversion funnel', { exact: true }).click();
  await mara.page.waitForURL(/chart=/);
  const address = mara.page.url();
  await mara.page.goto(address);
  await expectShown(section('Daily activity').getByText('Approved', { exact: true }));
  // This day has clicks and orders but no approvals or payouts, which the page says in text.
  await expect.poll(() => section('Daily activity').getByRole('img').count()).toBe(2);
  await expectShown(section('Daily activity').getByText('Approved: no activity in this period.'));
  await expectShown(section('Daily activity').getByText('Paid: no activity in this period.'));
});

test('each metric is compared with the period before in percent and as an amount, and not with days before the store existed', async () => {
  // Days 37 to 44 ago have the two early orders of 150,050 cents; the 8 days up to today have the late ones of 25,000 cents.
  const day = (daysAgo: number) => merchant.at(-daysAgo * 86_400_000).slice(0, 10);
  await mara.open(`${storePath()}?from=${day(39)}&to=${day(0)}`);
  await expectShown(detailOf('Revenue from creators').getByText('No full earlier period'));
  await mara.open(`${storePath()}?from=${day(19)}&to=${day(0)}`);
  await expectShown(detailOf('Revenue from creators').getByText('+250.00 USD, from zero'));
  await expectShown(mara.page.getByText(/^Compared with /));
  await mara.page.getByRole('button', { name: 'Previous year' }).click();
  await mara.page.waitForURL(/compare=year/);
  await expectShown(detailOf('Clicks').getByText('No full earlier period'));
  await mara.page.getByRole('button', { name: 'Month to date' }).click();
  await mara.page.waitForURL(/last=mtd/);
  await expectShown(mara.page.locator(`input[type=date][value="${day(0).slice(0, 8)}01"]`));
});

test('diagnostics are one line while orders at most come too late, and open with the failures otherwise', async () => {
  await mara.open(storePath());
  await expectShown(section('Diagnostics').getByText('None yet').or(section('Diagnostics').getByText('Last request')).first());
  expect(await section('Diagnostics').locator('summary').count()).toBe(0);
  await mara.page.route('**/overview?**', async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    await route.fulfill({
      json: { ...json, tracking: { ...json.tracking, refused: [{ reason: 'attribution_window_expired', count: 4 }] } },
    });
  });
  await mara.open(storePath());
  const line = section('Diagnostics').locator('summary');
  await expectShown(line.getByText('Tracking, integration, and webhooks are working'));
  await mara.page.unroute('**/overview?**');
  expect(await section('Diagnostics').getByRole('link', { name: 'No endpoints' }).isVisible()).toBe(false);
  await line.click();
  await expectShown(section('Diagnostics').getByRole('link', { name: 'No endpoints' }));
});

test('revenue is broken down by source, its rows add up to the totals, and the choice is in the URL', async () => {
  const { totals } = await read('?days=30');
  const source = section('Revenue by source');
  for (const [label, by] of [
    ['Program', 'program'],
    ['Link', 'link'],
    ['Sub-ID', 'sub_id'],
    ['Referrer', 'referrer_host'],
  ] as const) {
    await mara.open(storePath());
    await source.getByRole('button', { name: label, exact: true }).click();
    await mara.page.waitForURL(new RegExp(`by=${by}`));
    await expectShown(source.getByRole('columnheader', { name: label, exact: true }));
    await mara.settled();
    const cells = await Promise.all((await source.getByRole('row').all()).slice(1).map((row) => textsOf(row.getByRole('cell'))));
    const revenue = cells.map((row) => Number(row[3]?.replaceAll(',', '')) * 100);
    expect(revenue.at(-1)).toBe(totals.revenue_cents);
    expect(revenue.slice(0, -1).reduce((sum, cents) => sum + cents, 0)).toBe(totals.revenue_cents);
  }
  await mara.open(`${storePath()}?by=sub_id&last=365d`);
  await expectShown(source.getByText('Sub-IDs and referrers are available for up to 92 days.'));
});

/** Downloads by a button, and returns the name and the content of the file. */
async function downloaded(name: string): Promise<{ readonly name: string; readonly content: Buffer }> {
  const [file] = await Promise.all([mara.page.waitForEvent('download'), mara.page.getByRole('button', { name, exact: true }).click()]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

test.each(['Daily activity', 'Revenue by source'])('the chart “%s” is downloaded as a picture that is not blank', async (title) => {
  await mara.open(storePath());
  await mara.settled();
  const { name, content } = await downloaded(`Export ${title} as PNG`);
  expect(name).toMatch(/^revenue-(by-creator-)?\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.png$/);
  expect(content.subarray(1, 4).toString()).toBe('PNG');
  expect(content.readUInt32BE(16)).toBe(1_920);
  expect(content.length).toBeGreaterThan(10_000);
});

test('the days of the chart are downloaded as CSV, with every day of the period and the sums of the page', async () => {
  const { totals, from, to } = await read('?days=30');
  await mara.open(storePath());
  const { name, content } = await downloaded('Export Daily activity as CSV');
  expect(name).toBe(`daily-${from}-${to}.csv`);
  const [titles, ...lines] = content.toString().trimEnd().split('\r\n');
  expect(titles).toBe('day,clicks,orders,revenue_cents,earned_cents,refunded_cents,approved,paid');
  expect(lines).toHaveLength(30);
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[3]), 0)).toBe(totals.revenue_cents);
  const ranking = await downloaded('Export Revenue by source as CSV');
  expect(ranking.content.toString()).toContain('Cora Creator');
});

/** How much of the chart is colored and how bright it is; null when it was not drawn. */
const inked = async ({ page }: Visitor): Promise<{ readonly count: number; readonly brightness: number }> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    if (canvas === null || canvas.width === 0) return { count: 0, brightness: 0 };
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let [count, sum] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 255 || data[at + 2] - data[at] < 60) continue;
      count += 1;
      sum += data[at] + data[at + 1] + data[at + 2];
    }
    return { count, brightness: sum / Math.max(1, count) };
  })()`);

test('the chart is drawn in both color schemes, and redrawn when the scheme changes', async () => {
  await mara.open(`${storePath()}?last=7d`);
  await expect.poll(async () => (await inked(mara)).count).toBeGreaterThan(100);
  const light = await inked(mara);
  await mara.page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await inked(mara)).brightness).toBeGreaterThan(light.brightness + 100);
  expect(await axeViolations(mara)).toEqual([]);
  await mara.page.emulateMedia({ colorScheme: 'light' });
});

test('each open task links to exactly its list', async () => {
  await mara.open(storePath());
  await section('Needs your attention').getByRole('link', { name: '1 conversion to review' }).click();
  await expectShown(mara.page.getByText('1 conversion', { exact: true }));
  await mara.page.waitForURL(/state=pending&held=.*false/);
  await mara.open(storePath());
  await section('Needs your attention').getByRole('link', { name: '1 conversion on hold' }).click();
  await expectShown(mara.page.getByRole('button', { name: 'On hold', exact: true }).first());
});

test('a reason for failed postbacks shows advice and links to its lines in the log', async () => {
  await mara.open(storePath());
  const refused = section('Failed in the last 7 days');
  await expectShown(refused.getByText('If the visit came from a creator'));
  await refused.getByRole('link', { name: 'missing_referral_click' }).click();
  await mara.page.waitForURL(/tracking-log\?reason=missing_referral_click/);
  await expectShown(mara.page.getByRole('row').nth(1));
});

test('the link in the auto-approval email shows the open commissions', async () => {
  await mara.open(`${storePath()}/conversions?state=pending`);
  await expect.poll(() => mara.page.getByLabel('Status').inputValue()).toBe('pending');
  await expectShown(mara.page.getByText('2 conversions', { exact: true }));
});

test('the home page with totals has no serious accessibility violation at 360 pixels, and nothing overflows the screen', async () => {
  const small = await dashboard.visitor({ scheme: 'dark', width: 360 });
  await small.signIn(merchant.world.logins.merchant);
  await small.open(`${storePath()}?last=90d&chart=funnel`);
  await small.page.getByText('View as table').click();
  expect(await axeViolations(small)).toEqual([]);
  expect(await small.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect([...small.complaints, ...mara.complaints]).toEqual([]);
  await small.context.close();
});

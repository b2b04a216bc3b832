import { afterAll, expect, test } from 'vitest';
import { sendMessages } from '../../src/outreach/send-messages.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { signIn } from '../support/portal.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

const body = [
  'It **starts** on *Monday*: [our rules](https://shop.example/rules).',
  '- [first](javascript:alert(1))\n- <img src=x onerror=alert(2)>',
  '[**bold**](https://a.example/"onclick="x)',
].join('\n\n');

test('a creator opens a message from its notification, formatted, with the host of each link and no code of its author', async () => {
  const owner = await signIn(dashboard.service, merchant.world.logins.merchant);
  const path = `/stores/${merchant.world.store.id}/creator-messages`;
  expect((await owner('POST', path, { subject: 'Spring sale', body })).status).toBe(201);
  await sendMessages(dashboard.service.platform);
  const cora = await dashboard.visitor({ width: 390 });
  await cora.signIn(merchant.world.logins.creator);
  await cora.open('/notifications');
  await cora.page.getByRole('link', { name: /^Spring sale/ }).click();
  await cora.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await cora.settled();
  const row = cora.page.getByRole('row').filter({ hasText: 'Spring sale' });
  expect(await row.locator('strong').allTextContents()).toEqual(['Spring sale', 'starts', 'bold']);
  expect(await row.locator('em').allTextContents()).toEqual(['Monday']);
  expect(await row.locator('li').allTextContents()).toEqual(['[first](javascript:alert(1))', '<img src=x onerror=alert(2)>']);
  const links = row.locator('a');
  expect(await links.evaluateAll((found) => found.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]))).toEqual([
    ['https://shop.example/rules', 'noopener noreferrer'],
    ['https://a.example/%22onclick=%22x', 'noopener noreferrer'],
  ]);
  expect(await row.innerText()).toContain('our rules (shop.example)');
  expect(await row.locator('img').count()).toBe(0);
  expect(await axeViolations(cora)).toEqual([]);
  expect(cora.complaints).toEqual([]);
});

import { afterAll, expect, test, vi } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { emailsTo, password } from '../support/portal.ts';

vi.setConfig({ testTimeout: 180_000 });

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

/** One transparent pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('a merchant writes the page with a preview, and sets its logo', async () => {
  const { store, program } = merchant.world;
  await mara.open(`/stores/${store.id}/programs/${program.id}/settings`);
  const region = mara.page.getByRole('region', { name: 'Public page' });
  await region.getByLabel('Description').fill('We make **boots**.');
  await region.getByLabel('Accent color').fill('#ffd400');
  await region.getByRole('button', { name: 'Add question and answer' }).click();
  await region.getByLabel('Question text').fill('How do I get samples?');
  await region.getByLabel('Answer text').fill('Write to us after you join.');
  const preview = region.getByRole('region', { name: 'Preview' });
  await preview.getByText('boots', { exact: true }).waitFor();
  await preview.getByText('How do I get samples?').waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await region.getByRole('button', { name: 'Save page' }).click();
  await mara.page.getByText('Page saved.').waitFor();

  await region.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await region.getByRole('button', { name: 'Upload logo' }).click();
  await region.getByAltText('Current logo').waitFor();
  await region
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await region.getByRole('button', { name: 'Upload logo' }).click();
  await region.getByText('Must be a PNG, JPEG, or WebP image').waitFor();
  expect(mara.complaints).toEqual([]);
});

test.each([
  [360, 'light'],
  [390, 'dark'],
  [1440, 'light'],
] as const)('the page at %i pixels in %s colors is readable without signing in', async (width, scheme) => {
  const visitor = await dashboard.visitor({ width, scheme, locale: 'de' });
  await visitor.page.goto(`/p/${merchant.world.program.id}`);
  await visitor.page.getByRole('heading', { name: 'Verdienstbeispiel' }).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  expect(await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(await visitor.page.evaluate('getComputedStyle(document.querySelector("header")).backgroundColor')).toBe('rgb(255, 212, 0)');
  expect(visitor.complaints).toEqual([]);
});

test('a visitor applies: from the page to a new account and back, with the typed answers', async () => {
  const { store, program } = merchant.world;
  const questions = [
    { label: 'Where do you publish?', type: 'url', required: true, choices: [] },
    { label: 'Channel', type: 'choice', required: false, choices: ['Blog', 'Video'] },
  ];
  await merchant.api('PUT', `/stores/${store.id}/programs/${program.id}/questions`, { questions });
  const visitor = await dashboard.visitor({ width: 390 });
  const { page } = visitor;
  await page.goto(`/p/${program.id}`);
  await page.getByRole('link', { name: 'Apply to this program' }).first().click();
  await page.getByLabel('Where do you publish?').fill('https://nora.example/videos');
  await page.getByLabel('Channel').selectOption('Video');
  expect(await axeViolations(visitor)).toEqual([]);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Email').fill('nora@visitors.example');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: /Check your email|Email not sent/ }).waitFor();
  const text = (await emailsTo(dashboard.service, 'nora@visitors.example')).map((email) => email.text).join('\n');
  const [, link = ''] = /https?:\/\/[^/\s]+(\/link\S+)/.exec(text) ?? [];
  await visitor.open(link);
  await page.getByLabel('Your name').fill('Nora Newcomer');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL((address) => address.pathname === `/programs/${program.id}`);
  expect(await page.getByLabel('Where do you publish?').inputValue()).toBe('https://nora.example/videos');
  expect(await page.getByLabel('Channel').inputValue()).toBe('Video');
  await page.getByRole('button', { name: /apply$/i }).click();
  await page.getByRole('region', { name: 'Your membership' }).waitFor();
  expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("application "))')).toEqual([]);
  const members = await merchant.api('GET', `/stores/${store.id}/creators?status=applied`);
  expect(JSON.stringify(members.json.data)).toContain('https://nora.example/videos');
  expect(visitor.complaints).toEqual([]);
});

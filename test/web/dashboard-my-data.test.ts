import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());

test('a person exports their data, erases their account, and cannot sign in anymore', async () => {
  const { logins } = await dashboard.service.seed();
  const { page, open, signIn, complaints } = await dashboard.visitor();
  await signIn(logins.creator);
  await open('/account');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download data' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('what-is-kept-about-me.json');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ person: { users: [{ email: logins.creator.email }] } });

  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByText('You can’t restore').waitFor();
  await page.getByRole('button', { name: 'Delete account permanently' }).click();
  await page.waitForURL((address) => address.pathname === '/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(logins.creator.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(logins.creator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(complaints).toEqual([]);
});

test('the only owner of a store cannot erase their account, and the page says why', async () => {
  const { logins } = await dashboard.service.seed();
  const { page, open, signIn } = await dashboard.visitor({ width: 360 });
  await signIn(logins.merchant);
  await open('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Delete account permanently' }).click();
  await page.getByRole('dialog').getByText('One store has no other owner').waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
});

import { afterAll, expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const world = await dashboard.service.seed();
const mara = await dashboard.visitor();
await mara.signIn(world.logins.merchant);

const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const field = (name: string) => mara.page.getByRole('textbox', { name, exact: true });
const programPath = () => `/stores/${world.store.id}/programs/${world.program.id}`;

/** What a screen reader says of the focused field besides its name and value. */
const announced = () =>
  mara.page.evaluate<string>(`
    const field = document.activeElement;
    const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
    [field.getAttribute('aria-invalid') === 'true' ? 'invalid' : 'valid', field.name, ...ids.map((id) => document.getElementById(id)?.innerText)].join(' ')`);

test('a field error of the service is shown at its field, announced with it, and removed by a correction', async () => {
  await mara.open(`${programPath()}/settings`);
  const valid = await field('Landing page').inputValue();
  await field('Landing page').fill('https://mara@elsewhere.example/tea');
  await button('Save').click();
  await mara.page.getByText('Must not contain a user name or password.').waitFor();
  await expect.poll(announced).toMatch(/^invalid landing_url .*Must not contain a user name or password\./);
  expect(await mara.page.locator('main').getByRole('alert').count()).toBe(0);

  await field('Landing page').fill(valid);
  await expect.poll(announced).toMatch(/^valid landing_url/);
});

test('a required field without a value gets an error and the focus, and nothing is sent', async () => {
  const sent: string[] = [];
  mara.page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await mara.open(`${programPath()}/settings`);
  await field('Name').fill('');
  await button('Save').click();
  await mara.page.getByText('This field is required.').waitFor();
  await expect.poll(announced).toMatch(/^invalid name .*This field is required\./);
  expect(sent).toEqual([]);
});

test('leaving a long form asks first when it has changes, and only then', async () => {
  const leave = mara.page.getByRole('dialog', { name: 'Leave without saving?' });
  const terms = `${programPath()}/new-terms`;
  await mara.open(terms);
  await button('Add subscription rule').first().click();
  await mara.page.getByRole('link', { name: 'Conversions' }).first().click();
  await leave.getByRole('button', { name: 'Stay on page' }).click();
  await leave.waitFor({ state: 'detached' });
  expect(new URL(mara.page.url()).pathname).toBe(terms);
  await mara.page.getByRole('link', { name: 'Conversions' }).first().click();
  await leave.getByRole('button', { name: 'Leave page' }).click();
  await mara.page.waitForURL((url) => url.pathname.endsWith('/conversions'));

  await mara.open(terms);
  await mara.page.getByRole('link', { name: 'Conversions' }).first().click();
  await mara.page.waitForURL((url) => url.pathname.endsWith('/conversions'));
  expect(await leave.count()).toBe(0);
});

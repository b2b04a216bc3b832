import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { hourMs } from '../../src/core/time.ts';
import { expectShown, openDashboard, type Visitor } from '../support/dashboard.ts';
import { movedBy } from '../support/rows.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const world = await dashboard.service.seed();

const button = (visitor: Visitor, name: string) => visitor.page.getByRole('button', { name, exact: true });
const stepSeconds = 30;

test('a second factor is set up with a QR code or text, and then required; a recovery code works once', async () => {
  const cora = await dashboard.visitor();
  await cora.signIn(world.logins.creator);
  await cora.open('/account');
  await button(cora, 'Set up').click();
  await expectShown(cora.page.getByRole('img', { name: /QR code/ }));
  await cora.page.getByText('Can’t scan the code?').click();
  const secret = (await cora.page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
  await cora.page.getByLabel('Code', { exact: true }).fill(await generate({ secret }));
  await button(cora, 'Turn on').click();
  const codes = cora.page.getByRole('dialog').getByRole('listitem');
  const recoveryCode = await codes.first().innerText();
  const otherCode = await codes.last().innerText();
  await button(cora, 'I’ve stored them').click();
  await expectShown(cora.page.getByText('You have 10 unused recovery codes'));

  const phone = await dashboard.visitor({ width: 360 });
  await phone.open('/sign-in');
  await phone.page.getByLabel('Email').fill(world.logins.creator.email);
  await phone.page.getByRole('textbox', { name: 'Password' }).fill(world.logins.creator.password);
  await button(phone, 'Sign in').click();
  await phone.page.getByLabel('Code', { exact: true }).fill('000000');
  await button(phone, 'Sign in').click();
  await expectShown(phone.page.getByText('The code is wrong'));
  const nextCode = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + stepSeconds });
  await phone.page.getByLabel('Code', { exact: true }).fill(nextCode);
  await button(phone, 'Sign in').click();
  await expectShown(phone.page.getByRole('heading', { name: 'Hello, Cora Creator' }));

  await phone.context.clearCookies();
  await phone.open('/sign-in');
  await phone.page.getByLabel('Email').fill(world.logins.creator.email);
  await phone.page.getByRole('textbox', { name: 'Password' }).fill(world.logins.creator.password);
  await button(phone, 'Sign in').click();
  await phone.page.getByLabel('Code', { exact: true }).fill(recoveryCode);
  await button(phone, 'Sign in').click();
  await expectShown(phone.page.getByRole('heading', { name: 'Hello, Cora Creator' }));

  // A person who lost the phone must be able to make sensitive changes too, such as setting up a new one.
  await dashboard.service.platform.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, -hourMs)}`);
  await phone.open('/account');
  await button(phone, 'Turn off').click();
  await phone.page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  const proof = phone.page.getByRole('dialog', { name: 'Confirm your password' });
  await expectShown(proof.getByText('Enter the code from your authenticator app, or a recovery code.'));
  await proof.getByRole('textbox', { name: 'Password' }).fill(world.logins.creator.password);
  expect(await proof.getByLabel('Authentication code').getAttribute('inputmode')).toBeNull();
  await proof.getByLabel('Authentication code').fill(otherCode);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expectShown(button(phone, 'Set up'));
  expect([...cora.complaints, ...phone.complaints]).toEqual([]);
});

test('a session that ended elsewhere leads to the sign-in page at the next action, without repeated requests', async () => {
  const here = await dashboard.visitor();
  await here.signIn(world.logins.merchant);
  const elsewhere = await dashboard.visitor();
  await elsewhere.signIn(world.logins.merchant);
  await elsewhere.open('/account');
  await elsewhere.page
    .getByRole('button', { name: /^Sign out .* on / })
    .first()
    .click();
  await button(elsewhere, 'Sign out session').click();
  await expect.poll(() => elsewhere.page.getByRole('dialog').count()).toBe(0);

  let requests = 0;
  here.page.on('request', (request) => {
    if (request.url().includes('/api/')) requests += 1;
  });
  await here.page.getByRole('link', { name: 'My account' }).click();
  await expectShown(here.page.getByRole('heading', { name: 'Sign in' }));
  await here.page.waitForLoadState('networkidle');
  expect(requests).toBeLessThan(10);
});

test('a store is created with the keyboard alone', async () => {
  const mara = await dashboard.visitor();
  const { keyboard } = mara.page;
  await mara.open('/sign-in');
  await mara.focused('name === "email"');
  await keyboard.type(world.logins.merchant.email);
  await keyboard.press('Tab');
  await keyboard.type(world.logins.merchant.password);
  await keyboard.press('Enter');
  await expectShown(mara.page.getByRole('heading', { name: 'My stores' }));
  await mara.settled();
  await mara.focused('tagName === "H1"');
  await tabTo(mara, 'Create store');
  await keyboard.press('Enter');
  await expectShown(mara.page.getByRole('heading', { name: 'Create store' }));
  await mara.focused('name === "name"');
  await keyboard.type('Keyboard Teas');
  await keyboard.press('Tab');
  await keyboard.type('https://teas.example');
  await keyboard.press('Enter');
  await expectShown(mara.page.getByRole('heading', { name: 'Keyboard Teas' }));
  await mara.focused('tagName === "H1"');
});

const tabsMax = 40;

/** Presses Tab until the element with this name has the focus. */
async function tabTo({ page }: Visitor, name: string): Promise<void> {
  for (let presses = 0; presses < tabsMax; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === name) return;
  }
  throw new Error(`"${name}" was not reached with the Tab key`);
}

test.each(['America/New_York', 'Asia/Kolkata'])(
  'times stand in the zone of the viewer in %s, with UTC when pointed at',
  async (timeZone) => {
    const mara = await dashboard.visitor({ timeZone });
    await mara.signIn(world.logins.merchant);
    await mara.open(`/stores/${world.store.id}/integration`);
    await mara.page.getByRole('button', { name: 'Create a postback key' }).click();
    const time = mara.page.locator('td time').first();
    const at = (await time.getAttribute('datetime')) ?? '';
    const shape = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    expect(await time.innerText()).toBe(new Intl.DateTimeFormat('en', { ...shape, hourCycle: 'h23', timeZone }).format(new Date(at)));
    await time.hover();
    await expectShown(mara.page.getByRole('tooltip', { name: `${at.slice(0, 10)} ${at.slice(11, 19)} UTC` }));
    await mara.context.close();
  },
);

test('colors follow the system until the person chooses, and the choice applies before the first paint of the next visit', async () => {
  const mara = await dashboard.visitor({ scheme: 'light' });
  await mara.signIn(world.logins.merchant);
  const scheme = () => mara.page.evaluate('document.documentElement.getAttribute("data-color-scheme")');
  await expect.poll(scheme).toBe('light');
  await mara.page.emulateMedia({ colorScheme: 'dark' });
  await mara.page.waitForSelector('[data-color-scheme="dark"]');
  await mara.page.getByRole('button', { name: 'Mara Merchant' }).click();
  await mara.page.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect.poll(scheme).toBe('light');
  // Without the app: the attribute was set by the script in the head.
  await mara.page.route('**/assets/*.js', (route) => route.abort());
  await mara.page.goto('/stores');
  expect(await scheme()).toBe('light');
});

test('a page says when the service is away, and a retry shows it once it is back', async () => {
  const mara = await dashboard.visitor();
  await mara.signIn(world.logins.merchant);
  await mara.page.route('**/api/**', (route) => route.abort());
  await mara.page.goto('/stores');
  await expectShown(mara.page.getByText('Couldn’t reach the service.'));
  await mara.page.unroute('**/api/**');
  await button(mara, 'Try again').click();
  await expectShown(mara.page.getByRole('heading', { name: 'My stores' }));
});

test('an operator moves the sandbox clock, and sees its new time', async () => {
  const olive = await dashboard.visitor();
  await olive.signIn(world.logins.operator);
  await olive.open('/operator/clock');
  const time = olive.page.locator('main time');
  const before = Date.parse((await time.getAttribute('datetime')) ?? '');
  await button(olive, 'A week forward').click();
  await expect.poll(async () => Date.parse((await time.getAttribute('datetime')) ?? '') - before).toBeGreaterThanOrEqual(7 * 86_400_000);
  expect(olive.complaints).toEqual([]);
});

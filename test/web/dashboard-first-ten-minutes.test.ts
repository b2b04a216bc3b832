import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { expectShown, openDashboard, type Visitor } from '../support/dashboard.ts';
import { openLandingPage } from '../support/landing-page.ts';
import { freePort } from '../support/main-process.ts';
import { emailsTo } from '../support/portal.ts';
import { axeViolations } from '../support/axe-violations.ts';

// The tests of this file run in order: a developer without help, from sign-up to six passed integration checks.
const aPersonsBrowser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
let dev: Visitor;
let key = '';
let postbacksUrl = '';

const landingPage = await openLandingPage();
const port = await freePort();
// The page prints the URLs under which it is reached, as in an installation.
const address = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
const dashboard = await openDashboard({ ...address, OUTGOING_ALLOW: landingPage.hostAndPort });
await dashboard.service.seed();
dev = await dashboard.visitor({ userAgent: aPersonsBrowser });
afterAll(async () => {
  await dashboard.stop();
  await landingPage.close();
});

const button = (name: string) => dev.page.getByRole('button', { name, exact: true });
const section = (name: string) => dev.page.getByRole('region', { name, exact: true });
const expectPassedChecks = (count: number) => expectShown(section('Progress').getByText(`${count} of 6 integration checks passed`));
/** The form of a new version shows the same texts as the program's page. */
const versionSaved = () => dev.page.waitForURL((url) => !url.pathname.endsWith('/new-terms'));
const openStep = (title: string) => dev.page.getByRole('heading', { level: 2, name: title }).getByRole('button').click();

async function linkInMail(email: string): Promise<string> {
  const [mail] = await emailsTo(dashboard.service, email);
  const link = /https?:\/\/\S+\/link#\S+/.exec(mail?.text ?? '')?.[0];
  invariant(link, 'the mail has the link');
  return new URL(link).pathname + new URL(link).hash;
}

/** The merchant's storefront: a page with script tag and a checkout whose server reports the order as in the snippet. */
function runStorefront(tag: string): void {
  const html = `<!doctype html><html><head><title>Tea</title>${tag}</head><body><button onclick="
    fetch('/checkout', { method: 'POST', body: window.ServiceCapture.getClick() ?? '' })
      .then((answer) => answer.text()).then((said) => document.title = said)">Buy tea</button></body></html>`;
  landingPage.show((request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/checkout') return void response.setHeader('content-type', 'text/html').end(html);
    return void checkOut(request).then((reason) => response.end(reason));
  });
}

/** The page is shown before its deferred script has run. */
async function buyTea(shopper: Page): Promise<void> {
  await shopper.waitForFunction("'ServiceCapture' in window");
  await shopper.getByRole('button', { name: 'Buy tea' }).click();
}

async function checkOut(request: IncomingMessage): Promise<string> {
  const order = {
    order_id: 'tea-1',
    click_id: await readText(request),
    currency: 'USD',
    order_subtotal_cents: 1_000,
    occurred_at: new Date().toISOString(),
    test: true,
  };
  return (await report('conversions', order)).reason;
}

async function report(path: string, body: object): Promise<{ readonly reason: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${postbacksUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { readonly reason: string };
}

test('signing up creates an account by email, and a form creates a store', async () => {
  await dev.open('/sign-up');
  await dev.page.getByLabel('Email').fill('dev@tea.example');
  await button('Send link').click();
  await expectShown(dev.page.getByRole('heading', { name: 'Email not sent' }));
  await dev.open(await linkInMail('dev@tea.example'));
  await dev.page.getByLabel('Your name').fill('Dev Eloper');
  await dev.page.getByRole('textbox', { name: 'Password' }).fill('leaves in hot water');
  await button('Create account').click();
  await dev.page.waitForURL((url) => url.pathname !== '/link');
  await dev.settled();
  await dev.open('/new-store');
  await dev.page.getByLabel('Name').fill('Tea');
  await dev.page.getByLabel('Site URL').fill(landingPage.url);
  await button('Create store').click();
  await expectShown(dev.page.getByRole('heading', { name: 'Tea', level: 1 }));
});

test('a program gets terms that are tried on an order before they are saved', async () => {
  await dev.open(`${new URL(dev.page.url()).pathname}/new-program`);
  await dev.page.getByLabel('Name').fill('Friends of tea');
  await button('Create draft').click();
  await dev.page.getByRole('link', { name: 'Set terms' }).click();
  await dev.page.getByLabel('Commission', { exact: true }).fill('7.5');
  await dev.page.getByLabel('Order total').fill('120');
  await button('Simulate order').click();
  await expectShown(dev.page.getByText('9.00 USD').first());
  await button('Add version').click();
  await versionSaved();
  await expectShown(dev.page.getByText('7.5% of each order'));
});

test('the changes of a new version are shown in words before it is saved', async () => {
  await dev.page.getByRole('link', { name: 'New version' }).click();
  await expectShown(dev.page.getByText('No changes. The rules are the same as in version 1.'));
  await dev.page.getByLabel('Commission', { exact: true }).fill('10');
  await expectShown(dev.page.getByText('10% of each order, previously 7.5% of each order'));
  await button('Add subscription rule').click();
  await expectShown(dev.page.getByText('10% of each paid invoice of any subscription, for 12 months'));
  await button('Remove subscription rule 1').click();
  await expectShown(dev.page.getByRole('listitem').filter({ hasText: 'previously 7.5%' }));
  await expect.poll(() => dev.page.getByText('each paid invoice').count()).toBe(0);
  await button('Add version').click();
  await versionSaved();
  await expectShown(dev.page.getByText('10% of each order', { exact: true }));
});

test('all six integration checks have not passed, and a new key is filled into the command', async () => {
  await dev.page.getByRole('link', { name: 'Integration' }).first().click();
  await expectPassedChecks(0);
  await button('Create key').click();
  key = await dev.page.getByRole('dialog').getByText(/^pbk_/).innerText();
  await button('I’ve stored it').click();
  await openStep('Send a test order');
  const shown = dev.page.getByRole('group', { name: 'the paid order in curl' });
  await expect.poll(() => shown.innerText()).toContain(key);
  const command = await shown.innerText();
  postbacksUrl = /^curl (\S+)\/conversions /.exec(command)?.[1] ?? '';
  await button('Python').click();
  await expect.poll(() => dev.page.getByRole('group', { name: 'the paid order in Python' }).innerText()).toContain(postbacksUrl);
});

test('the service finds the script tag on the landing page', async () => {
  await openStep('Capture the click');
  await button('Check the landing page').click();
  await expectShown(section('Script tag').getByText('is not saved, or we can’t tell'));
  await expectPassedChecks(0);
  runStorefront(await dev.page.getByRole('group', { name: 'script tag' }).innerText());
  await button('Check the landing page').click();
  await expectShown(section('Script tag').getByText('A click on this page is saved.'));
  await expectPassedChecks(1);
});

test('a test link, an order and its postback each pass their check, and the request is shown as it arrives', async () => {
  await button('Continue: Send a test order').click();
  await button('Create a test link').click();
  const arriving = dev.context.waitForEvent('page');
  await dev.page.getByRole('link', { name: 'Open the link' }).click();
  const shopper = await arriving;
  await shopper.getByRole('button', { name: 'Buy tea' }).waitFor();
  await expectPassedChecks(2);
  await buyTea(shopper);
  await shopper.waitForFunction("document.title === 'test_verified'");
  await shopper.close();
  await expectShown(section('Live requests').getByText('200 test_verified'));
  await expectPassedChecks(5);
});

test('a refund of the test order passes the last check', async () => {
  expect((await report('reversals', { order_id: 'tea-1' })).reason).toBe('recorded');
  await expectPassedChecks(6);
  expect(await axeViolations(dev)).toEqual([]);
});

test('a pasted request is validated, corrected, and answered as it would be', async () => {
  const tried = section('Validate a postback');
  const order = { order_id: 'tea-2', click_id: 'x', currency: 'USD', order_subtotal_cents: 10.5, occurred_at: new Date().toISOString() };
  await tried.getByLabel('Body or curl command').fill(JSON.stringify(order));
  await tried.getByRole('button', { name: 'Validate' }).click();
  await expectShown(tried.getByText('400 invalid_payload'));
  await expectShown(tried.getByText('"order_subtotal_cents": 1050'));
  await expectShown(tried.getByText('422 unknown_referral_click'));
  expect(await axeViolations(dev)).toEqual([]);
});

test('the go-live checklist shows what is left', async () => {
  await openStep('Go live');
  const list = section('Go-live checklist');
  await expectShown(list.getByText('All six checks have passed.'));
  await expectShown(list.getByText('Save a payment method'));
});

const clicksMax = 9;

test(`a newcomer needs at most ${clicksMax} clicks from sign-up to the first verified test order`, async () => {
  dev = await dashboard.visitor({ userAgent: aPersonsBrowser });
  let clicks = 0;
  const press = async (part: Locator) => {
    await part.click();
    clicks += 1;
  };
  await dev.open('/sign-up');
  await dev.page.getByLabel('Email').fill('new@coffee.example');
  await press(button('Send link'));
  await expectShown(dev.page.getByRole('heading', { name: 'Email not sent' }));
  // The link is opened in the email program.
  await dev.open(await linkInMail('new@coffee.example'));
  await dev.page.getByLabel('Your name').fill('Nell Newcomer');
  await dev.page.getByRole('textbox', { name: 'Password' }).fill('beans in hot water');
  await press(button('Create account'));
  await expectShown(dev.page.getByText('No stores yet'));
  await dev.page.getByLabel('Name').fill('Coffee');
  await dev.page.getByLabel('Site URL').fill(landingPage.url);
  await press(button('Create store'));
  await expectShown(dev.page.getByRole('heading', { name: 'Coffee', level: 1 }));
  await press(dev.page.getByRole('link', { name: 'Create key' }));
  await press(button('Create key'));
  key = await dev.page.getByRole('dialog').getByText(/^pbk_/).innerText();
  await press(button('I’ve stored it'));
  runStorefront(await dev.page.getByRole('group', { name: 'script tag' }).innerText());
  await press(button('Continue: Send a test order'));
  const command = dev.page.getByRole('group', { name: 'the paid order in curl' });
  await expect.poll(() => command.innerText()).toContain(key);
  postbacksUrl = /^curl (\S+)\/conversions /.exec(await command.innerText())?.[1] ?? '';
  await press(button('Create a test link'));
  const arriving = dev.context.waitForEvent('page');
  await press(dev.page.getByRole('link', { name: 'Open the link' }));
  const shopper = await arriving;
  await buyTea(shopper);
  await shopper.waitForFunction("document.title === 'test_verified'");
  await expectShown(section('Live requests').getByText('200 test_verified'));
  expect(clicks).toBeLessThanOrEqual(clicksMax);
});

test('the browser logs no error and no policy violation', () => {
  expect(dev.complaints).toEqual([]);
});

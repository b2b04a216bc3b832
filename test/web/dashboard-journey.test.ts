import { afterAll, expect, test } from 'vitest';
import { createFirstOperatorLink } from '../../src/people/operators.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { hourMs } from '../../src/core/time.ts';
import { expectShown, openDashboard, type Visitor } from '../support/dashboard.ts';
import { movedBy } from '../support/rows.ts';

let storePath = '';
const adasPassword = 'seven rivers meet here';
const gracesPassword = 'a bug in the relay';

// The tests of this file run in order: each continues where the previous one ended.
const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const ada = await dashboard.visitor();

const button = (visitor: Visitor, name: string) => visitor.page.getByRole('button', { name, exact: true });
const openStep = (person: Visitor, title: string) =>
  person.page.getByRole('heading', { level: 2, name: title }).getByRole('button').click();
const heading = (visitor: Visitor, name: string) => visitor.page.getByRole('heading', { name, level: 1 });

/** The printed URL, on the port where this service listens. */
const here = (link: string) => new URL(link).pathname + new URL(link).hash;

test('the first operator opens the installation’s link, chooses a password and is signed in', async () => {
  const link = await createFirstOperatorLink(dashboard.service.platform);
  invariant(link, 'the installation has no operator yet');
  await ada.open(here(link));
  await ada.page.getByLabel('Email').fill('ada@example.com');
  await ada.page.getByLabel('Your name').fill('Ada Lovelace');
  await ada.page.getByRole('textbox', { name: 'Password' }).fill(adasPassword);
  await button(ada, 'Create operator account').click();
  await expectShown(heading(ada, 'Overview'));
  await ada.page.waitForURL((address) => address.pathname === '/operator');
});

test('a used link says so and what to do', async () => {
  const late = await dashboard.visitor();
  await late.open('/link#qYOZ9vIpDLa1TfgYAMo3IKUCUmRHYN1yNDwrn8Azk3I');
  await expectShown(heading(late, 'This link isn’t valid'));
  await expectShown(late.page.getByText('Each link works once and expires'));
  await late.context.close();
});

test('an invalid site URL shows an error next to its field, and the typed text stays', async () => {
  await ada.page.getByRole('link', { name: 'Create first store' }).click();
  await ada.page.getByLabel('Name').fill('Northwind Coffee');
  await ada.page.getByLabel('Site URL').fill('https://ada@northwind.example');
  await button(ada, 'Create store').click();
  await expectShown(ada.page.getByText('Must not contain a user name or password.'));
  expect(await ada.page.getByLabel('Name').inputValue()).toBe('Northwind Coffee');
  await ada.focused('name === "site_url"');
});

test('a new store shows the next setup steps', async () => {
  await ada.page.getByLabel('Site URL').fill('https://northwind.example');
  await button(ada, 'Create store').click();
  await expectShown(heading(ada, 'Northwind Coffee'));
  storePath = new URL(ada.page.url()).pathname;
  await expectShown(ada.page.getByText('0 of 5 complete'));
});

test('a postback key is shown once, and authenticates postbacks of its store', async () => {
  await ada.page.getByRole('link', { name: 'Create key' }).click();
  await button(ada, 'Create key').click();
  const key = await ada.page.getByRole('dialog').getByText(/^pbk_/).innerText();
  await ada.focused('closest("[role=dialog]") !== null');
  await ada.page.keyboard.press('Escape');
  expect(await button(ada, 'I’ve stored it').isVisible()).toBe(true);
  await button(ada, 'I’ve stored it').click();
  // The next step opens.
  await expectShown(button(ada, 'Continue: Send a test order'));
  await openStep(ada, 'Create a postback key');
  await expectShown(ada.page.getByRole('cell', { name: `pbk_…${key.slice(-4)}`, exact: true }));
  await openStep(ada, 'Send a test order');
  // The key is filled into the snippets until it is removed or the page is left.
  await expectShown(ada.page.getByText(`'Authorization: Bearer ${key}'`).first());
  await button(ada, 'Remove the key').click();
  await expect.poll(() => ada.page.content()).not.toContain(key);

  const trackingKey = await ada.page.getByText(/^tk_/).innerText();
  const answer = await fetch(`${dashboard.service.url}/api/partner-network/postbacks/${trackingKey}/conversions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(400);
});

test('a test link and the command next to it turn tracking on', async () => {
  await button(ada, 'Create a test link').click();
  await expectShown(ada.page.getByRole('link', { name: 'Open the link' }));
  await openStep(ada, 'Create a postback key');
  await button(ada, 'Create key').click();
  const key = await ada.page.getByRole('dialog').getByText(/^pbk_/).innerText();
  await button(ada, 'I’ve stored it').click();
  await openStep(ada, 'Send a test order');
  const shown = ada.page.getByRole('group', { name: 'the paid order in curl' });
  await expect.poll(() => shown.innerText()).toContain(key);
  const command = await shown.innerText();
  const [, url = '', sent = '', body = ''] = /^curl (\S+)[\s\S]*Bearer (\S+)'[\s\S]*--data-binary '([^']*)'/.exec(command) ?? [];
  expect(sent).toBe(key);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  expect(await answer.json()).toMatchObject({ ok: true, reason: 'test_verified' });
  await ada.open(storePath);
  await expectShown(ada.page.getByText('3 of 5 complete'));
});

test('terms with two equal rules are rejected at the second rule', async () => {
  await ada.page.getByRole('link', { name: 'Create a program' }).click();
  await ada.page.getByLabel('Name').fill('Partners');
  await button(ada, 'Create draft').click();
  await expectShown(heading(ada, 'Partners'));
  await ada.page.getByRole('link', { name: 'Set terms' }).click();
  await ada.page.getByLabel('Commission', { exact: true }).fill('12.5');
  await button(ada, 'Add subscription rule').click();
  await button(ada, 'Add subscription rule').click();
  await button(ada, 'Add version').click();
  await expectShown(ada.page.getByText('This rule has the same product and price as an earlier rule.'));
  await button(ada, 'Remove subscription rule 2').click();
  await button(ada, 'Add version').click();
  await expectShown(ada.page.getByText('12.5% of each order'));
  await expectShown(button(ada, 'Active'));
});

test('the program is published, and paused again after a confirmation', async () => {
  await button(ada, 'Publish').click();
  await expectShown(button(ada, 'Published'));
  await button(ada, 'Pause').click();
  await button(ada, 'Pause program').click();
  await expectShown(button(ada, 'Paused'));
});

test('signing out hides all data, and signing in again returns to the same page', async () => {
  const address = ada.page.url();
  await ada.page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectShown(heading(ada, 'Sign in'));
  await ada.page.goto(address);
  await expectShown(heading(ada, 'Sign in'));
  await ada.page.getByLabel('Email').fill('ada@example.com');
  await ada.page.getByRole('textbox', { name: 'Password' }).fill(adasPassword);
  await button(ada, 'Sign in').click();
  await expectShown(heading(ada, 'Partners'));
  await ada.page.waitForURL(address);
});

/** Opens the newest email with this subject and submits the form behind its link. */
async function linkInOutbox(subject: string): Promise<string> {
  const mails = ada.page.getByRole('link', { name: subject });
  const found = async () => {
    await ada.open('/operator/mails');
    return mails.count();
  };
  await expect.poll(found).toBeGreaterThan(0);
  await mails.first().click();
  return here(await ada.page.getByRole('link', { name: /\/link#/ }).innerText());
}

test('an invited person joins through the link in the email', async () => {
  await ada.open(`${storePath}/team`);
  await button(ada, 'Invite person').click();
  const dialog = ada.page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('grace@example.com');
  await dialog.getByLabel('Role').selectOption('developer');
  await button(ada, 'Send invitation').click();
  await expectShown(ada.page.getByRole('cell', { name: 'grace@example.com', exact: true }));

  const grace = await dashboard.visitor();
  await grace.open(await linkInOutbox('You’re invited to Tributary'));
  await grace.page.getByLabel('Your name').fill('Grace Hopper');
  await grace.page.getByRole('textbox', { name: 'Password' }).fill(gracesPassword);
  await button(grace, 'Accept invitation').click();
  await grace.page.getByRole('link', { name: 'Northwind Coffee' }).click();
  await expectShown(heading(grace, 'Northwind Coffee'));
  await grace.open(`${storePath}/team`);
  await expectShown(grace.page.getByRole('cell', { name: 'grace@example.com', exact: true }));
  expect(await button(grace, 'Invite person').count()).toBe(0);
  expect(grace.complaints).toEqual([]);
  await grace.context.close();
});

test('a forgotten password is reset through the link in the email', async () => {
  const grace = await dashboard.visitor();
  await grace.open('/sign-in');
  await grace.page.getByRole('link', { name: 'Forgot password?' }).click();
  // The previous page has a field with this label too.
  await expectShown(heading(grace, 'Forgot your password?'));
  await grace.page.getByLabel('Email').fill('grace@example.com');
  await button(grace, 'Send link').click();
  await expectShown(heading(grace, 'Email not sent'));
  await expectShown(grace.page.locator('h1:focus'));
  await grace.open(await linkInOutbox('Reset your Tributary password'));
  await grace.page.getByRole('textbox', { name: 'Password' }).fill('nanoseconds of wire');
  await button(grace, 'Change password').click();
  await expectShown(heading(grace, 'My stores'));
  await grace.context.close();
});

test('a sensitive action asks for a proof of identity when the last one is old, and then continues', async () => {
  await dashboard.service.platform.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, -hourMs)}`);
  await ada.open('/operator/api-keys');
  await button(ada, 'Create key').click();
  await ada.page.getByLabel('Name').fill('Nightly export');
  await button(ada, 'Create API key').click();
  const proof = ada.page.getByRole('dialog', { name: 'Confirm your password' });
  await proof.getByRole('textbox', { name: 'Password' }).fill('not this one');
  await button(ada, 'Continue').click();
  await expectShown(proof.getByText('The password is incorrect.'));
  // Next to the field, which has the focus so that the person can type immediately.
  await expectShown(proof.locator('[name=password]:focus'));
  await proof.getByRole('textbox', { name: 'Password' }).fill(adasPassword);
  await button(ada, 'Continue').click();
  await expectShown(ada.page.getByText('It won’t be shown again'));
  await button(ada, 'I’ve stored it').click();
  await expectShown(ada.page.getByRole('cell', { name: 'Nightly export', exact: true }));
});

test('the browser logs no error and no policy violation', () => {
  expect(ada.complaints).toEqual([]);
});

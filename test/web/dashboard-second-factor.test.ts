import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'otplib';
import { afterAll, expect, test, vi } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { createOperator } from '../../src/people/operators.ts';
import { storeParty } from '../../src/people/party.ts';
import { sql } from '../../src/db/sql.ts';
import { readPublicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { selfSigned } from '../support/certificate.ts';
import { newVisitor, openDashboard } from '../support/dashboard.ts';
import { freePort } from '../support/main-process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

const port = await freePort();
const origin = `https://localhost:${port}`;
const live = await openDashboard({ MODE: 'live', BASE_URL: origin });
const upstream = new URL(live.service.url);
const proxy = createServer(selfSigned(), (incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const forwarded = httpRequest({ host: upstream.hostname, port: upstream.port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(forwarded);
});
await new Promise<void>((resolve) => void proxy.listen(port, '127.0.0.1', resolve));
const sandbox = await openDashboard();
afterAll(async () => {
  proxy.close();
  for (const dashboard of [live, sandbox]) await dashboard.stop();
});

const pathOf = (link: string): string => `${new URL(link).pathname}${new URL(link).search}${new URL(link).hash}`;

test('the console in live mode redirects an operator to the second factor, which cannot be switched off', async () => {
  const { url } = await createOperator(live.service.platform, { email: 'olive@operator.example', name: 'Olive Operator' });
  const olive = await newVisitor(live.browser, origin, { trustsAnyCertificate: true });
  const { page } = olive;
  await olive.open(pathOf(url));
  await page.getByRole('textbox', { name: 'Password' }).fill('several words in a row');
  await page.getByRole('button', { name: 'Change password' }).click();
  const setUp = page.getByRole('heading', { name: 'Set up two-factor authentication' });
  await setUp.waitFor();
  await olive.open('/operator/payouts');
  await setUp.waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);

  const begun = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/second-factor'));
  await page.getByRole('button', { name: 'Set up' }).click();
  const { secret } = (await (await begun).json()) as { readonly secret: string };
  await page.getByLabel('Code', { exact: true }).fill(await generate({ secret }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.getByRole('button', { name: 'I’ve stored them' }).waitFor();
  expect(await codes.getByRole('listitem').count()).toBe(10);
  await codes.getByRole('button', { name: 'I’ve stored them' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await olive.open('/account');
  await page.getByRole('button', { name: 'Replace authenticator app' }).waitFor();
  expect(await page.getByRole('button', { name: 'Turn off' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out everywhere and revoke keys' }).waitFor();
  expect(olive.complaints).toEqual([]);
});

test('without a mail server the reset page says so, the operator passes the link on, and a reset revokes keys', async () => {
  const { service } = sandbox;
  const world = await service.seed();
  const { email } = world.logins.merchant;
  const { database } = service.platform;
  const { userId } = await database.one<{ userId: Id<'user'> }>(sql`select user_id from users where email = ${email}`);
  const storeId = readPublicId('store', world.store.id);
  invariant(storeId !== null, 'the seed has a store');
  const { key } = await createApiKey(database, { name: 'k', party: storeParty(storeId), scopes: ['store:read'], madeBy: userId });
  const statusOfKey = async () =>
    (await fetch(`${service.url}/api/v1/stores/${world.store.id}`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await statusOfKey()).toBe(200);

  const mara = await sandbox.visitor();
  await mara.open('/forgot-password');
  await mara.page.getByLabel('Email').fill(email);
  await mara.page.getByRole('button', { name: 'Send link' }).click();
  await mara.page.getByRole('heading', { name: 'Email not sent' }).waitFor();

  const olive = await sandbox.visitor();
  await olive.signIn(world.logins.operator);
  const subject = olive.page.getByRole('link', { name: 'Reset your Tributary password' });
  await expect
    .poll(async () => {
      await olive.open('/operator');
      return subject.count();
    })
    .toBeGreaterThan(0);
  await olive.page.getByRole('heading', { name: 'Unsent emails' }).waitFor();
  await subject.first().click();
  await olive.page.getByText('Pass on this link').waitFor();
  const link = /https?:\/\/\S+\/link#[\w-]{43}/.exec(await olive.page.locator('main').innerText())?.[0];
  invariant(link, 'the page of the mail shows the link');

  await mara.open(pathOf(link));
  const alsoKeys = mara.page.getByRole('checkbox', { name: 'Also revoke all API keys I created' });
  expect(await alsoKeys.isChecked()).toBe(true);
  await mara.page.getByRole('textbox', { name: 'Password' }).fill('several words in a row');
  await mara.page.getByRole('button', { name: 'Change password' }).click();
  await mara.page.waitForURL((address) => address.pathname !== '/link');
  expect(await statusOfKey()).toBe(401);
  await mara.open('/account');
  await mara.page.getByRole('heading', { name: 'Known devices' }).waitFor();
  expect([...mara.complaints, ...olive.complaints]).toEqual([]);
});

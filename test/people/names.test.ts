import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailedLinkToken, latestEmail, testPassword, peopleApp, type Client, type PeopleApp } from '../support/people-app.ts';

/** Names appear in emails to strangers. */
let app: PeopleApp;
let owner: Client;
let operator: Client;
let store: Awaited<ReturnType<PeopleApp['store']>>;
beforeAll(async () => {
  app = await peopleApp();
  const account = await app.account();
  store = await app.store(account);
  owner = await app.signedIn(account);
  operator = await app.signedIn(await app.account({ isOperator: true }));
});
afterAll(() => app.close());

const hostile = [
  'https://evil.example',
  'Click www.evil.example now',
  'WWW.evil.example',
  'Reset: evil.example/x',
  'Two\nlines',
  'Tab\there',
  'line\u2028separator',
  'gnp.\u202eevil',
  'isolate\u2066d',
];

test('refuses a name with a web address or control characters: of people, stores, creators, programs and keys', async () => {
  const named: ReadonlyArray<readonly [by: Client, method: 'POST' | 'PATCH', path: string, body: object]> = [
    [owner, 'PATCH', '/profile', {}],
    [owner, 'POST', '/stores', { site_url: 'https://shop.example' }],
    [owner, 'PATCH', `/stores/${store.id}`, {}],
    [owner, 'POST', `/stores/${store.id}/programs`, { landing_url: 'https://shop.example' }],
    [owner, 'POST', `/stores/${store.id}/api-keys`, { scopes: ['store:read'] }],
    [owner, 'POST', '/creators/me', {}],
    [operator, 'POST', '/creators', { email: 'creator@people.example' }],
  ];
  for (const [by, method, path, body] of named)
    for (const name of hostile) {
      const response = await by.call(method, path, { ...body, name });
      expect([response.status, response.json.errors?.[0]?.field], `${method} ${path} ${JSON.stringify(name)}`).toEqual([400, 'name']);
      expect(response.json.errors[0].message).toMatch(/^must be a name on one line, without/);
    }
  for (const name of ['Booking.com', 'J.R. Smith', 'Ben & Jerry’s', '株式会社 example', 'A/B Tests'])
    expect((await owner.call('PATCH', `/stores/${store.id}`, { name })).status, name).toBe(200);
});

test('an account created by a link has no web address as its name', async () => {
  await app.browser().call('POST', '/sign-ups', { email: 'named@people.example' });
  const token = await emailedLinkToken(app, 'named@people.example');
  const response = await app.browser().call('POST', '/one-time-links/use', { token, name: 'https://evil.example', password: testPassword });
  expect([response.status, response.json.errors[0].field]).toEqual([400, 'name']);
});

test('an invitation by a person whose name looks like a host contains no host name but ours', async () => {
  const account = await app.account({ name: 'evil.example says hello' });
  const ownStore = await app.store(account);
  const inviter = await app.signedIn(account);
  await inviter.call('POST', `/stores/${ownStore.id}/invitations`, { email: 'stranger@people.example', role: 'viewer' });
  const mail = await latestEmail(app, 'stranger@people.example');
  expect(mail.subject).toBe('You’re invited to Tributary');
  expect(mail.text.replaceAll('https://tributary.example', '')).not.toMatch(/[a-z0-9-]+\.[a-z]{2,}/i);
});

test('a person changes their name', async () => {
  const person = await app.signedIn(await app.account({ name: 'Ana' }));
  const { status, json } = await person.call('PATCH', '/profile', { name: 'Ana Maria' });
  expect([status, json.name]).toEqual([200, 'Ana Maria']);
  expect((await person.call('GET', '/session')).json.name).toBe('Ana Maria');
});

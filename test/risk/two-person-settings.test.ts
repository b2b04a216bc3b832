import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { operatorParty } from '../../src/people/party.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { hourMs } from '../../src/core/time.ts';
import { latestEmail, peopleApp, type Client } from '../support/people-app.ts';

/** An installation in live mode with two operators. */
const app = await peopleApp({ mode: 'live' });
afterAll(() => app.close());
const adaAccount = await app.account({ isOperator: true, name: 'Ada', hasSecondFactor: true });
const ada = await app.signedIn(adaAccount);
const ben = await app.signedIn(await app.account({ isOperator: true, name: 'Ben', hasSecondFactor: true }));
const cy = await app.account({ isOperator: true, name: 'Cy', hasSecondFactor: true });

const nothingSet = {
  enforce: null,
  reserve_days: null,
  reserve_until_invoices: null,
  large_first_payout_cents: null,
  orders_per_hour_min: null,
  order_size_min_cents: null,
};
const set = (client: Client, fields: object) => client.call('PUT', '/risk/settings', { ...nothingSet, ...fields });

test('in live mode, an API key can neither change risk cases nor risk settings', async () => {
  const made = { name: 'Program', party: operatorParty, scopes: ['billing:run', 'payouts:run'] as const, madeBy: adaAccount.userId };
  const program = app.program((await createApiKey(app.platform.database, made)).key);
  const path = `/risk/cases/${publicId('case', newId<'case'>(new Date()))}`;
  const store = await app.store(null);
  const reason = 'Looked at it.';
  const tries: ReadonlyArray<readonly ['POST' | 'PUT', string, object]> = [
    ['POST', `${path}/keep`, { reason }],
    ['POST', `${path}/release`, { reason }],
    ['POST', `${path}/escalate`, { reason, do: 'archive_store' }],
    ['POST', `/stores/${store.id}/reserve/release`, { reason }],
    ['PUT', '/risk/settings', { ...nothingSet, enforce: false }],
  ];
  for (const [method, tried, body] of tries) {
    const came = await program.call(method, tried, body);
    expect([tried, came.status, came.json.reason]).toEqual([tried, 403, 'person_required']);
  }
  expect((await program.call('GET', '/risk/settings')).json).toMatchObject({ effective: { enforce: true, reserve_days: 30 }, asked: null });
  expect((await program.call('GET', '/risk/cases')).status).toBe(200);
});

test('one operator can make risk settings stricter, and all operators are emailed', async () => {
  const stricter = { reserve_days: 60, large_first_payout_cents: 10_000 };
  expect((await set(ada, stricter)).json).toMatchObject({ effective: { reserve_days: 60, large_first_payout_cents: 10_000 }, asked: null });
  expect((await latestEmail(app, cy.email)).subject).toBe('Ada changed the risk settings');
});

test('looser risk settings take effect only once a second operator requests the same', async () => {
  const looser = { enforce: false, reserve_days: 5 };
  const asked = (await set(ada, looser)).json;
  expect(asked).toMatchObject({
    effective: { enforce: true, reserve_days: 60 },
    asked: { set: { ...nothingSet, ...looser }, by_name: 'Ada' },
  });
  expect(asked.asked.looser_in).toEqual(['enforcement off', 'fewer days of reserve', 'a higher amount of a first payout']);
  const { subject, text } = await latestEmail(app, cy.email);
  expect(subject).toBe('Ada requested looser risk settings');
  expect(text).toContain('enforcement off');
  expect((await set(ada, looser)).json).toMatchObject({ effective: { enforce: true }, asked: { by_name: 'Ada' } });
  expect((await set(ben, { ...looser, reserve_days: 6 })).json).toMatchObject({ effective: { enforce: true }, asked: { by_name: 'Ben' } });
  expect((await set(ada, { ...looser, reserve_days: 6 })).json).toMatchObject({
    effective: { enforce: false, reserve_days: 6 },
    asked: null,
  });
  expect((await latestEmail(app, cy.email)).subject).toBe('Ada changed the risk settings');
});

test('a new operator cannot agree to looser risk settings', async () => {
  await set(ada, { enforce: true, reserve_days: 60 });
  await set(ada, { enforce: false });
  await app.platform.database.run(sql`
    update users set operator_since = ${new Date()}, operator_established_at = ${new Date(Date.now() + hourMs)}
    where user_id = ${cy.userId}`);
  expect(await set(await app.signedIn(cy), { enforce: false })).toMatchObject({ status: 422 });
  expect((await ben.call('GET', '/risk/settings')).json).toMatchObject({ effective: { enforce: true }, asked: { by_name: 'Ada' } });
  // Saving the settings in force withdraws the request.
  expect((await set(ben, { enforce: true, reserve_days: 60 })).json).toMatchObject({ asked: null });
});

test('ending a reserve period early emails all operators the reason', async () => {
  const store = await app.store(null);
  expect((await ada.call('POST', `/stores/${store.id}/reserve/release`, { reason: 'We know them.' })).json).toMatchObject({
    state: 'over',
  });
  const { subject, text } = await latestEmail(app, cy.email);
  expect(subject).toContain('Ada ended the reserve period of');
  expect(text).toContain('We know them.');
});

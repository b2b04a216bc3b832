import { afterAll, expect, test } from 'vitest';
import { readBillingSettings } from '../../src/billing/billing-settings-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { plusDays } from '../../src/core/time.ts';
import { latestEmail, peopleApp, type Client } from '../support/people-app.ts';

const app = await peopleApp({ mode: 'live' });
afterAll(() => app.close());
const owner = await app.account();
await app.store(owner);
const ada = await app.signedIn(await app.account({ isOperator: true, name: 'Ada', hasSecondFactor: true }));
const ben = await app.signedIn(await app.account({ isOperator: true, name: 'Ben', hasSecondFactor: true }));

const set = (client: Client, fee: number) => client.call('PUT', '/billing-settings', { fee_basis_points: fee });
const feeOn = async (days: number) => (await readBillingSettings(app.platform.database, plusDays(new Date(), days))).fee;

test('rejects a fee above 30%', async () => {
  expect(await set(ada, 3_001)).toMatchObject({ status: 400, json: { errors: [{ field: 'fee_basis_points' }] } });
});

test('a higher fee waits for a second operator, is announced to store owners, and is charged 30 days later', async () => {
  expect((await set(ada, 500)).json).toMatchObject({
    fee_basis_points: 0,
    fee_asked: { basis_points: 500, by_name: 'Ada' },
    next_fee: null,
  });
  expect((await set(ada, 500)).json).toMatchObject({ fee_basis_points: 0, fee_asked: { by_name: 'Ada' }, next_fee: null });
  const agreed = (await set(ben, 500)).json;
  expect(agreed).toMatchObject({ fee_basis_points: 0, fee_asked: null, next_fee: { basis_points: 500 } });
  const { subject, text } = await latestEmail(app, owner.email);
  const day = new Date(agreed.next_fee.from).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  expect(subject).toBe(`Platform fee changes to 5% on ${day}`);
  expect(text).toContain('The current fee is 0%');
  expect([await feeOn(0), await feeOn(29.99), await feeOn(30.01)]).toEqual([0, 0, 500]);
});

test('one person can withdraw an announced higher fee', async () => {
  expect((await ada.call('DELETE', '/billing-settings/fee-rise')).json).toMatchObject({ next_fee: null, fee_basis_points: 0 });
  expect((await ada.call('DELETE', '/billing-settings/fee-rise')).status).toBe(409);
  expect((await ben.call('GET', '/billing-settings')).json).toMatchObject({ next_fee: null, fee_asked: null, fee_basis_points: 0 });
  expect(await feeOn(31)).toBe(0);
});

test('one person can lower the fee, effective immediately', async () => {
  await set(ada, 400);
  await set(ben, 400);
  await app.platform.database.run(sql`update billing_settings set next_fee_from = ${new Date()}`);
  expect((await set(ada, 300)).json).toMatchObject({ fee_basis_points: 300, next_fee: null });
  expect(await feeOn(0)).toBe(300);
});

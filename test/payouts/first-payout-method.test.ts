import { afterAll, expect, test } from 'vitest';
import { listEmails } from '../../src/notify/emails-sql.ts';
import { createPayee } from '../support/collected-commissions.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { insertUser, updateCreator } from '../../src/people/users-sql.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';

const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());

const manual = { manual: { destination: 'DE02 1203 0000 0000 2020 51' } };
const hoursOf = ({ since, usable_from: from }: { since: string; usable_from: string }) =>
  (Date.parse(from) - Date.parse(since)) / 3_600_000;
const mailsTo = async (address: string) => {
  const all = await listEmails(merchant.service.platform.database, null, { after: null, limit: 200 });
  return all.filter(({ toAddress }) => toAddress === address).map(({ subject }) => subject);
};

test('a first payout method waits 72 hours once anything was earned, and the creator and their user are emailed', async () => {
  const { id, creatorId } = await office.earner([4_000], null);
  // A run first delivers the store's collected money to the creator's ledger.
  await office.runFor(id, { dry_run: true });
  const { database } = merchant.service.platform;
  const userId = newId<'user'>(new Date());
  const person = { userId, email: 'verified@people.example', name: 'Cora', passwordHash: null, isOperator: false, now: new Date() };
  await insertUser(database, person);
  await updateCreator(database, { userId, creatorId });
  const { json } = await merchant.api('PUT', `/creators/${id}/payout-method`, manual);
  expect(hoursOf(json.payout_method)).toBe(72);
  expect((await office.runFor(id)).payouts).toEqual([]);
  expect(await mailsTo('verified@people.example')).toEqual(['Your payout method was set']);
  expect(await mailsTo('cora@people.example')).toContain('Your payout method was set');
  await merchant.moveClock('72h');
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 4_000 }]);
});

test('a first payout method is usable immediately if nothing was ever earned', async () => {
  const id = publicId('crt', await createPayee(merchant.service.platform, null));
  expect(hoursOf((await merchant.api('PUT', `/creators/${id}/payout-method`, manual)).json.payout_method)).toBe(0);
});

test('a creator in the sandbox starts with a usable payout method, and a changed one waits 72 hours', async () => {
  const { json } = await merchant.api('POST', '/creators', { name: 'Carl', email: 'carl@people.example' });
  expect([json.payout_method.sandbox, hoursOf(json.payout_method)]).toEqual(['ok', 0]);
  expect(hoursOf((await merchant.api('PUT', `/creators/${json.id}/payout-method`, { sandbox: 'declined' })).json.payout_method)).toBe(72);
  expect(await mailsTo('carl@people.example')).toEqual(['Your payout method was changed']);
});

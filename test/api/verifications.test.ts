import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { emailsTo } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const read = async (path: string): Promise<Json> => expectSuccess(await merchant.api('GET', path)).json;
const kept = async (): Promise<Json[]> => (await read('/ledger/verifications')).data;
const alerts = async (): Promise<readonly Json[]> =>
  (await read('/mails?limit=100')).data.filter(({ subject }: Json) => subject.startsWith('Daily verification'));

test('a daily verification stores what every check found; missed days are verified once', async () => {
  await merchant.convert(await merchant.order({ order_subtotal_cents: 20_000 }));
  await merchant.moveClock('3d');
  const [night, ...before] = await kept();
  expect(before).toEqual([]);
  const started = expectSuccess(await merchant.api('POST', '/ledger/verify')).json;
  expect(night).toMatchObject({ by: 'system', differences: 0, found: [] });
  expect(night.at).toMatch(/T05:00:00\.000Z$/);
  expect(night.took_ms).toBeGreaterThanOrEqual(0);
  expect(night.checks.map(({ what }: Json) => what)).toEqual(started.checks.map(({ what }: Json) => what));
  expect(night.checks.reduce((sum: number, { checked }: Json) => sum + checked, 0)).toBe(night.checked);
  expect((await kept()).map(({ by_name: name }) => name)).toEqual(['Seed', 'the scheduled job']);
  expect(await alerts()).toEqual([]);
});

test('the overview and the metrics show the time, the duration, and the differences of the last verification', async () => {
  const [last] = await kept();
  expect((await read('/overview')).last_verification).toMatchObject({ at: last?.at, took_ms: last?.took_ms, differences: 0 });
  const metrics = await fetch(`${merchant.service.url}/metrics`, { headers: { authorization: `Bearer ${merchant.world.operator_key}` } });
  const lines = (await metrics.text()).split('\n');
  expect(lines).toContain(`tributary_last_verification_timestamp_seconds ${Date.parse(last?.at) / 1_000}`);
  expect(lines).toContain('tributary_last_verification_differences 0');
});

test('emails a difference to every operator, and shows it on the overview until it is resolved', async () => {
  const change = (by: number) =>
    merchant.database.run(sql`
      update balances set credit_cents = credit_cents + ${by}
      where store_id = ${merchant.storeId} and account = 'expected'`);
  await change(1);
  await merchant.moveClock('1d');
  const [night] = await kept();
  expect(night).toMatchObject({ by: 'system', found: [{ store_id: merchant.world.store.id }, {}] });
  expect(night?.differences).toBe(2);
  const mails = await alerts();
  const operators = (await read('/operators')).data.map(({ email }: Json) => email);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(operators.toSorted());
  const [{ text } = { text: '' }] = await emailsTo(merchant.service, mails[0]?.to);
  expect(text).toContain(merchant.world.store.id);
  expect(text).toContain('/operator/ledger');
  await change(-1);
  await merchant.moveClock('1d');
  expect((await kept())[0]).toMatchObject({ differences: 0 });
  expect(await alerts()).toHaveLength(mails.length);
});

test('only operators read verifications', async () => {
  const key = expectSuccess(
    await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, { name: 'a program', scopes: ['store:read'] }),
  ).json.key;
  const answer = await fetch(`${merchant.service.url}/api/v1/ledger/verifications`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(403);
});

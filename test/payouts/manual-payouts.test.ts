import { afterAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';

const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());

test('only a second person can confirm a payout above the limit', async () => {
  await office.settings({ second_person_above_cents: 5_000 });
  const { id } = await office.earner([5_001]);
  const [payout] = (await office.runFor(id)).payouts;
  expect(payout.state).toBe('awaiting_second');
  expect(await merchant.api('POST', `/payouts/${payout.id}/confirm`)).toMatchObject({ status: 422, json: { reason: 'unprocessable' } });
  expect(await office.second('POST', `/payouts/${payout.id}/confirm`)).toMatchObject({
    status: 200,
    json: { state: 'paid', amount_cents: 5_001 },
  });
  expect((await office.second('POST', `/payouts/${payout.id}/confirm`)).status).toBe(409);
  await office.settings({});
});

test('answers 404 for an unknown payout or run', async () => {
  const none = publicId('pay', newId<'pay'>(new Date()));
  for (const [word, body] of [
    ['confirm', undefined],
    ['refuse', { reason: 'no' }],
    ['mark-paid', { reference: 'no' }],
    ['mark-failed', { reason: 'no' }],
    ['mark-returned', { reason: 'no' }],
  ] as const)
    expect((await merchant.api('POST', `/payouts/${none}/${word}`, body)).status).toBe(404);
  expect((await merchant.api('GET', `/payout-runs/${publicId('prun', newId<'prun'>(new Date()))}`)).status).toBe(404);
  expect(await merchant.api('POST', '/payout-runs', { creator_id: publicId('crt', newId<'crt'>(new Date())) })).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'creator_id' }] },
  });
});

test('frees the commissions of a payout that the second person rejects', async () => {
  await office.settings({ second_person_above_cents: 0 });
  const { id } = await office.earner([700]);
  const [payout] = (await office.runFor(id)).payouts;
  const refused = await office.second('POST', `/payouts/${payout.id}/refuse`, { reason: 'look at these sales first' });
  expect(refused.json).toMatchObject({ state: 'failed', failure: { code: 'refused', message: 'look at these sales first' } });
  await office.settings({});
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 700, state: 'paid' }]);
});

test('pays nothing to a suspended creator and fails a payout that awaits a second person; pays once the suspension ends', async () => {
  await office.settings({ second_person_above_cents: 0 });
  const { id } = await office.earner([900]);
  const [payout] = (await office.runFor(id)).payouts;
  await merchant.api('POST', `/creators/${id}/suspend`);
  expect((await office.second('POST', `/payouts/${payout.id}/confirm`)).status).toBe(422);
  await office.settings({});
  expect((await office.runFor(id)).payouts).toEqual([]);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([
    { state: 'failed', failure: { code: 'creator_suspended' } },
  ]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json).toMatchObject({
    available_cents: 900,
    in_payout_cents: 0,
    blocks: [{ reason: 'suspended', amount_cents: 900 }],
  });
  await merchant.api('POST', `/creators/${id}/unsuspend`);
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 900, state: 'paid' }]);
});

test('the bank list has manual payouts with their destination until an operator records how they ended', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await office.earner([1_200], null);
  await setPayoutMethod(platform.database, platform.secrets, {
    creatorId,
    to: { manual: 'DE89 3704 0044 0532 0130 00' },
    at: platform.clock.now(),
    hasEarned: false,
    setBy: null,
  });
  const [payout] = (await office.runFor(id)).payouts;
  expect(payout.state).toBe('sending');
  const list = async () => {
    const response = await fetch(`${merchant.service.url}/api/v1/payouts?state=sending&provider=manual`, {
      headers: { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' },
    });
    return response.text();
  };
  expect(await list()).toContain(`${payout.id},${id},Cora,DE89 3704 0044 0532 0130 00,1200,USD,sending,manual`);
  expect((await merchant.api('GET', '/payouts?state=sending&provider=manual')).text).not.toContain('DE89');

  const paid = await merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'bank 4711' });
  expect(paid.json).toMatchObject({ state: 'paid', reference: 'bank 4711' });
  expect(await merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'bank 4712' })).toMatchObject({
    status: 409,
    json: {
      message:
        'This payout was already paid with the reference bank 4711. If it was sent twice, ask the bank to return the second transfer.',
    },
  });
  expect((await merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'no' })).status).toBe(409);
  expect(await list()).not.toContain(payout.id);

  const back = await merchant.api('POST', `/payouts/${payout.id}/mark-returned`, { reason: 'account closed' });
  expect(back.json).toMatchObject({ state: 'returned', failure: { code: 'returned', message: 'account closed' } });
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json).toMatchObject({ available_cents: 1_200, paid_cents: 0 });
});

test('rejects "failed" while the key of a payout may be sent again, and accepts "paid"', async () => {
  const { id } = await office.earner([1_300], 'never');
  const [payout] = (await office.runFor(id)).payouts;
  const { database } = merchant.service.platform;
  await database.run(sql`update payouts set state = 'unknown', provider_id = null where amount_cents = 1300`);
  const early = await merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'it is not in the list' });
  expect(early).toMatchObject({ status: 409, json: { reason: 'conflict' } });
  expect(early.json.message).toMatch(/may still be paid. Check the provider again after \d{4}-\d\d-\d\dT/);
  const balance = async () => (await merchant.api('GET', `/creators/${id}/balance`)).json;
  expect(await balance()).toMatchObject({ in_payout_cents: 1_300, available_cents: 0 });
  const paid = await merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'po_seen' });
  expect(paid.json).toMatchObject({ state: 'paid', reference: 'po_seen' });
});

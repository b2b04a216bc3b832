import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { hourMs } from '../../src/platform/time.ts';
import type { Json } from '../support/merchant.ts';
import { openPayoutOffice, type PayoutOffice } from '../support/payout-office.ts';

/** What one person could do with two hands: be their own second one, mark a payout twice, or turn it to another account. */
let office: PayoutOffice;
let merchant: PayoutOffice['merchant'];
beforeAll(async () => {
  office = await openPayoutOffice();
  merchant = office.merchant;
});
afterAll(() => merchant.service.stop());

test('a key that makes itself another key is no second person', async () => {
  await office.settings({ second_person_above_cents: 0 });
  const { id } = await office.earner([5_000]);
  const [payout] = (await office.runFor(id)).payouts;
  const { key } = (await merchant.api('POST', '/api-keys', { name: 'my other hand' })).json;
  const url = `${merchant.service.url}/api/v1/payouts/${payout.id}/confirm`;
  const came = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  expect([came.status, (await merchant.api('GET', `/creators/${id}/payouts`)).json.data[0].state]).toEqual([422, 'awaiting_second']);
  const confirmed = await Promise.all([1, 2, 3].map(() => office.second('POST', `/payouts/${payout.id}/confirm`)));
  expect(confirmed.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await office.settings({});
});

test('marked paid by two people at once, a payout is paid once, under the first reference', async () => {
  const { id, creatorId } = await office.earner([4_000], null);
  const { database, secrets, clock } = merchant.service.platform;
  await setPayoutMethod(database, secrets, { creatorId, to: { manual: 'DE02 1203 0000 0000 2020 51' }, at: clock.now() });
  const [payout] = (await office.runFor(id)).payouts;
  const mark = (reference: string) => merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference });
  const marked = await Promise.all([
    mark('one'),
    mark('other'),
    merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'no' }),
  ]);
  const ends = marked.filter(({ status }) => status === 200).map(({ json }) => json.reference);
  expect(new Set(ends).size).toBe(1);
  const { data } = (await merchant.api('GET', `/creators/${id}/payouts`)).json;
  expect(data.map((one: Json) => [one.amount_cents, one.reference])).toEqual([[4_000, ends[0]]]);
  expect((await office.runFor(id)).payouts.filter((one: Json) => one.id !== payout.id && data[0].state === 'paid')).toEqual([]);
});

test('changed and changed back, a payout method waits 72 hours again, to the millisecond of business time', async () => {
  const { id, creatorId } = await office.earner([4_000]);
  const { database, secrets, clock } = merchant.service.platform;
  const set = (sandbox: string) => setPayoutMethod(database, secrets, { creatorId, to: { sandbox }, at: clock.now() });
  await set('declined');
  await merchant.moveClock('1h');
  const { usableFrom } = await set('ok');
  expect((await set('ok')).usableFrom).toEqual(usableFrom);
  expect(usableFrom.getTime()).toBeGreaterThanOrEqual(clock.now().getTime() + 72 * hourMs - hourMs / 60);
  await merchant.moveClock(`${usableFrom.getTime() - clock.now().getTime() - 60_000}ms`);
  expect((await office.runFor(id)).payouts).toEqual([]);
  await merchant.moveClock('1m');
  expect((await office.runFor(id)).payouts).toMatchObject([{ amount_cents: 4_000, state: 'paid' }]);
});

import { afterAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { hourMs } from '../../src/core/time.ts';
import type { Json } from '../support/merchant.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';

/** One person tries to act as their own second person, to mark a payout twice, or to redirect it to another account. */
const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());

test('a key that creates another key does not count as a second person', async () => {
  await office.settings({ second_person_above_cents: 0 });
  const { id } = await office.earner([5_000]);
  const [payout] = (await office.runFor(id)).payouts;
  const { key } = (await merchant.api('POST', '/api-keys', { name: 'my other hand' })).json;
  const url = `${merchant.service.url}/api/v1/payouts/${payout.id}/confirm`;
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  expect([response.status, (await merchant.api('GET', `/creators/${id}/payouts`)).json.data[0].state]).toEqual([422, 'awaiting_second']);
  const confirmed = await Promise.all([1, 2, 3].map(() => office.second('POST', `/payouts/${payout.id}/confirm`)));
  expect(confirmed.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await office.settings({});
});

/** Creates a manual payout, and returns what the next run would pay in addition. */
async function byHand() {
  const { id, creatorId } = await office.earner([4_000], null);
  const { database, secrets, clock } = merchant.service.platform;
  await setPayoutMethod(database, secrets, {
    creatorId,
    to: { manual: 'DE02 1203 0000 0000 2020 51' },
    at: clock.now(),
    hasEarned: false,
    setBy: null,
  });
  const [payout] = (await office.runFor(id)).payouts;
  return {
    /** The reference that identifies the payout until an operator enters the bank's reference. */
    ownReference: payout.id as string,
    paid: (reference: string) => merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference }),
    failed: () => merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'no' }),
    counts: async () => {
      const { data } = (await merchant.api('GET', `/creators/${id}/payouts`)).json;
      return data.map((one: Json) => [one.amount_cents, one.state, one.reference]);
    },
    paidNext: async () =>
      (await office.runFor(id)).payouts.filter((one: Json) => one.id !== payout.id).map((one: Json) => one.amount_cents),
  };
}

test('a payout that two people mark as paid concurrently is paid once, under the first reference', async () => {
  const { paid, counts, paidNext } = await byHand();
  const marked = await Promise.all([paid('one'), paid('other')]);
  const [first, ...others] = marked.filter(({ status }) => status === 200).map(({ json }) => json.reference);
  expect([marked.map(({ status }) => status).toSorted(), others]).toEqual([[200, 409], []]);
  expect(await counts()).toEqual([[4_000, 'paid', first]]);
  expect(await paidNext()).toEqual([]);
});

test('when two people mark a payout as paid and a third as failed concurrently, one of them succeeds and sets its state', async () => {
  const { ownReference, paid, failed, counts, paidNext } = await byHand();
  const marked = await Promise.all([paid('one'), paid('other'), failed()]);
  expect(marked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const winner = marked.findIndex(({ status }) => status === 200);
  expect(await counts()).toEqual([
    [
      [4_000, 'paid', 'one'],
      [4_000, 'paid', 'other'],
      [4_000, 'failed', ownReference],
    ][winner],
  ]);
  expect(await paidNext()).toEqual(winner < 2 ? [] : [4_000]);
});

test('a payout marked as failed first cannot be marked as paid, and its money goes into the next payout', async () => {
  const { ownReference, paid, failed, counts, paidNext } = await byHand();
  expect((await failed()).status).toBe(200);
  const late = await Promise.all([paid('one'), paid('other')]);
  expect(late.map(({ status }) => status)).toEqual([409, 409]);
  expect(await counts()).toEqual([[4_000, 'failed', ownReference]]);
  expect(await paidNext()).toEqual([4_000]);
});

test('a payout method that is changed and changed back waits 72 hours again, to the millisecond of business time', async () => {
  const { id, creatorId } = await office.earner([4_000]);
  const { database, secrets, clock } = merchant.service.platform;
  const set = (sandbox: string) =>
    setPayoutMethod(database, secrets, { creatorId, to: { sandbox }, at: clock.now(), hasEarned: false, setBy: null });
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

import { afterAll, expect, test } from 'vitest';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
// The same day of the year in every run, because the expected dates are calendar dates.
const { jobsDatabase, clock } = merchant.service.platform;
await moveSandboxClock(jobsDatabase, clock, new Date(`${clock.now().getUTCFullYear() + 1}-03-10T12:00:00.000Z`));
const nora = await createCreatorPerson(merchant.service);
const linkUrl = (await joinProgram(merchant, nora)).link.url;

const moveTo = async (day: string): Promise<void> => {
  const ms = Date.parse(`${merchant.at().slice(0, 4)}-${day}:00.000Z`) - Date.parse(merchant.at());
  await merchant.moveClock(`${Math.ceil(ms / 60_000)}m`);
};
const on = (day: string) => expect.stringMatching(new RegExp(`^\\d{4}-${day}`));

test('the payout date stays the same from the sale to the payout that pays it', async () => {
  const { commissionId: id } = await reviewerOf(merchant).sale({ click_id: await merchant.click(linkUrl), order_subtotal_cents: 100_000 });
  const pay = async () => {
    const { json, status, text } = await nora.ask('GET', `/creators/${nora.id}/commissions`);
    expect(status, text).toBe(200);
    return json.data.find((sale: Json) => sale.id === id).pay;
  };
  await reviewerOf(merchant).results('approve', [id]);
  expect(await pay()).toMatchObject({ word: 'refund_hold', at: on('05-15T06') });
  await moveTo('04-10T12:00');
  expect(await pay()).toMatchObject({ word: 'bill', at: on('05-15T06') });
  await moveTo('05-01T12:00');
  expect(await pay()).toMatchObject({
    word: 'charge',
    at: on('05-15T06'),
    steps: [{ what: 'charged', at: on('05-04') }, { what: 'paid_out' }],
  });
  await moveTo('05-04T12:00');
  await expect.poll(pay).toMatchObject({ word: 'next_payout', at: on('05-15T06') });
  await moveTo('05-15T12:00');
  await expect.poll(pay).toMatchObject({ word: 'paid', at: on('05-15T06'), payout_id: expect.stringMatching(/^pay_/) });
  const { json } = await nora.ask('GET', `/creators/${nora.id}/paid-years`);
  expect(json.data).toEqual([{ year: Number(merchant.at().slice(0, 4)), paid_cents: 10_000, payouts: 1 }]);
});

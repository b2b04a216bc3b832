import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, type Json } from '../support/merchant.ts';
import { signIn } from '../support/portal.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
// No month ends during the tests.
await merchant.moveToSpring();
const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;

const newTerms = async (budget: object) =>
  expectSuccess(await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], budget }));
const sell = async (commission: number) => merchant.convert(await merchant.order({ order_subtotal_cents: commission * 10 }));
/** The job runs each hour. */
const notices = async (): Promise<readonly string[]> => {
  await merchant.moveClock('1h');
  const rows = await merchant.database.all<{ subject: string }>(sql`
    select subject from mails where to_address = ${merchant.world.logins.merchant.email} and subject like '%budget%' order by mail_id`);
  return rows.map(({ subject }) => subject.replace(/^.*?: /, '').replace(/ of Program.*? (is used)/, ' $1'));
};
const rows = () => merchant.database.all<Json>(sql`select limit_name, month, percent, sent_at from budget_notices order by percent`);

test('an order of a program without a budget notes nothing', async () => {
  await sell(1_000);
  expect([await rows(), await notices()]).toEqual([[], []]);
});

test('the team gets one email at 80 percent and one at 100 percent of a limit, however many orders follow', async () => {
  await newTerms({ program_total_cents: 10_000 });
  await sell(6_000);
  expect(await notices()).toEqual([]);
  await Promise.all(Array.from({ length: 3 }, () => sell(400)));
  const first = await notices();
  expect(first).toHaveLength(1);
  expect(first[0]).toMatch(/^80% of the budget of .* is used$/);
  await sell(100);
  expect(await notices()).toEqual(first);
  // What is left does not cover them.
  await Promise.all(Array.from({ length: 20 }, () => sell(4_000)));
  const both = await notices();
  expect(both).toHaveLength(2);
  expect(both[1]).toMatch(/^the budget of .* is used up$/);
  await sell(4_000);
  expect(await notices()).toEqual(both);
  const owner = await signIn(merchant.service, merchant.world.logins.merchant);
  const { json: inbox } = await owner('GET', '/profile/notifications');
  expect(JSON.stringify(inbox.data)).toContain('is used up');
});

test('a limit with another amount is another limit, and one that is passed in one step is sent once', async () => {
  const before = await notices();
  await newTerms({ program_month_cents: 20_000 });
  await sell(4_000);
  await sell(9_000);
  const all = await notices();
  expect(all.slice(before.length).map((subject) => subject.startsWith('80%'))).toEqual([false]);
  expect((await rows()).every((row: Json) => row['sentAt'] instanceof Date)).toBe(true);
});

import { afterAll, expect, test } from 'vitest';
import { checks } from '../../src/app/verify.ts';
import { minuteMs } from '../../src/core/time.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { sql } from '../../src/db/sql.ts';
import { awardGoals } from '../../src/review/award-goals.ts';
import { differences, expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { emailsTo, sessionHeaders } from '../support/portal.ts';
import { openProgram } from '../support/program.ts';

const opened = await openProgram();
const { merchant, store, program } = opened;
afterAll(() => merchant.service.stop());

const rules = { order_rules: [{ basis_points: 1_000 }] };
const newTerms = (goals?: unknown) => opened.addTerms({ ...rules, ...(goals === undefined ? {} : { goals }) });
const sell = async (): Promise<string> => expectSuccess(await merchant.convert(await merchant.order({}))).json.conversion_id;
const decide = (action: 'approve' | 'reject' | 'reopen', ...ids: readonly string[]) => opened.decide(action, ids);
const approved = async (count: number): Promise<readonly string[]> => {
  const ids = [];
  for (let place = 0; place < count; place += 1) ids.push(await sell());
  await decide('approve', ...ids);
  return ids;
};
/** Of goals, newest first. */
const bonuses = async (): Promise<readonly Json[]> =>
  (await merchant.api('GET', `${store}/bonuses`)).json.data.filter(({ goal }: Json) => goal !== undefined);
const commissionOf = async (id: string): Promise<Json> => (await merchant.api('GET', `${store}/commissions/${id}`)).json;
/** The creator's bonuses, as the portal asks for them in German. */
async function salesInGerman(): Promise<readonly Json[]> {
  const headers = { ...(await sessionHeaders(merchant.service, merchant.world.logins.creator)), 'accept-language': 'de' };
  const response = await fetch(`${merchant.service.url}/api/v1/creators/${merchant.world.creator.id}/commissions`, { headers });
  const { data } = (await response.json()) as { readonly data: readonly Json[] };
  return data.filter(({ bonus }) => bonus !== null);
}
const ratesPath = () => `/creators/${merchant.world.creator.id}/memberships/${opened.member.id}/rates`;
const nextMonth = async () => {
  const at = new Date(merchant.at());
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1, 12);
  await merchant.moveClock(`${Math.ceil((first - at.getTime()) / 3_600_000)}h`);
};

test('a program without goals answers as before, and orders that were approved before a goal reach none', async () => {
  expect(Object.keys((await newTerms()).json)).not.toContain('goals');
  expect(Object.keys((await merchant.api('GET', ratesPath())).json)).not.toContain('goals');
  await approved(3);
  const added = await newTerms([
    { orders: 1, period: 'total', amount_cents: 500 },
    { orders: 2, period: 'month', amount_cents: 2_500 },
  ]);
  expect(added.json.goals).toEqual([
    { orders: 1, period: 'total', amount_cents: 500 },
    { orders: 2, period: 'month', amount_cents: 2_500 },
  ]);
  await merchant.moveClock('1d');
  expect(await bonuses()).toEqual([]);
});

test('the creator sees the progress, and reaching the goal adds a bonus that is pending and explained', async () => {
  await nextMonth();
  const [first = ''] = await approved(1);
  expect((await merchant.api('GET', ratesPath())).json.goals).toEqual([
    { orders: 1, period: 'total', amount_cents: 500, figure: 4 },
    { orders: 2, period: 'month', amount_cents: 2_500, figure: 1 },
  ]);
  await merchant.moveClock('1d');
  expect(await bonuses()).toEqual([]);
  const [second = ''] = await approved(1);
  await merchant.moveClock('1d');
  const [bonus, ...others] = await bonuses();
  const month = merchant.at().slice(0, 7);
  expect(others).toEqual([]);
  expect(bonus).toMatchObject({
    amount_cents: 2_500,
    reason: `Goal reached: 2 approved orders in ${month}`,
    goal: { orders: 2, period: 'month', month, commission_ids: [first, second] },
    added_by_name: 'goal of the terms',
  });
  const commission = await commissionOf(bonus.commission_id);
  expect(commission).toMatchObject({ state: 'pending', amount_cents: 2_500 });
  expect(commission.explanation).toContain(
    `Goal reached: 2 approved orders in ${month}. Version ${bonus.goal.terms_version} of the terms gives a bonus of 25.00 USD for it.`,
  );
  const { json: sales } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(JSON.stringify(sales)).toContain(`Goal reached: 2 approved orders in ${month}`);
  const [german] = await salesInGerman();
  const monthInGerman = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(merchant.at()));
  expect(german).toMatchObject({ bonus: { reason: `Ziel erreicht: 2 genehmigte Bestellungen im ${monthInGerman}` } });
  expect(german.explanation).toMatch(
    /^Ziel erreicht: .*\. Version \d+ der Bedingungen sieht dafür einen Bonus von 25,00 USD vor\. Die Rückgabefrist /,
  );
});

test('more orders of the month, and other amounts of the goal, add no second bonus', async () => {
  await approved(3);
  expectSuccess(await newTerms([{ orders: 2, period: 'month', amount_cents: 9_900 }]));
  await approved(1);
  await merchant.moveClock('1d');
  expect(await bonuses()).toHaveLength(1);
});

test('a pending bonus is withdrawn when too few orders count, and restored when enough do again', async () => {
  await nextMonth();
  const [one = '', two = ''] = await approved(2);
  await merchant.moveClock('1d');
  const [bonus] = await bonuses();
  await decide('reject', two);
  await merchant.moveClock('1d');
  expect(await commissionOf(bonus.commission_id)).toMatchObject({
    state: 'rejected',
    rejected_reason: 'An order of the goal was rejected or refunded',
  });
  expect((await salesInGerman()).find(({ id }) => id === bonus.commission_id)).toMatchObject({
    rejected_reason: 'Eine Bestellung des Ziels wurde abgelehnt oder erstattet',
    explanation: expect.stringMatching(/Grund des Händlers: Eine Bestellung des Ziels wurde abgelehnt oder erstattet$/),
  });
  await decide('approve', two);
  await merchant.moveClock('1d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('pending');
  // Another order takes the place of one that was rejected.
  await approved(1);
  await decide('reject', one);
  await merchant.moveClock('1d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('pending');
  expect(await bonuses()).toHaveLength(2);
});

test('an approved bonus stays, and the team is notified once', async () => {
  await nextMonth();
  const [one = ''] = await approved(2);
  await merchant.moveClock('1d');
  const [bonus] = await bonuses();
  await decide('approve', bonus.commission_id);
  await decide('reject', one);
  await merchant.moveClock('3d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('approved');
  const sent = await merchant.database.all(sql`select 1 from mails where subject like '%an order of a paid goal no longer counts'`);
  expect(sent).toHaveLength(1);
});

test('a bonus that a person rejected after it had been withdrawn is not restored', async () => {
  await nextMonth();
  const [one = '', two = ''] = await approved(2);
  await merchant.moveClock('1d');
  const [bonus] = await bonuses();
  await decide('reject', two);
  await merchant.moveClock('1d');
  await decide('reopen', bonus.commission_id);
  await decide('reject', bonus.commission_id);
  await decide('approve', two);
  await merchant.moveClock('1d');
  expect(await commissionOf(bonus.commission_id)).toMatchObject({ state: 'rejected', rejected_reason: 'returned' });
  const texts = (await emailsTo(merchant.service, merchant.world.logins.creator.email)).map(({ text }) => text).join('\n');
  expect(texts).toMatch(/rejected the bonus of \d+\.\d\d USD for a goal: returned/);
  expect(texts).not.toMatch(/rejected Goal reached/);
  await decide('reject', one, two);
});

test('a bonus that is pending again after the team was notified is withdrawn, and the team is not notified again', async () => {
  await nextMonth();
  const [one = ''] = await approved(2);
  await merchant.moveClock('1d');
  const [bonus] = await bonuses();
  await decide('approve', bonus.commission_id);
  await decide('reject', one);
  await merchant.moveClock('1d');
  await decide('reopen', bonus.commission_id);
  await merchant.moveClock('1d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('rejected');
  const sent = await merchant.database.all(sql`select 1 from mails where subject like '%an order of a paid goal no longer counts'`);
  expect(sent).toHaveLength(2);
  await decide('approve', one);
  await merchant.moveClock('1d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('pending');
  await decide('approve', bonus.commission_id);
  await decide('reject', one);
  await merchant.moveClock('1d');
  expect(await merchant.database.all(sql`select 1 from mails where subject like '%an order of a paid goal no longer counts'`)).toHaveLength(
    2,
  );
});

test('an order that is approved again in a later month no longer counts for the month of its first approval', async () => {
  await nextMonth();
  const [one = ''] = await approved(2);
  await merchant.moveClock('1d');
  const [bonus] = await bonuses();
  expect((await commissionOf(bonus.commission_id)).state).toBe('pending');
  // The clock moves past the daily job only after the second approval.
  const at = new Date(merchant.at());
  const lastDay = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - 10 * 60_000;
  await merchant.moveClock(`${Math.round((lastDay - at.getTime()) / 60_000)}m`);
  await decide('reject', one);
  await merchant.moveClock('20m');
  await decide('approve', one);
  await merchant.moveClock('1d');
  expect((await commissionOf(bonus.commission_id)).state).toBe('rejected');
});

test('many runs at the same time add one bonus', async () => {
  await nextMonth();
  await approved(2);
  const { platform } = merchant.service;
  const before = (await bonuses()).length;
  const now = new Date(platform.clock.now().getTime() + 60_000);
  await Promise.all(Array.from({ length: 24 }, () => awardGoals(platform, now)));
  expect((await bonuses()).length - before).toBe(1);
  expect(await differences(merchant)).toEqual([]);
});

test('verification finds a bonus whose orders do not reach its goal', async () => {
  const failing = async () => {
    const check = checks.find(({ what }) => what === 'a bonus of a goal counts the orders that its terms require');
    return (await check?.differences(merchant.database))?.length;
  };
  expect(await failing()).toBe(0);
  const change = (by: ReturnType<typeof sql>) =>
    merchant.database.run(sql`
      update bonuses set goal_commissions = ${by} where store_id = ${merchant.storeId} and bonus_id = (
        select max(bonus_id::text)::uuid from bonuses where store_id = ${merchant.storeId} and goal_key is not null)`);
  await change(sql`array[goal_commissions[1], goal_commissions[1]]`);
  expect(await failing()).toBe(1);
});

test.each<[what: string, field: string, goals: object]>([
  ['no order', 'goals.0.orders', [{ orders: 0, period: 'month', amount_cents: 1 }]],
  ['too many orders', 'goals.0.orders', [{ orders: 1_001, period: 'total', amount_cents: 1 }]],
  ['no amount', 'goals.0.amount_cents', [{ orders: 1, period: 'total', amount_cents: 0 }]],
  ['too large an amount', 'goals.0.amount_cents', [{ orders: 1, period: 'total', amount_cents: 500_001 }]],
  [
    'the same goal twice',
    'goals.1.orders',
    [
      { orders: 3, period: 'month', amount_cents: 1 },
      { orders: 3, period: 'month', amount_cents: 2 },
    ],
  ],
])('rejects goals with %s', async (_what, field, goals) => {
  const { status, json } = await newTerms(goals);
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

test('goals are compared, exported, and imported, and stay when settings change', async () => {
  expectSuccess(await newTerms([{ orders: 10, period: 'month', amount_cents: 5_000 }]));
  const { json: file } = await merchant.api('GET', `${program}/terms-file`);
  expectSuccess(await merchant.api('PATCH', program, { hold_days: 21 }));
  expect((await merchant.api('GET', `${program}/terms`)).json.data[0].goals).toEqual(file.goals);
  expectSuccess(await newTerms());
  expect((await merchant.api('POST', `${program}/terms-preview`, file)).json.changes).toMatchObject([
    { field: 'goals', effect: 'better', before: 'none', after: '50.00 USD for 10 approved orders in a month' },
  ]);
});

test('a bonus that a late run adds has the time of that run, so that webhooks find its commission', async () => {
  const { jobsDatabase, clock } = merchant.service.platform;
  await nextMonth();
  await newTerms([{ orders: 1, period: 'month', amount_cents: 700 }]);
  const before = new Set((await bonuses()).map(({ id }) => id));
  await approved(1);
  const due = new Date(clock.now().getTime() + minuteMs);
  const late = new Date(due.getTime() + 10 * minuteMs);
  await moveSandboxClock(jobsDatabase, clock, late);
  await awardGoals(merchant.service.platform, due);
  const [bonus, ...others] = (await bonuses()).filter(({ id }) => !before.has(id));
  expect(others).toEqual([]);
  expect(Date.parse(bonus.added_at)).toBeGreaterThanOrEqual(late.getTime());
  expect(Date.parse((await commissionOf(bonus.commission_id)).recorded_at)).toBeGreaterThanOrEqual(late.getTime());
});

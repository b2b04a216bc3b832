import { expect, test } from 'vitest';
import { dayMs } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import { openSharedMerchantAlone, type Json } from '../support/merchant.ts';

const call = async (method: string, of: string, body?: object): Promise<Json> => {
  const response = await merchant.api(method, of, body);
  expectSuccess(response);
  return response.json;
};
const order = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
  expectSuccess(await merchant.convert(await merchant.order(fields)));
};

const merchant = await openSharedMerchantAlone();
const path = `/stores/${merchant.world.store.id}`;
const program = `${path}/programs/${merchant.world.program.id}`;
const ada = merchant.world.creator.id;
const ben = (await call('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' })).id;
await call('POST', `${program}/members`, { creator_id: ben });
await call('POST', `${program}/terms`, {
  order_rules: [{ basis_points: 1_000 }],
  subscription_rules: [],
  codes: 'when_no_click',
  returning: { days: 90, new_click: 'first_partner' },
});
const code = await call('POST', `${program}/codes`, { code: 'BEN10', creator_id: ben });

const alternatives = (query = ''): Promise<Json> => call('GET', `${path}/attribution-alternatives${query}`);

test('the alternative says what each creator would have earned, and moves no money', async () => {
  await order({});
  expect(await alternatives()).toMatchObject({ compared_orders: 0, is_complete: true, data: [] });
  await order({ discount_code: 'BEN10' });
  const before = (await call('GET', `${path}/commissions`)).data;
  const report = await alternatives();
  expect(report.compared_orders).toBe(1);
  const changed = { alternative: 'code_before_click', lost_cents: 0, gained_cents: 0, orders_lost: 0, orders_gained: 0 };
  expect(report.data).toHaveLength(2);
  expect(report.data).toEqual(
    expect.arrayContaining([
      {
        ...changed,
        creator_id: ada,
        creator_name: expect.any(String),
        earned_cents: 2002,
        would_have_earned_cents: 1001,
        lost_cents: 1001,
        orders_lost: 1,
      },
      {
        ...changed,
        creator_id: ben,
        creator_name: 'Ben Codes',
        earned_cents: 0,
        would_have_earned_cents: 1001,
        gained_cents: 1001,
        orders_gained: 1,
      },
    ]),
  );
  expect((await call('GET', `${path}/commissions`)).data).toEqual(before);
});

test('a customer who stays with the first creator is compared with the creator of the new click', async () => {
  await order({ click_id: null, discount_code: 'BEN10', customer_id: 'c-1' });
  await order({ customer_id: 'c-1' });
  const { data } = await alternatives(`?creator_id=${ada}`);
  expect(data.map((one: Json) => [one.alternative, one.gained_cents, one.lost_cents])).toEqual(
    expect.arrayContaining([
      ['last_click', 1001, 0],
      ['code_before_click', 0, 1001],
    ]),
  );
  expect(data.every((one: Json) => one.creator_id === ada)).toBe(true);
});

test('a refunded order is neither lost nor gained, and other programs and days have no orders', async () => {
  const fields = await merchant.order({ discount_code: 'BEN10' });
  expectSuccess(await merchant.convert(fields));
  expect((await alternatives(`?creator_id=${ben}`)).data[0]).toMatchObject({ orders_gained: 2, gained_cents: 2002 });
  expectSuccess(await merchant.reverse({ order_id: fields.order_id }));
  expect((await alternatives(`?creator_id=${ben}`)).data[0]).toMatchObject({ orders_gained: 2, gained_cents: 1001 });
  expect((await alternatives(`?program_id=${merchant.world.program.id}`)).compared_orders).toBe(3);
  expect((await alternatives('?program_id=prog_unknown')).compared_orders).toBe(0);
  expect((await alternatives('?from=2020-01-01&to=2020-01-31')).compared_orders).toBe(0);
  expect((await merchant.api('GET', `${path}/attribution-alternatives?from=2020-01-01&to=2024-01-01`)).status).toBe(400);
});

test('a code with far more orders than its owner has clicks may have leaked, and ended codes are not listed', async () => {
  const leaks = (query = ''): Promise<Json> => call('GET', `${path}/code-leaks${query}`);
  expect((await leaks()).data).toEqual([]);
  const orders = await Promise.all(
    Array.from({ length: 20 }, () => merchant.order({ click_id: null, discount_code: 'BEN10', occurred_at: merchant.at() })),
  );
  for (const reply of await Promise.all(orders.map((one) => merchant.convert(one)))) expectSuccess(reply);
  // Without a click of the owner, the audience is unknown, and a new code cannot have grown.
  expect((await leaks()).data).toEqual([]);

  const link = await call('POST', `${path}/programs/${merchant.world.program.id}/links`, { creator_id: ben });
  const visited = await fetch(link.url.replace(/^https?:\/\/[^/]+/, merchant.service.url), {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36' },
  });
  expect(visited.status).toBe(302);
  await expect.poll(async () => (await leaks()).data.length).toBe(1);
  const [leak] = (await leaks('?days=7')).data;
  expect(leak).toMatchObject({
    code_id: code.id,
    creator_id: ben,
    paused: false,
    orders: 22,
    orders_before: 0,
    owner_clicks: 1,
    suspicion: 'possible',
    signals: ['beyond_audience'],
  });
  await call('PATCH', `${path}/codes/${code.id}`, { status: 'paused' });
  expect((await leaks()).data[0].paused).toBe(true);
  await call('PATCH', `${path}/codes/${code.id}`, { status: 'ended' });
  expect((await leaks()).data).toEqual([]);
  expect((await merchant.api('GET', `${path}/code-leaks?days=365`)).status).toBe(400);
  expect(Date.parse((await leaks('?days=7')).to)).toBeGreaterThan(Date.parse(merchant.at()) - 2 * dayMs);
});

test('contradictory settings have a warning that names the program and what to do', async () => {
  const { data } = await call('GET', `${path}/attribution-warnings`);
  expect(data).toEqual([
    {
      warning: 'codes_on_without_codes',
      program_id: merchant.world.program.id,
      program_name: 'Friends of the shop',
      message: expect.stringContaining('no active code'),
    },
  ]);
});

import { beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import { openSharedMerchantAlone, type Json, type Merchant } from '../support/merchant.ts';

let merchant: Merchant;
let path: string;
const codesOf = (list: Json): readonly string[] => list.data.map(({ code }: Json) => code);
const call = async (method: string, of: string, body?: object): Promise<Json> => {
  const response = await merchant.api(method, of, body);
  expectSuccess(response);
  return response.json;
};
const list = (query = ''): Promise<Json> => call('GET', `${path}/codes${query}`);

beforeAll(async () => {
  merchant = await openSharedMerchantAlone();
  path = `/stores/${merchant.world.store.id}`;
  const program = `${path}/programs/${merchant.world.program.id}`;
  const ben = await call('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' });
  await call('POST', `${program}/members`, { creator_id: ben.id });
  const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], codes: 'when_no_click' };
  await call('POST', `${program}/terms`, rules);
  const create = (code: string, creator_id: string, fields: object = {}) =>
    call('POST', `${program}/codes`, { code, creator_id, ...fields });
  await create('beta', merchant.world.creator.id, { valid_until: merchant.at(5 * dayMs) });
  const paused = await create('ALPHA', ben.id);
  await create('Gamma', ben.id, { valid_until: merchant.at(2 * dayMs) });
  await call('PATCH', `${path}/codes/${paused.id}`, { status: 'paused' });
  expectSuccess(await merchant.convert(await merchant.order({ click_id: null, discount_code: 'BETA' })));
});

test('the list of codes is filtered by program, owner, status, and a part of the code or of the owner’s name', async () => {
  expect(codesOf(await list())).toEqual(['Gamma', 'ALPHA', 'beta']);
  expect(codesOf(await list(`?program_id=${merchant.world.program.id}&creator_id=${merchant.world.creator.id}`))).toEqual(['beta']);
  expect(codesOf(await list('?program_id=prog_unknown'))).toEqual([]);
  expect(codesOf(await list('?status=paused'))).toEqual(['ALPHA']);
  expect(codesOf(await list('?status=active'))).toEqual(['Gamma', 'beta']);
  expect(codesOf(await list('?status=ended'))).toEqual([]);
  expect(codesOf(await list('?q=ET'))).toEqual(['beta']);
  expect(codesOf(await list('?q=ben%20c'))).toEqual(['Gamma', 'ALPHA']);
});

test('the list of codes is sorted in both directions, page by page', async () => {
  for (const [sort, expected] of [
    ['code', ['ALPHA', 'beta', 'Gamma']],
    ['-code', ['Gamma', 'beta', 'ALPHA']],
    ['valid_until', ['Gamma', 'beta', 'ALPHA']],
    ['created_at', ['beta', 'ALPHA', 'Gamma']],
  ] as const) {
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Json = await list(`?limit=1&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      found.push(...codesOf(page));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(expected);
  }
});

test('a code is listed with its owner, program, and results, also as a file', async () => {
  const [beta] = (await list('?q=beta')).data;
  const order = { orders: 1, revenue_cents: 10_005, earned_cents: 1_001 };
  expect(beta).toMatchObject({ program_name: 'Friends of the shop', creator_id: merchant.world.creator.id, ...order });
  const response = await fetch(`${merchant.service.url}/api/v1${path}/codes?sort=code`, {
    headers: { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' },
  });
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="discount-codes.csv"');
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('id,code,creator_id,creator_name,program_id,program_name,status,shared');
  expect(lines[2]).toContain(',beta,');
  expect(lines[2]).toMatch(/,1,10005,1001$/);
});

test.each(['valid_from', 'valid_until'])('a %s before 2000 or after 9999 is rejected, and changes nothing', async (field) => {
  const [code] = (await list('?q=beta')).data;
  for (const time of ['0000-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '9999-12-31T23:59:59-23:59']) {
    const { status, json } = await merchant.api('PATCH', `${path}/codes/${code.id}`, { [field]: time });
    expect([time, status, json.errors[0].field]).toEqual([time, 422, field]);
  }
  expect((await list('?q=beta')).data).toEqual([code]);
});

import { afterAll, expect, test } from 'vitest';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const path = `/stores/${merchant.world.store.id}/creators`;
const program = merchant.world.program.id;

const rows = async (query = ''): Promise<readonly Json[]> => (await merchant.api('GET', `${path}${query}`)).json.data;
const names = async (query: string): Promise<readonly string[]> => (await rows(query)).map(({ creator_name: name }) => name);
const today = () => merchant.at().slice(0, 10);

async function csv(query = ''): Promise<readonly (readonly string[])[]> {
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const answer = await fetch(`${merchant.service.url}/api/v1${path}${query}`, { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return (await answer.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

test('lists each member of each program with the totals of their own links, refunds subtracted from earnings', async () => {
  const orders = [];
  for (const order_subtotal_cents of [10_000, 30_000]) {
    const order = await merchant.order({ order_subtotal_cents });
    await merchant.convert(order);
    orders.push(order.order_id);
  }
  await merchant.reverse({ order_id: orders[0] });
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  const { link } = await joinProgram(merchant, nora);
  await merchant.click(link.url);
  const applicant = await createCreatorPerson(merchant.service, 'Norbert "N", Waiting');
  await applicant.ask('POST', `/programs/${program}/applications`, {});

  const all = await rows(`?program_id=${program}`);
  expect(all.map((row) => [row.creator_name, row.status, row.clicks, row.orders, row.revenue_cents, row.earned_cents])).toEqual([
    ['Norbert "N", Waiting', 'applied', 0, 0, 0, 0],
    ['Nora Newcomer', 'approved', 1, 0, 0, 0],
    ['Cora Creator', 'approved', 2, 2, 40_000, 3_000],
  ]);
  expect(all.map((row) => row.program_name)).toEqual(all.map(() => 'Friends of the shop'));
});

test('filters the list by state, program, creator, and a part of the name, and matches wildcard characters literally', async () => {
  expect(await names('?status=applied')).toEqual(['Norbert "N", Waiting']);
  expect(await names('?q=nor')).toEqual(['Norbert "N", Waiting', 'Nora Newcomer']);
  expect(await names('?q=NORA%20')).toEqual(['Nora Newcomer']);
  expect(await names('?q=orA%20new')).toEqual(['Nora Newcomer']);
  expect(await names(`?q=${merchant.world.creator.id}`)).toEqual((await names('')).filter((name) => name === 'Cora Creator'));
  expect([await names('?q=%25%25'), await names('?q=_ora'), await names('?q=%5C%5C')]).toEqual([[], [], []]);
  expect(new Set(await names(`?creator_id=${merchant.world.creator.id}`))).toEqual(new Set(['Cora Creator']));
  const other = merchant.world.per_product.program_id;
  expect((await rows(`?program_id=${other}`)).every((row) => row.program_id === other)).toBe(true);
  expect([await rows('?program_id=prog_none'), await rows('?creator_id=x')]).toEqual([[], []]);
  expect((await merchant.api('GET', `${path}?status=waiting`)).status).toBe(400);
});

test('totals cover the requested days, both included, and a date that does not exist is rejected with its field', async () => {
  const before = today();
  await merchant.moveClock('40d');
  await merchant.convert(await merchant.order({ order_subtotal_cents: 50_000 }));
  const cora = async (query: string) => (await rows(`?q=cora&program_id=${program}${query}`)).map((row) => [row.orders, row.earned_cents]);
  expect(await cora('')).toEqual([[3, 8_000]]);
  expect(await cora(`&from=${today()}`)).toEqual([[1, 5_000]]);
  expect(await cora(`&to=${before}`)).toEqual([[2, 3_000]]);
  expect(await cora(`&from=${before}&to=${today()}`)).toEqual([[3, 8_000]]);
  for (const [query, field] of [
    ['from=2026-02-31', 'from'],
    ['to=2026-04-31', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=yesterday', 'from'],
  ]) {
    const { status, json } = await merchant.api('GET', `${path}?${query}`);
    expect([query, status, json.errors[0].field]).toEqual([query, 400, field]);
  }
});

test('the pages and the CSV export contain the same list', async () => {
  const whole = await rows();
  const paged: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json }: { json: Json } = await merchant.api('GET', `${path}?limit=1${cursor && `&cursor=${cursor}`}`);
    paged.push(...json.data);
    cursor = json.next_cursor;
  }
  expect(paged).toEqual(whole);
  const [titles = [], ...lines] = await csv('?status=approved');
  const approved = await rows('?status=approved');
  expect(lines.map((line) => line[titles.indexOf('id')])).toEqual(approved.map(({ id }) => id));
  expect(lines.map((line) => Number(line[titles.indexOf('earned_cents')]))).toEqual(approved.map((row) => row.earned_cents));
  expect((await csv('?status=applied'))[1]?.join(',')).toContain('"Norbert ""N"", Waiting"');
  expect(await csv('?program_id=prog_none')).toHaveLength(1);
});

test('a store lists its own members only', async () => {
  const other = otherMerchant(merchant);
  const own = await merchant.api('GET', `/stores/${other.world.store.id}/creators`);
  const mine = new Set((await rows()).map(({ id }) => id));
  expect(own.json.data.length).toBeGreaterThan(0);
  expect(own.json.data.filter(({ id }: Json) => mine.has(id))).toEqual([]);
});

test('sorts creators by the time of their status, also in the file', async () => {
  await merchant.moveClock('1d');
  const latest = await createCreatorPerson(merchant.service, 'Lena Latest');
  await joinProgram(merchant, latest);
  for (const sort of ['since', '-since']) {
    const all = await rows(`?sort=${sort}`);
    const times = all.map(({ since }) => since);
    expect(times).toEqual(sort === 'since' ? times.toSorted() : times.toSorted().toReversed());
    expect((await csv(`?sort=${sort}`)).slice(1).map(([id]) => id)).toEqual(all.map(({ id }) => id));
  }
  expect((await rows('?sort=-since'))[0].creator_name).toBe('Lena Latest');
});

test('sorts creators by each of their results, also of some days, in pages and in the file', async () => {
  for (const field of ['clicks', 'orders', 'revenue_cents', 'earned_cents']) {
    for (const range of ['', `&from=${today()}`, '&to=2020-01-01']) {
      const most = await rows(`?sort=-${field}${range}`);
      const values = most.map((row) => Number(row[field]));
      expect(values, field + range).toEqual(values.toSorted((one, other) => other - one));
      expect(await rows(`?sort=${field}${range}`)).toEqual(most.toReversed());
      expect((await csv(`?sort=-${field}${range}`)).slice(1).map(([id]) => id)).toEqual(most.map(({ id }) => id));
      const paged: Json[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { json }: { json: Json } = await merchant.api(
          'GET',
          `${path}?limit=2&sort=-${field}${range}${cursor && `&cursor=${cursor}`}`,
        );
        paged.push(...json.data);
        cursor = json.next_cursor;
      }
      expect(paged).toEqual(most);
    }
  }
  const [first] = await rows(`?sort=-revenue_cents`);
  expect([first.creator_name, first.revenue_cents]).toEqual(['Cora Creator', 90_000]);
  expect(new Set(await names('?sort=-clicks&q=nor'))).toEqual(new Set(['Norbert "N", Waiting', 'Nora Newcomer']));
});

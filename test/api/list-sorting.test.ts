import { afterAll, expect, test } from 'vitest';
import { afterKey, keyOf, orderBy, orderOf, sortNames, type ListSorts, type SortColumn } from '../../src/db/list-order.ts';
import { sql } from '../../src/db/sql.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();

async function storeWithPrograms(names: readonly string[]): Promise<string> {
  const { id } = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://www.shop.example' })).json;
  const path = `/stores/${id}/programs`;
  for (const name of names) await addProgram(path, name);
  return path;
}

const addProgram = (path: string, name: string) => alice('POST', path, { name, landing_url: 'https://shop.example/hello' });

/** All rows, page by page; `between` runs after each page. */
async function walk(path: string, sort: string, between: () => Promise<unknown> = async () => {}): Promise<readonly Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, json }: { status: number; json: Json } = await alice(
      'GET',
      `${path}?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    rows.push(...json.data);
    cursor = json.next_cursor;
    await between();
  }
  return rows;
}

const namesOf = (rows: readonly Json[]): readonly string[] => rows.map(({ name }) => name);

test('sorts in both directions without case, and pages return each row once', async () => {
  const path = await storeWithPrograms(['beta', 'Alpha', 'Beta', 'gamma', 'alpha']);
  const ascending = await walk(path, 'name');
  // IDs of the same millisecond have no order, so either of two equal names may be first.
  expect(namesOf(ascending).map((name) => name.toLowerCase())).toEqual(['alpha', 'alpha', 'beta', 'beta', 'gamma']);
  expect(await walk(path, '-name')).toEqual(ascending.toReversed());
  expect(await walk(path, 'created_at')).toEqual((await walk(path, '-created_at')).toReversed());
  expect(await walk(path, '-created_at')).toEqual((await alice('GET', path)).json.data);
});

test('rows that are inserted between two pages neither repeat nor hide another row', async () => {
  const names = ['b', 'c', 'd', 'e', 'f'];
  const path = await storeWithPrograms(names);
  let inserted = 0;
  const rows = await walk(path, 'name', async () => {
    if (inserted < 3) await addProgram(path, `a${(inserted += 1)}`);
  });
  expect(namesOf(rows)).toEqual(names);
});

test('rejects a cursor of another sort, and names the field', async () => {
  const path = await storeWithPrograms(['one', 'two', 'three']);
  const cursorOf = async (query: string): Promise<string> => (await alice('GET', `${path}?limit=1${query}`)).json.next_cursor;
  const [byDefault, byName] = [await cursorOf(''), await cursorOf('&sort=name')];
  for (const query of [`cursor=${byName}`, `sort=-name&cursor=${byName}`, `sort=name&cursor=${byDefault}`]) {
    const { status, json } = await alice('GET', `${path}?${query}`);
    expect([status, json.reason, json.errors]).toEqual([
      400,
      'invalid_request',
      [{ field: 'cursor', message: 'belongs to another sort; send the sort of the previous page' }],
    ]);
  }
  expect((await alice('GET', `${path}?sort=-created_at&cursor=${byDefault}`)).status).toBe(200);
});

test('rejects an unknown sort and names the allowed ones', async () => {
  const path = await storeWithPrograms([]);
  const { status, json } = await alice('GET', `${path}?sort=price`);
  expect([status, json.errors[0].field]).toEqual([400, 'sort']);
  expect(json.errors[0].message).toContain('-created_at');
});

test('a cursor of one store returns no row of another store', async () => {
  const [mine, other] = [await storeWithPrograms(['a', 'b', 'c']), await storeWithPrograms(['m', 'n', 'o'])];
  const { next_cursor: cursor } = (await alice('GET', `${mine}?limit=1&sort=name`)).json;
  expect(namesOf((await alice('GET', `${other}?sort=name&cursor=${cursor}`)).json.data)).toEqual(['m', 'n', 'o']);
});

type Row = { readonly id: string; readonly amount: bigint; readonly paidAt: Date | null };
const id: SortColumn<Row> = { expression: sql`id`, type: 'uuid', value: (row) => row.id };
const sorts: ListSorts<Row> = {
  columns: {
    id,
    amount: { expression: sql`amount`, type: 'bigint', value: ({ amount }) => amount },
    paid_at: { expression: sql`paid_at`, type: 'time', isNullable: true, value: ({ paidAt }) => paidAt },
  },
  unique: id,
  defaultSort: '-id',
};

test.each(sortNames(sorts))('pages by %s return what one query returns, with ties and nulls', async (sort) => {
  const order = orderOf(sorts, sort);
  // Each amount and each time occurs several times, and every third time is null.
  const rows = sql`
    select md5(n::text)::uuid as id, (n % 4 - 2)::bigint as amount,
      case when n % 3 > 0 then '2026-03-01T00:00:00Z'::timestamptz + make_interval(days => n % 5) end as paid_at
    from generate_series(1, 40) as n`;
  const read = (after: readonly string[] | null, limit: number) =>
    app.platform.database.all<Row>(sql`select * from (${rows}) as t where true ${afterKey(order, after)} ${orderBy(order)} limit ${limit}`);
  const whole = await read(null, 100);
  const paged: Row[] = [];
  for (let after: readonly string[] | null = null, page = await read(after, 3); page.length > 0; page = await read(after, 3)) {
    paged.push(...page);
    after = page.map((row) => keyOf(order, row)).at(-1) ?? null;
  }
  expect(whole).toHaveLength(40);
  expect(paged).toEqual(whole);
  if (sort.endsWith('paid_at')) expect(whole.slice(-13).every(({ paidAt }) => paidAt === null)).toBe(true);
});

import { isCluster } from '../support/database.ts';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { listLogEntries } from '../../src/tracking/log-sql.ts';
import { explainQuery, totalRowsRead } from '../support/explained.ts';
import { merchantIn, openMerchant, otherMerchant, type Json, type Merchant } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const logOf = async ({ api, world }: Merchant, query = ''): Promise<Json> =>
  (await api('GET', `/stores/${world.store.id}/tracking-log${query}`)).json;
const subjects = (json: Json): readonly string[] => json.data.map(({ subject }: { readonly subject: string }) => subject);
const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());

test('an entry has the request, the reply, and an explanation with its values', async () => {
  const own = await fresh();
  const order = await own.order({ discountCode: 'SPRING' });
  const response = await own.convert(order);
  const { data, next_cursor } = await logOf(own);
  expect(next_cursor).toBeNull();
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^post_/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      operation: 'conversion',
      status: 200,
      reason: 'recorded',
      subject: order.order_id,
      test: false,
      replay: false,
      request_id: response.headers.get('request-id'),
      postback_key_id: expect.stringMatching(/^pbkey_/),
      latency_ms: expect.any(Number),
      explanation: expect.stringContaining('The order earns 10.01 USD: 10% of 100.05 USD is 10.01 USD.'),
      why: expect.objectContaining({ commission_cents: 1_001, terms_version: 1 }),
      warnings: [
        { code: 'unknown_field', field: '/discountCode', message: 'The field discountCode is ignored. Did you mean discount_code?' },
      ],
      reply: response.json,
      body: JSON.stringify(order),
    },
  ]);
});

test('warns of a misspelling or a key in a browser in a request that failed a check', async () => {
  const own = await fresh();
  const key = { authorization: `Bearer ${own.world.store.postback_key}` };
  await own.convert({ orderId: '1' });
  await own.convert('[', { ...key, origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' });
  const codes = (await logOf(own)).data.map(({ warnings }: { readonly warnings: ReadonlyArray<{ readonly code: string }> }) =>
    warnings.map(({ code }) => code),
  );
  expect(codes).toEqual([['key_in_browser'], ['unknown_field']]);
});

test('finds a request that failed a check by its ID, and distinguishes a test from an order', async () => {
  const own = await fresh();
  await own.convert(await own.order({ order_id: 'A-1', currency: 7 }));
  await own.convert(await own.order({ order_id: 'A-2', currency: 7, test: true }));
  await own.reverse({ order_id: 'A-1', amount: 5 });
  await own.post('v2/recurring/relationships/end', { event_id: 'E-1', environment: 'test' });
  for (const body of [{ order_id: 7 }, { order_id: 'a\0b' }, {}, '[]', '[']) await own.convert(body);
  const { data } = await logOf(own);
  expect(data.map((line: Json) => [line.status, line.subject, line.test]).reverse()).toEqual([
    [400, 'A-1', false],
    [400, 'A-2', true],
    [400, 'A-1', false],
    [400, 'E-1', true],
    ...Array.from({ length: 5 }, () => [400, null, false]),
  ]);
  expect(subjects(await logOf(own, '?q=A-1'))).toEqual(['A-1', 'A-1']);
});

test('filters narrow the list, alone and together, and q is the beginning of a subject as it is written', async () => {
  const own = await fresh();
  for (const order_id of ['A-1', 'A-2', 'a-1', 'A%_1', 'B-1'])
    await own.convert(await own.order({ order_id, click_id: await own.click() }));
  await own.convert(await own.order({ order_id: 'A-3', click_id: null }));
  await own.moveClock('1h');
  const later = own.at();
  await own.reverse({ order_id: 'A-1' });
  expect(subjects(await logOf(own))).toEqual(['A-1', 'A-3', 'B-1', 'A%_1', 'a-1', 'A-2', 'A-1']);
  expect(subjects(await logOf(own, '?q=A-'))).toEqual(['A-1', 'A-3', 'A-2', 'A-1']);
  expect(subjects(await logOf(own, '?q=A%25_'))).toEqual(['A%_1']);
  expect(subjects(await logOf(own, '?status=422'))).toEqual(['A-3']);
  expect(subjects(await logOf(own, '?reason=missing_referral_click'))).toEqual(['A-3']);
  expect(subjects(await logOf(own, '?operation=reversal'))).toEqual(['A-1']);
  expect(subjects(await logOf(own, '?operation=conversion&status=200&q=A-1'))).toEqual(['A-1']);
  expect(subjects(await logOf(own, `?from=${later}`))).toEqual(['A-1']);
  expect(subjects(await logOf(own, `?to=${later}`))).toHaveLength(6);
  expect(subjects(await logOf(own, `?from=${later}&to=${later}`))).toEqual([]);
});

test('stores an ID of maximum length whole, and finds the entry by it after the body is deleted', async () => {
  const own = await fresh();
  // Of characters that do not compress: the largest entry that the index can contain.
  const start = Array.from({ length: 498 }, (_, place) => String.fromCodePoint(0x20000 + ((place * 7_919) % 40_000))).join('');
  for (const end of ['-a', '-b']) await own.convert(await own.order({ order_id: `${start}${end}`, click_id: null }));
  expect(subjects(await logOf(own))).toEqual([`${start}-b`, `${start}-a`]);
  const long = 'x'.repeat(498);
  for (const end of ['-a', '-b']) await own.convert(await own.order({ order_id: `${long}${end}`, click_id: null }));
  expect(subjects(await logOf(own, `?q=${long}-a`))).toEqual([`${long}-a`]);
  expect(subjects(await logOf(own, `?q=${long}`))).toEqual([`${long}-b`, `${long}-a`]);
});

test.skipIf(isCluster)('finds the entries of a time range among many', async () => {
  const own = await fresh();
  const { database, storeId } = own;
  await own.convert(await own.order({ click_id: null }));
  const now = Date.parse(own.at());
  // One a minute, as the first one is.
  for (let chunk = 0; chunk < 10; chunk++)
    await database.run(sql`
      insert into postback_log
      select (jsonb_populate_record(line, jsonb_build_object(
        'postback_id', (lpad(to_hex(${now}::bigint - minutes * 60000), 12, '0') || '70008000000000000000')::uuid,
        'at', to_timestamp((${now}::bigint - minutes * 60000) / 1000.0)))).*
      from (select line from postback_log line where store_id = ${storeId} order by postback_id desc limit 1) as newest,
        generate_series(${chunk * 1_000 + 1}::bigint, ${chunk * 1_000 + 1_000}::bigint) as minutes`);
  await database.run(sql`analyze postback_log`);
  const filter = { status: null, reason: null, operation: null, subject: null };
  const chunk = { from: new Date(now - 5_000 * minuteMs), to: new Date(now - 4_900 * minuteMs) };
  const read = (times: Partial<typeof chunk>) =>
    explainQuery(database, (db) => listLogEntries(db, storeId, { from: null, to: null, ...filter, ...times }, { after: null, limit: 50 }));
  for (const times of [chunk, { from: chunk.from }, { to: chunk.to }]) expect(totalRowsRead(await read(times))).toBe(51);
  const query = `?limit=200&from=${chunk.from.toISOString()}&to=${chunk.to.toISOString()}`;
  const { data } = await logOf(own, query);
  expect(data).toHaveLength(100);
  expect([data[0].at, data.at(-1).at]).toEqual([new Date(now - 4_901 * minuteMs).toISOString(), chunk.from.toISOString()]);
  expect((await logOf(own, '?from=1900-01-01T00:00:00Z&to=1969-12-31T00:00:00Z')).data).toEqual([]);
  expect((await logOf(own, '?from=1900-01-01T00:00:00Z&to=9999-01-01T00:00:00Z&limit=7')).data).toHaveLength(7);
});

test('q finds entries behind thousands of others, in both orders and over several pages', async () => {
  const own = await fresh();
  const { database, storeId } = own;
  await own.convert(await own.order({ order_id: 'template', click_id: null }));
  const now = Date.now();
  // The newest and the oldest entries begin with "rare", and 2,500 others are between them.
  await database.run(sql`
    insert into postback_log
    select (jsonb_populate_record(line, jsonb_build_object(
      'postback_id', (lpad(to_hex(${now}::bigint - 100000 + place), 12, '0') || '70008000000000000000')::uuid,
      'subject', case when place <= 70 or place > 2570 then 'rare ' else 'frequent ' end || place))).*
    from (select line from postback_log line where store_id = ${storeId} limit 1) as template,
      generate_series(1, 2600) as place`);
  const rare = [...Array.from({ length: 30 }, (_none, index) => 2600 - index), ...Array.from({ length: 70 }, (_none, index) => 70 - index)];
  const named = rare.map((place) => `rare ${place}`);
  const pagesOf = async (query: string) => {
    const first = await logOf(own, `?limit=60&${query}`);
    return [...subjects(first), ...subjects(await logOf(own, `?limit=60&${query}&cursor=${first.next_cursor}`))];
  };
  expect(await pagesOf('q=rare')).toEqual(named);
  expect(await pagesOf('q=rare&sort=at')).toEqual(named.toReversed());
  expect(subjects(await logOf(own, '?q=rare%2070&status=422'))).toEqual(['rare 70']);
  expect(subjects(await logOf(own, '?q=frequent&limit=2'))).toEqual(['frequent 2570', 'frequent 2569']);
});

test('the CSV file has exactly the filtered entries, and the totals count the same', async () => {
  const own = await fresh();
  for (const order_id of ['A-1', 'A-2', 'B-1', '=cmd']) await own.convert(await own.order({ order_id, click_id: null }));
  const fileOf = async (query: string, accept?: string) => {
    const headers = { authorization: `Bearer ${own.world.operator_key}`, ...(accept && { accept }) };
    const answer = await fetch(`${own.service.url}/api/v1/stores/${own.world.store.id}/tracking-log${query}`, { headers });
    return { status: answer.status, name: answer.headers.get('content-disposition'), text: await answer.text() };
  };
  const byHeader = await fileOf('?q=A-', 'text/csv');
  expect(byHeader.name).toBe('attachment; filename="tracking-log.csv"');
  const lines = byHeader.text.trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',')[5])).toEqual(['subject', 'A-2', 'A-1']);
  expect(await fileOf('?q=A-&accept=text%2Fcsv')).toEqual(byHeader);
  expect((await fileOf('?q=%3D', 'text/csv')).text).toContain("'=cmd");
  const totals = async (query: string) => (await own.api('GET', `/stores/${own.world.store.id}/tracking-log/totals${query}`)).json;
  expect(await totals('?q=A-')).toEqual({ count: 2, has_more: false });
  expect(await totals('?status=422')).toEqual({ count: 4, has_more: false });
  expect((await fileOf('?limit=2', 'text/csv')).status).toBe(400);
  expect((await fileOf('?accept=text%2Fhtml')).status).toBe(400);
});

test('counts the postbacks of the last days by reason, the most frequent first', async () => {
  const own = await fresh();
  for (const order_id of ['r1', 'r2']) await own.convert(await own.order({ order_id, click_id: null }));
  await own.convert(await own.order());
  const path = `/stores/${own.world.store.id}/tracking-log/reasons`;
  const { json } = await own.api('GET', `${path}?days=1`);
  expect(json.data.map(({ reason, accepted, count }: Json) => [reason, accepted, count])).toEqual([
    ['missing_referral_click', false, 2],
    ['recorded', true, 1],
  ]);
  expect((await own.api('GET', `${path}?days=91`)).status).toBe(400);
});

test('pages contain each entry once, newest first, even if new ones arrive in between', async () => {
  const own = await fresh();
  const ids = ['p1', 'p2', 'p3', 'p4', 'p5'];
  for (const order_id of ids) await own.convert(await own.order({ order_id, click_id: null }));
  const first = await logOf(own, '?limit=2');
  await own.convert(await own.order({ order_id: 'p6', click_id: null }));
  const second = await logOf(own, `?limit=2&cursor=${first.next_cursor}`);
  const third = await logOf(own, `?limit=2&cursor=${second.next_cursor}`);
  expect([first, second, third].flatMap(subjects)).toEqual([...ids].reverse());
  expect(third.next_cursor).toBeNull();
});

test('rejects an invalid query with its field, and a cursor of another list', async () => {
  const path = `/stores/${merchant.world.store.id}/tracking-log`;
  for (const query of [
    '?status=abc',
    '?limit=201',
    '?from=yesterday',
    '?from=2026-13-01T00:00:00Z',
    '?to=2026-02-30T00:00:00Z',
    '?from=0000-12-31T23:59:59Z',
    '?to=9999-12-31T23:59:59-05:00',
    '?q=%00',
    '?colour=red',
    '?cursor=WyJhIl0',
  ]) {
    const { status, json } = await merchant.api('GET', `${path}${query}`);
    expect([query, status, json.reason]).toEqual([query, 400, 'invalid_request']);
  }
});

test("shows no entry of another store, and answers 404 for another store's log", async () => {
  const other = otherMerchant(merchant);
  await other.convert(await other.order({ order_id: 'theirs', click_id: null }));
  expect(subjects(await logOf(merchant))).not.toContain('theirs');
  const scopes = ['store:read'];
  const { json: made } = await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, { name: 'Reader', scopes });
  const asReader = async (path: string) => {
    const response = await fetch(`${merchant.service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${made.key}` } });
    return [response.status, await response.text()] as const;
  };
  expect((await asReader(`/stores/${merchant.world.store.id}/tracking-log`))[0]).toBe(200);
  const missing = 'store_00000000000000000000000000';
  for (const end of ['tracking-log', 'tracking-log/stream', 'commissions']) {
    const theirs = await asReader(`/stores/${other.world.store.id}/${end}`);
    expect(theirs[0]).toBe(404);
    expect(theirs).toEqual(await asReader(`/stores/${missing}/${end}`));
  }
});

test('a feed receives each entry once, within two seconds of its reply, and never a key', async () => {
  const own = await fresh();
  const stream = await fetch(`${own.service.url}/api/v1/stores/${own.world.store.id}/tracking-log/stream`, {
    headers: { authorization: `Bearer ${own.world.operator_key}` },
  });
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const reader = stream.body?.getReader();
  let text = '';
  void (async () => {
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return;
      text += Buffer.from(piece.value).toString();
    }
  })().catch(() => {});
  await expect.poll(() => text).toContain('retry: ');
  const order = await own.order();
  const tookMs: number[] = [];
  const sendAndSee = async (count: number) => {
    const response = await own.convert(order);
    const answeredMs = performance.now();
    await expect.poll(() => text.match(/^event: postback$/gm)?.length, { interval: 20 }).toBe(count);
    tookMs.push(performance.now() - answeredMs);
    return response;
  };
  const response = await sendAndSee(1);
  for (const count of [2, 3, 4]) await sendAndSee(count);
  // Each is sent right after a look, so that it waits for the whole pause. A busy machine may be late, but not each of four times.
  expect(Math.min(...tookMs)).toBeLessThan(2_000);
  const lines = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  expect(lines.map(({ reason, subject }) => [reason, subject])).toEqual([
    ['recorded', order.order_id],
    ...Array.from({ length: 3 }, () => ['duplicate_order', order.order_id]),
  ]);
  expect(lines[0].request_id).toBe(response.headers.get('request-id'));
  expect(text).not.toContain(own.world.store.postback_key);
  await reader?.cancel();
});

test('deletes bodies after 90 days, and keeps the entries', async () => {
  const own = await fresh();
  const order = await own.order();
  await own.convert(order);
  // As if the postback had arrived long ago: an entry's ID contains its time.
  const aged = new Date(Date.parse(own.at()) - 89 * dayMs);
  await own.database.run(sql`update postback_log set at = ${aged}, postback_id = ${newId(aged)} where store_id = ${own.storeId}`);
  await own.moveClock('23h');
  expect((await logOf(own)).data[0].body).toBe(JSON.stringify(order));
  await own.moveClock('26h');
  const { data } = await logOf(own);
  expect(data).toMatchObject([{ subject: order.order_id, reason: 'recorded', body: null, reply: { ok: true } }]);
  const kept = sql`select count(*) as count from postback_log where body is not null and at < ${new Date(own.at(-91 * dayMs))}`;
  expect(await own.database.one(kept)).toEqual({ count: 0n });
});

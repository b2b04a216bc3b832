import { afterAll, describe, expect, test } from 'vitest';
import { noFilter, parseCommissionFilter } from '../../src/commissions/commission-filter.ts';
import { lockMatching, listMatching, rejectCommissions, reopenCommissions } from '../../src/commissions/review-sql.ts';
import { listCommissions, commissionTotals } from '../../src/commissions/list-commissions-sql.ts';
import { sql, uuids } from '../../src/db/sql.ts';
import { isRefusal } from '../../src/http/responses.ts';
import type { Page } from '../../src/http/page.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { freshDatabase, isCluster } from '../support/database.ts';
import { explainQuery, indexesOf, totalRowsRead } from '../support/explained.ts';

const rows = 200_000;
const chunkSize = 20_000;
const oldest = 40_000;
const start = new Date('2026-01-01T00:00:00.000Z');
const storeId = newId<'store'>(start);
const creators = Array.from({ length: 200 }, () => newId<'crt'>(start));

/** Ids with the time first, as the service creates them. */
const idOfRow = sql`
  (lpad(to_hex((extract(epoch from ${start}::timestamptz) * 1000)::bigint + n::bigint * 60000), 12, '0') || '7000-8000-'
    || lpad(to_hex(n), 12, '0'))::uuid`;

/** One in 1,000 is pending and one in 200 is held; a tenth of the orders, and the oldest ones, have ids with another prefix. */
const fill = (first: number, last: number) =>
  database.run(sql`
    insert into commissions (store_id, commission_id, state, held_reason, held_by, held_since, program_id, creator_id, link_number,
      source_kind, source_id, source_text, eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days,
      hold_days, hold_until, earned, approved_at)
    select ${storeId}::uuid, ${idOfRow}, case when n % 1000 = 7 then 'pending' else 'approved' end,
      case when n % 200 = 3 then 'dispute' end, case when n % 200 = 3 then 'a test' end,
      case when n % 200 = 3 then ${start}::timestamptz end,
      ${newId(start)}::uuid, (${uuids(creators)})[1 + n % 200], 1, 'order', gen_random_uuid(),
      case when n % 10 = 0 then 'web-' when n <= ${oldest} then 'old_' else 'store_' end || n, 1000, 100,
      ${start}::timestamptz + n * interval '1 minute', ${start}::timestamptz + n * interval '1 minute', 1, 30, 30,
      ${start}::timestamptz, '[]', case when n % 1000 = 7 then null else ${start}::timestamptz end
    from generate_series(${first}::int, ${last}::int) as n`);

type Fields = Parameters<typeof parseCommissionFilter>[0];
function filterOf(fields: Fields) {
  const filter = parseCommissionFilter(fields, '', new Date());
  invariant(!isRefusal(filter), 'the filter is valid');
  return filter;
}

const pageMsMax = 100;
/** The rows of two days, and one page. */
const rowsReadMax = 3_000;
const page = (fields: Fields, position: Page['after'] = null) =>
  explainQuery(database, (db) => listCommissions(db, storeId, filterOf(fields), { after: position, limit: 50 }));
/** Retries when the machine was busy during the measurement. */
const expectQuick = (ask: () => Promise<{ readonly ms: number }>) => expect.poll(async () => (await ask()).ms).toBeLessThan(pageMsMax);
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);

const { database } = await freshDatabase();
afterAll(() => database.end());
// Inserts in chunks, because a statement may take a minute at most.
for (let first = 1; first < rows; first += chunkSize) await fill(first, first + chunkSize - 1);
await database.run(sql`analyze commissions`);

describe.skipIf(isCluster)('an index finds a page of 200,000 commissions in under 100 ms', () => {
  const deep: Page['after'] = [String(minutes(rows / 4).getTime()), newId<'com'>(start)];
  type SearchQuery = { readonly fields: Fields; readonly after?: Page['after'] };
  test.each<readonly [what: string, index: string, query: SearchQuery]>([
    ['the first', 'commissions_by_time', { fields: {} }],
    ['a deep one', 'commissions_by_time', { fields: {}, after: deep }],
    ['the few that wait', 'commissions_by_state', { fields: { state: 'pending' } }],
    ['the many that do not', 'commissions_by_time', { fields: { state: 'approved' } }],
    ['those that are held', 'commissions_held', { fields: { held: true } }],
    ['those held for one reason, deep', 'commissions_held', { fields: { held: 'dispute' }, after: deep }],
    ["a creator's", 'commissions_by_creator', { fields: { creator_id: publicId('crt', creators[0] ?? newId(start)) } }],
    ['what approves itself soon', 'commissions_approving_themselves', { fields: { approves_itself_within_days: 2 } }],
    ['a period of time', 'commissions_by_time', { fields: { from: minutes(5_000).toISOString(), to: minutes(6_000).toISOString() } }],
  ])('%s', async (_what, index, { fields, after }) => {
    expect(indexesOf(await page(fields, after))).toEqual([index]);
    await expectQuick(() => page(fields, after));
  });

  // The search reads the matching rows of each day; a day without a match costs one index look-up.
  test.each<readonly [what: string, query: SearchQuery]>([
    ['of one order alone, its whole id', { fields: { order_id: 'store_77777' } }],
    ['of an order that is not there', { fields: { order_id: 'none' } }],
    ['of a few', { fields: { q: 'web-1234' } }],
    ['of ten thousand, all older than the newest', { fields: { q: 'store_12' } }],
    ['of so many that they cannot be sorted, all much older than the newest', { fields: { q: 'old_' } }],
    ['of many, deep', { fields: { q: 'old_' }, after: [String(minutes(oldest / 2).getTime()), newId<'com'>(start)] }],
    ['that all have', { fields: { q: 'store_' } }],
    ['that many have, of which few wait', { fields: { q: 'store_', state: 'pending' } }],
    ['that many have, of which none waits any more', { fields: { q: 'old_', state: 'paid' } }],
    ['with a character that is a LIKE wildcard', { fields: { q: 'store_7777' } }],
    ['of nothing', { fields: { q: '%' } }],
  ])('a prefix %s', async (_what, { fields, after }) => {
    expect(totalRowsRead(await page(fields, after))).toBeLessThan(rowsReadMax);
    await expectQuick(() => page(fields, after));
  });
});

test.skipIf(isCluster).each<readonly [what: string, fields: Fields]>([
  ['an end that a few orders have', { q: '7777' }],
  ['an end that a thousandth of the orders have', { q: '777' }],
  ['an end that few pending orders have', { q: '07', state: 'pending' }],
  ['nothing at all', { q: 'nothing' }],
])('a search for %s reads few rows', async (_what, fields) => {
  expect(totalRowsRead(await page(fields))).toBeLessThan(rowsReadMax);
  await expectQuick(() => page(fields));
});

test.skipIf(isCluster).each<readonly [what: string, text: string, isWhole: boolean]>([
  ['the whole ID', 'store_77777', true],
  ['no whole ID', 'store_7777x', true],
  ['a beginning that ten thousand orders have', 'store_12', false],
  ['an end', '7777', false],
  ['nothing', 'nothing', false],
])('a search of the source for %s reads few rows', async (_what, text, isWhole) => {
  const find = () =>
    explainQuery(database, (db) => listCommissions(db, storeId, { ...noFilter, source: { text, isWhole } }, { after: null, limit: 4 }));
  expect(totalRowsRead(await find())).toBeLessThan(rowsReadMax);
  await expectQuick(find);
});

test.skipIf(isCluster)(
  "a creator's sales are searched by a part of the ID in the index, and only the page is read from the table",
  async () => {
    // As autovacuum does.
    await database.run(sql`vacuum commissions`);
    const creatorId = creators[7] ?? newId(start);
    for (const [sourceIdPart, found] of [
      ['7', 51],
      ['nothing', 0],
    ] as const) {
      const { scans } = await explainQuery(database, (db) =>
        listCommissions(db, storeId, { ...noFilter, creatorId, sourceIdPart }, { after: null, limit: 50 }),
      );
      expect(scans).toContainEqual({ index: 'commissions_by_creator', rowsRead: expect.any(Number), isIndexOnly: true });
      expect(scans.filter(({ isIndexOnly }) => !isIndexOnly)).toEqual([{ index: 'commissions_pkey', rowsRead: found, isIndexOnly: false }]);
    }
  },
);

test.skipIf(isCluster)('a search combines the indexes of beginnings and ends', async () => {
  expect(indexesOf(await page({ q: '7777' }))).toEqual(expect.arrayContaining(['commissions_by_end', 'commissions_by_id_start']));
});

test.skipIf(isCluster)('a decision on all matching commissions reads about as many as it decides, anywhere in the list', async () => {
  const next = (fields: Fields, position: Page['after'] = null) => {
    const before = newId<'com'>(new Date());
    return explainQuery(database, (db) => listMatching(db, storeId, filterOf(fields), { after: position, before, limit: 500 }));
  };
  const late = minutes(rows - 5_000).toISOString();
  const early = minutes(5_000).toISOString();
  for (const fields of [
    { from: late },
    { to: early },
    { state: 'pending', from: late },
    { q: 'old_' },
    { order_id: 'store_77777' },
  ] as const)
    expect([fields, totalRowsRead(await next(fields)) < rowsReadMax]).toEqual([fields, true]);
  expect(totalRowsRead(await next({ state: 'approved' }, [String(minutes(200).getTime()), newId(start)]))).toBeLessThan(rowsReadMax);
});

test('the lock checks the selected commissions again, and drops those that were decided meanwhile', async () => {
  const filter = filterOf({ state: 'pending' });
  const three = { after: null, before: newId<'com'>(new Date()), limit: 3 };
  const picked = (await listMatching(database, storeId, filter, three)).map(({ commissionId }) => commissionId);
  await database.transaction(async (tx) => {
    await rejectCommissions(tx, { storeId, commissionIds: picked.slice(0, 1) }, { at: start, reason: 'a test', note: null });
    const locked = await lockMatching(tx, filter, { storeId, commissionIds: picked });
    expect(locked.map(({ commissionId }) => commissionId)).toEqual(picked.slice(1).toSorted());
    await reopenCommissions(tx, { storeId, commissionIds: picked.slice(0, 1) });
  });
});

test('totals are exact to 100,000 rows, and read at most one row more', async () => {
  const totals = (fields: Fields, most: number) => commissionTotals(database, storeId, filterOf(fields), most);
  expect(await totals({ state: 'pending' }, 100_000)).toEqual({
    count: 200n,
    amountCents: 20_000n,
    earnedCents: 20_000n,
    eligibleCents: 200_000n,
  });
  expect(await totals({}, 100_000)).toMatchObject({ count: 100_001n, amountCents: 10_000_000n, eligibleCents: 100_000_000n });
  expect(await totals({ q: 'nothing' }, 100_000)).toEqual({ count: 0n, amountCents: 0n, earnedCents: 0n, eligibleCents: 0n });
  // One day has 144 matches, so the limit is reached within a day.
  expect(await totals({ q: 'web-' }, 100)).toMatchObject({ count: 101n, amountCents: 10_000n, eligibleCents: 100_000n });
  expect(await totals({ q: 'old_' }, 100_000)).toMatchObject({ count: 36_000n });
  expect(await totals({}, rows)).toMatchObject({ count: BigInt(rows) });
  expect(await totals({}, rows - 1)).toMatchObject({ count: BigInt(rows), amountCents: 100n * BigInt(rows - 1) });
});

test('a prefix search returns all matches page by page, newest first, within the requested times', async () => {
  const filter = filterOf({ q: 'web-1', from: minutes(1_000).toISOString(), to: minutes(150_000).toISOString() });
  const plans: string[] = [];
  for (let after: Page['after'] = null; ;) {
    const found = await listCommissions(database, storeId, filter, { after, limit: 999 });
    plans.push(...found.slice(0, 999).map(({ sourceText }) => sourceText));
    const last = found[998];
    if (found.length < 1_000 || !last) break;
    after = [String(last.occurredAt.getTime()), last.commissionId];
  }
  const wanted = Array.from({ length: 15_000 }, (_none, place) => String((15_000 - place) * 10)).filter(
    (number) => number.startsWith('1') && Number(number) >= 1_000 && Number(number) < 150_000,
  );
  expect(plans).toEqual(wanted.map((number) => `web-${number}`));
});

test('a prefix matches character by character, also beyond the indexed length', async () => {
  const found = async (fields: Fields) =>
    (await listCommissions(database, storeId, filterOf(fields), { after: null, limit: 50 })).map(({ sourceText }) => sourceText);
  expect(await found({ q: 'web_10' })).toEqual([]);
  expect(await found({ q: 'web-10000' })).toEqual(['web-100000', 'web-10000']);
  const long = '😀'.repeat(120);
  const ids: readonly Id<'com'>[] = [newId(start), newId(start)];
  for (const [place, text] of [`${long}a`, `${long}b`].entries())
    await database.run(sql`
      insert into commissions (store_id, commission_id, state, program_id, creator_id, link_number, source_kind, source_id, source_text,
        eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until, earned)
      values (${storeId}, ${ids[place]}, 'pending', ${newId(start)}, ${creators[0]}, 1, 'order', ${newId(start)}, ${text}, 1, 1,
        ${start}, ${start}, 1, 30, 30, ${start}, '[]')`);
  expect(await found({ q: '😀'.repeat(100) })).toHaveLength(2);
  expect(await found({ order_id: `${long}a` })).toEqual([`${long}a`]);
  expect(await found({ order_id: long })).toEqual([]);
});

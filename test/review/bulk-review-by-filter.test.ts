import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { merchantIn, openMerchant, otherMerchant, type Merchant } from '../support/merchant.ts';
import { expectLedgerBalanced, openMany, reviewerOf } from '../support/review.ts';
import { within } from '../support/size.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const byState = async ({ database, storeId }: Merchant) => {
  const rows = await database.all<{ state: string; count: bigint }>(
    sql`select state, count(*) as count from commissions where store_id = ${storeId} group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
};

test('decides on all matching commissions in transactions of 1,000, and on no other commission or store', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const other = otherMerchant(own);
  await openMany(other, 10);
  const ids = await openMany(own, 5_000);
  const [held = '', rejected = ''] = ids;
  await reviewer.results('hold', [held]);
  await reviewer.results('reject', [rejected]);

  const begun = performance.now();
  const response = await reviewer.act('approve', { filter: { state: 'pending' } });
  const tookMs = performance.now() - begun;
  expect(response.json).toEqual({
    results: null,
    counts: { ok: 4_998, not_found: 0, held: 1, not_held: 0, rejected: 0, reversed: 0, billed: 0, conflict: 0 },
    // One range for each transaction of at most 1,000.
    decided: Array.from({ length: 5 }, () => ({ first: expect.stringMatching(/^dec_/), last: expect.stringMatching(/^dec_/) })),
    has_more: false,
    next_cursor: null,
  });
  expect(await byState(own)).toEqual({ pending: 1, rejected: 1, approved: 4_998 });
  expect(await byState(other)).toEqual({ pending: 10 });
  // Measured: under a second. One call per commission takes minutes.
  expect(tookMs).toBeLessThan(within(8_000));

  expect((await reviewer.act('reject', { filter: { state: 'approved', held: false } })).json.counts).toMatchObject({ ok: 4_998 });
  expect(await byState(own)).toEqual({ pending: 1, rejected: 4_999 });
  await expectLedgerBalanced(own);
  const log = await own.api('GET', `/stores/${own.world.store.id}/audit-log?limit=1`);
  expect(log.json.data[0]).toMatchObject({
    action: 'commissions.reject',
    details: { filter: { state: 'approved', held: false }, counts: { ok: 4_998 } },
  });
});

test('a filter without a state decides only on commissions that were not decided on before', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const [rejected = '', approved = '', held = ''] = await openMany(own, 6);
  await reviewer.results('reject', [rejected]);
  await reviewer.results('approve', [approved]);
  await reviewer.results('hold', [held]);
  expect((await reviewer.act('reject', { filter: { q: 'bulk', to: own.at(-3_600_000) } })).json.counts.ok).toBe(0);
  expect((await reviewer.act('approve', { filter: {} })).json.counts).toMatchObject({ ok: 3, held: 1, rejected: 0 });
  expect(await byState(own)).toEqual({ rejected: 1, approved: 4, pending: 1 });
  expect((await reviewer.act('reject', { filter: {} })).json.counts).toMatchObject({ ok: 0, held: 1 });
  expect(await byState(own)).toEqual({ rejected: 1, approved: 4, pending: 1 });
  expect((await reviewer.act('release', { filter: {} })).json.counts).toMatchObject({ ok: 1, not_held: 0 });
  expect((await reviewer.act('hold', { filter: {} })).json.counts).toMatchObject({ ok: 5, rejected: 1 });
  // A given state is used as given.
  await reviewer.act('release', { filter: {} });
  expect((await reviewer.act('approve', { filter: { state: 'rejected' } })).json.counts).toMatchObject({ ok: 1 });
  const reopened = await reviewer.act('reopen', { filter: {} });
  expect([reopened.status, reopened.json.errors]).toEqual([
    400,
    [{ field: 'filter.state', message: 'must be approved or rejected to reopen by filter' }],
  ]);
  await expectLedgerBalanced(own);
});

test('a cursor continues after unchanged commissions and excludes those recorded after the first call', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const ids = await openMany(own, 2_500);
  await reviewer.results('hold', [...ids].sort().slice(-700));
  const filter = { state: 'pending' };
  const part = async (cursor?: string) => (await reviewer.act('approve', { filter, limit: 1_200, ...(cursor && { cursor }) })).json;
  const first = await part();
  expect([first.counts.held, first.counts.ok, first.has_more]).toEqual([700, 500, true]);
  await own.moveClock('1m');
  await openMany(own, 10);
  const second = await part(first.next_cursor);
  expect([second.counts.held, second.counts.ok, second.has_more]).toEqual([0, 1_200, true]);
  const third = await part(second.next_cursor);
  expect([third.counts.held, third.counts.ok, third.has_more, third.next_cursor]).toEqual([0, 100, false, null]);
  expect(await byState(own)).toEqual({ pending: 710, approved: 1_800 });
  const uuid = '019b76da-a800-707b-ab7a-e8bb311285ac';
  const places = ['["com_1","com_2"]', `["com_1","1","${uuid}"]`, `["com_1","x","${uuid}"]`, '["com_1","1","com_2"]'];
  for (const cursor of ['x', ...places.map((place) => Buffer.from(place).toString('base64url'))]) {
    const response = await reviewer.act('approve', { filter, cursor });
    expect([response.status, response.json.errors]).toEqual([400, [{ field: 'cursor', message: 'is not a cursor of this operation' }]]);
  }
});

test('the filter for automatic approval selects the same commissions in the list and in bulk actions', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const soon = await openMany(own, 3, { autoApproveAt: new Date(own.at(47 * 3_600_000)) });
  await openMany(own, 2, { autoApproveAt: new Date(own.at(49 * 3_600_000)) });
  await openMany(own, 1);
  await reviewer.results('hold', soon.slice(0, 1));
  const listed = async (days: string) =>
    (await own.api('GET', `/stores/${own.world.store.id}/commissions?approves_itself_within_days=${days}`)).json.data.length;
  expect([await listed('2'), await listed('3'), await listed('90')]).toEqual([2, 4, 4]);
  const response = await reviewer.act('reject', { filter: { approves_itself_within_days: 2 } });
  expect(response.json.counts).toMatchObject({ ok: 2, held: 0 });
  expect([await listed('2'), await byState(own)]).toEqual([0, { pending: 4, rejected: 2 }]);
});

test('each field of the filter selects its commissions', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const sale = await reviewer.sale({ order_id: 'SHOP-1' });
  const later = await reviewer.sale({ order_id: 'SHOP-2%', occurred_at: own.at(60_000) });
  const asks: ReadonlyArray<readonly [filter: object, ids: readonly string[]]> = [
    [{ order_id: 'SHOP-1' }, [sale.commissionId]],
    [{ order_id: 'SHOP' }, []],
    [{ q: 'SHOP-' }, [sale.commissionId, later.commissionId]],
    [{ q: '%' }, [later.commissionId]],
    [{ q: '_' }, []],
    [{ q: 'SHOP-2%' }, [later.commissionId]],
    [{ creator_id: own.world.creator.id }, [sale.commissionId, later.commissionId]],
    [{ creator_id: merchant.world.creator.id }, []],
    [{ creator_id: 'nobody' }, []],
    [{ from: own.at(30_000) }, [later.commissionId]],
    [{ to: own.at(30_000) }, [sale.commissionId]],
    [{ state: 'approved' }, []],
    [{ held: true }, []],
    [{}, [sale.commissionId, later.commissionId]],
  ];
  for (const [filter, ids] of asks) {
    const response = await reviewer.act('hold', { filter });
    expect(response.json.counts.ok, JSON.stringify(filter)).toBe(ids.length);
    expect((await reviewer.act('release', { filter: { held: 'dispute' } })).json.counts.ok).toBe(ids.length);
    for (const id of ids) expect(await reviewer.stateOf(id)).toBe('pending');
  }
});

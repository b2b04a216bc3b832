import { expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/ids.ts';
import { merchantIn, openSharedMerchant, otherMerchant, type Merchant } from '../support/merchant.ts';
import { expectLedgerBalanced, openMany, reviewerOf, type ReviewPath } from '../support/review.ts';

const first = await openSharedMerchant();

const fresh = async () => merchantIn(first.service, await first.service.seed());
type Decided = { readonly first: string; readonly last: string };
const undoIn = (merchant: Merchant, range: object) => merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/undo`, range);

/** Applies the decision, and returns its `decided` entries, which an undo names. */
async function decided(merchant: Merchant, path: ReviewPath, body: object): Promise<readonly Decided[]> {
  const { status, json } = await reviewerOf(merchant).act(path, body);
  expect(status).toBe(200);
  return json.decided;
}

test("undo restores each commission's earlier state: pending, approved, or rejected with its reason and note", async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const sales = [await reviewer.sale(), await reviewer.sale(), await reviewer.sale(), await reviewer.sale()];
  const ids = sales.map(({ commissionId }) => commissionId);
  const [pending = '', approved = '', returned = '', same = ''] = ids;
  await reviewer.results('approve', [approved]);
  await reviewer.results('reject', [returned], { reason: 'returned', note: 'by post' });
  await reviewer.results('reject', [same], { reason: 'own order' });
  const [range = { first: '', last: '' }, ...more] = await decided(own, 'reject', { ids: [pending, approved], reason: 'fraud' });
  expect(more).toEqual([]);
  const [all = { first: '', last: '' }] = await decided(own, 'approve', { ids });
  expect(await undoIn(own, all)).toMatchObject({ status: 200, json: { counts: { ok: 4, conflict: 0 } } });
  expect(await Promise.all(ids.map(reviewer.stateOf))).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  const path = `/stores/${own.world.store.id}/commissions`;
  const reasons = (await own.api('GET', `${path}?state=rejected`)).json.data;
  expect(
    Object.fromEntries(reasons.map((one: Record<string, string>) => [one['id'], [one['rejected_reason'], one['rejected_note']]])),
  ).toEqual({
    [pending]: ['fraud', null],
    [approved]: ['fraud', null],
    [returned]: ['returned', 'by post'],
    [same]: ['own order', null],
  });
  // The undo is a later decision, so neither the older decision nor the undone one can be undone again.
  expect((await undoIn(own, range)).json.counts).toMatchObject({ ok: 0, conflict: 2 });
  expect((await undoIn(own, all)).json.counts).toMatchObject({ ok: 0, conflict: 4 });
  expect((await reviewer.history(pending)).map(({ action }) => action)).toEqual(['reject', 'approve', 'reject']);
  await expectLedgerBalanced(own);
});

test('undo of a hold releases it, and undo of a release restores the hold and its reason; automatic holds stay released', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const mine = (await reviewer.sale()).commissionId;
  const [held = {}] = await decided(own, 'hold', { ids: [mine], reason: 'fraud_review', note: 'ask' });
  expect((await undoIn(own, held)).json.counts.ok).toBe(1);
  expect(await reviewer.stateOf(mine)).toBe('pending');
  await reviewer.results('hold', [mine], { reason: 'fraud_review' });
  await own.api('POST', `/creators/${own.world.creator.id}/suspend`, {});
  const houses = (await reviewer.sale()).commissionId;
  expect(await reviewer.stateOf(houses)).toBe('pending, held (creator_suspended)');
  const [released = {}] = await decided(own, 'release', { ids: [mine, houses] });
  expect((await undoIn(own, released)).json.counts).toMatchObject({ ok: 1, conflict: 1 });
  expect(await reviewer.stateOf(mine)).toBe('pending, held (fraud_review)');
  expect(await reviewer.stateOf(houses)).toBe('pending');
});

test('a bulk decision is undone one transaction at a time, without the concurrent decisions of other people', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const others = await openMany(own, 3);
  // The latest commissions are decided first.
  await openMany(own, 2_500);
  const [stretches] = await Promise.all([
    decided(own, 'approve', { filter: { state: 'pending', q: 'bulk' }, limit: 2_500 }),
    reviewer.results('hold', others, { reason: 'dispute' }),
  ]);
  expect(stretches).toHaveLength(3);
  let back = 0;
  for (const range of stretches) back += (await undoIn(own, range)).json.counts.ok;
  const { json } = await own.api('GET', `/stores/${own.world.store.id}/commissions/totals?state=pending`);
  expect([back, json.count]).toEqual([2_500, 2_503]);
  expect(await Promise.all(others.map(reviewer.stateOf))).toEqual(others.map(() => 'pending, held (dispute)'));
  const whole = { first: stretches[0]?.first, last: stretches.at(-1)?.last };
  expect(await undoIn(own, whole)).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  await expectLedgerBalanced(own);
});

test('concurrent undos apply once; an unknown decision, or another store’s, undoes nothing', async () => {
  const own = await fresh();
  const reviewer = reviewerOf(own);
  const { commissionId } = await reviewer.sale();
  const [range = { first: '', last: '' }] = await decided(own, 'approve', { ids: [commissionId] });
  expect((await undoIn(otherMerchant(own), range)).json.counts).toMatchObject({ ok: 0, conflict: 0 });
  expect(await undoIn(own, { ...range, last: commissionId })).toMatchObject({ status: 400, json: { errors: [{ field: 'last' }] } });
  const nobodys = publicId('dec', newId<'dec'>(new Date()));
  expect((await undoIn(own, { first: nobodys, last: nobodys })).json.counts.ok).toBe(0);
  expect(await reviewer.stateOf(commissionId)).toBe('approved');
  const answers = await Promise.all([undoIn(own, range), undoIn(own, range), undoIn(own, range)]);
  expect(answers.map(({ json }) => [json.counts.ok, json.counts.conflict]).toSorted()).toEqual([
    [0, 1],
    [0, 1],
    [1, 0],
  ]);
  expect(await reviewer.history(commissionId)).toHaveLength(2);
});

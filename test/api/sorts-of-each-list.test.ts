import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs } from '../../src/core/time.ts';
import { insertRefusedOrders, type RefusedOrder } from '../../src/creators/refused-orders-sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { createCollectedCommissions } from '../support/collected-commissions.ts';
import { otherMerchant, type Json } from '../support/merchant.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';
import { reviewerOf } from '../support/review.ts';
import { expectSortedPages, readSortedPages, type SortedList } from '../support/sorted-pages.ts';
import { subscriberOf } from '../support/subscriber.ts';

const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());
const other = otherMerchant(merchant);
const store = `/stores/${merchant.world.store.id}`;
const creator = `/creators/${merchant.world.creator.id}`;

const send = async (method: string, path: string, body?: object): Promise<Json> =>
  expectSuccess(await merchant.api(method, path, body)).json;
const idOf = ({ id }: Json): string => id;
const expectSorted = (list: SortedList): Promise<void> => expectSortedPages(merchant.api, list);
const daysAgo = (days: number): Date => new Date(Date.parse(merchant.at()) - days * dayMs);

/** A file has the rows of the list in its order. */
async function expectSortedFile(path: string, sort: string): Promise<void> {
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const response = await fetch(`${merchant.service.url}/api/v1${path}?sort=${sort}`, { headers });
  expect(response.status).toBe(200);
  const [, ...lines] = (await response.text()).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual((await readSortedPages(merchant.api, path, sort, 200)).map(idOf));
}

test('subscriptions are sorted by the time when they were recorded and bound, also in the file', async () => {
  // The order of binding is not the order of recording, and two have the same time.
  const times = [3, 1, 3, 2, 4].map((days) => new Date(Math.floor(daysAgo(days).getTime() / dayMs) * dayMs).toISOString());
  for (const time of times) await subscriberOf(merchant).bind({ click_id: await merchant.clickAt(daysAgo(9)), occurred_at: time });
  const path = `${store}/relationships`;
  await expectSorted({ path, sort: 'bound_at', value: ({ bound_at: at }) => at, id: idOf });
  await expectSorted({ path, sort: 'recorded_at', value: idOf, id: idOf, hasTies: false });
  await expectSorted({
    path: `${path}?state=active&creator_id=${merchant.world.creator.id}`,
    sort: 'bound_at',
    value: ({ bound_at: at }) => at,
    id: idOf,
  });
  await expectSortedFile(path, 'bound_at');
});

test('invitations of creators are sorted by email and by times, also in the file', async () => {
  const emails = ['dora', 'Ada', 'cleo', 'ben'].map((name) => `${name}@invited.example`);
  await send('POST', `${store}/creator-invitations`, { program_id: merchant.world.program.id, emails });
  await merchant.database.run(sql`
    update program_invitations set sent_at = date_trunc('day', sent_at at time zone 'utc') at time zone 'utc',
      expires_at = date_trunc('day', expires_at at time zone 'utc') at time zone 'utc'
    where store_id = ${merchant.storeId} and email in ('dora@invited.example', 'ben@invited.example', 'cleo@invited.example')`);
  const path = `${store}/creator-invitations`;
  await expectSorted({ path, sort: 'email', value: ({ email }) => email.toLowerCase(), id: idOf, hasTies: false });
  for (const sort of ['sent_at', 'expires_at']) await expectSorted({ path, sort, value: (row) => row[sort], id: idOf });
  await expectSorted({ path, sort: 'made_at', value: idOf, id: idOf, hasTies: false });
  await expectSortedFile(path, '-email');
});

test('the tracking log is sorted by time', async () => {
  for (const orderId of ['log-1', 'log-2', 'log-3']) await reviewerOf(merchant).sale({ order_id: orderId });
  const path = `${store}/tracking-log`;
  await expectSorted({ path: `${path}?q=log-`, sort: 'at', value: idOf, id: idOf, hasTies: false });
  await expectSorted({ path: `${path}?operation=conversion`, sort: 'at', value: idOf, id: idOf, hasTies: false });
});

test('disputes of a store are sorted by opening and by answer, unanswered ones last; operators sort those of all stores', async () => {
  for (const seller of [merchant, merchant, merchant, merchant, merchant, other]) {
    const { commissionId } = await reviewerOf(seller).sale();
    await reviewerOf(seller).results('reject', [commissionId]);
    await send('POST', `${creator}/disputes`, { store_id: seller.world.store.id, commission_id: commissionId, text: 'It was a friend.' });
  }
  const path = `${store}/disputes`;
  const [first, second, third] = (await send('GET', path)).data as readonly Json[];
  for (const { id } of [first, second, third]) await send('POST', `${path}/${id}/decline`, { note: 'Own order' });
  await merchant.database.run(sql`
    update commission_disputes set decided_at = (date_trunc('day', decided_at at time zone 'utc') - case when dispute_id = (
      select dispute_id from commission_disputes where store_id = ${merchant.storeId} order by dispute_id desc limit 1
    ) then interval '1 day' else interval '0' end) at time zone 'utc'
    where store_id = ${merchant.storeId} and decided_at is not null`);
  await expectSorted({ path, sort: 'decided_at', value: ({ decided_at: at }) => at, id: idOf });
  await expectSorted({ path: `${path}?state=declined`, sort: 'decided_at', value: ({ decided_at: at }) => at, id: idOf });
  await expectSorted({ path, sort: 'opened_at', value: idOf, id: idOf, hasTies: false });
  await expectSorted({ path: '/disputes', sort: 'opened_at', value: idOf, id: idOf, hasTies: false });
  expect(new Set((await send('GET', '/disputes')).data.map(({ store_id: id }: Json) => id)).size).toBe(2);
});

test('stores and creators are sorted by name without case, and by creation', async () => {
  for (const name of ['beta', 'Alpha', 'Beta', 'BETA']) {
    await send('POST', '/stores', { name, site_url: `https://${name.toLowerCase()}.example` });
    await send('POST', '/creators', { name, email: `${name}@creator.example` });
  }
  for (const path of ['/stores', '/creators', '/stores?q=bet', '/creators?q=bet']) {
    await expectSorted({ path, sort: 'name', value: ({ name }) => name.toLowerCase(), id: idOf });
    await expectSorted({ path, sort: 'created_at', value: idOf, id: idOf, hasTies: false });
  }
});

test('payouts of all creators and of one are sorted by amount and by time, also in the file', async () => {
  const [twice, once, more] = [await office.earner([3_000]), await office.earner([3_000]), await office.earner([9_000])];
  for (const { id } of [twice, more, once]) await office.runFor(id);
  for (const amount of [5_000, 3_000]) {
    const of = { storeId: merchant.storeId, creatorId: twice.creatorId };
    await createCollectedCommissions(merchant.service.platform, of, [amount]);
    await office.runFor(twice.id);
  }
  for (const path of ['/payouts', '/payouts?state=paid', `/creators/${twice.id}/payouts`]) {
    await expectSorted({ path, sort: 'amount_cents', value: ({ amount_cents: cents }) => cents, id: idOf });
    await expectSorted({ path, sort: 'made_at', value: idOf, id: idOf, hasTies: false });
  }
  await expectSortedFile(`/creators/${twice.id}/payouts`, '-amount_cents');
});

test('sales of a creator in several stores are sorted by time, with those of the same time', async () => {
  const [program] = (await send('GET', `/stores/${other.world.store.id}/programs`)).data;
  await merchant.api('POST', `/stores/${other.world.store.id}/programs/${program.id}/members`, { creator_id: merchant.world.creator.id });
  const link = await send('POST', `${creator}/links`, { program_id: program.id });
  for (const days of [5, 4, 4, 3]) {
    const occurredAt = daysAgo(days).toISOString();
    await reviewerOf(merchant).sale({ click_id: await merchant.clickAt(daysAgo(9)), occurred_at: occurredAt });
    await reviewerOf(other).sale({ click_id: await other.clickAt(daysAgo(9), link.url), occurred_at: occurredAt });
  }
  const path = `${creator}/commissions?to=${encodeURIComponent(daysAgo(2).toISOString())}`;
  await expectSorted({ path, sort: 'occurred_at', value: ({ occurred_at: at }) => at, id: idOf });
  expect(new Set((await send('GET', path)).data.map(({ store_id: id }: Json) => id)).size).toBe(2);
});

test('links of a creator are sorted by creation and by code', async () => {
  for (const code of ['zebra-1', 'Apple-1', 'apple-2', 'mango-1'])
    await send('POST', `${creator}/links`, { program_id: merchant.world.program.id, code });
  await merchant.database.run(sql`
    update links set created_at = date_trunc('hour', created_at at time zone 'utc') at time zone 'utc'
    where store_id = ${merchant.storeId} and code in ('zebra-1', 'apple-2')`);
  const codes = (await readSortedPages(merchant.api, `${creator}/links`, 'code', 1)).map(({ code }) => code);
  const order = ['apple-2', 'mango-1', 'zebra-1'];
  expect(codes.filter((code) => order.includes(code))).toEqual(order);
  expect((await readSortedPages(merchant.api, `${creator}/links`, '-code', 2)).map(({ code }) => code)).toEqual(codes.toReversed());
  const later = await readSortedPages(merchant.api, `${creator}/links`, '-created_at', 1);
  expect(later.map(({ created_at: at }) => at)).toEqual(
    later
      .map(({ created_at: at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(later.map(({ created_at: at }) => at)).size).toBeLessThan(later.length);
  expect(later.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  expect(await readSortedPages(merchant.api, `${creator}/links`, 'created_at', 2)).toEqual(later.toReversed());
});

test('links of a creator are sorted by their visits, clicks, orders, and commissions, of which several are equal', async () => {
  const links = await readSortedPages(merchant.api, `${creator}/links`, 'code', 200);
  expect(links.length).toBeGreaterThan(3);
  for (const { url } of links.slice(0, 2)) await merchant.click(url);
  // Another program of the store pays per product, and needs lines.
  const ordered = links.find(({ program_id: id }) => id === merchant.world.program.id);
  await reviewerOf(merchant).sale({ click_id: await merchant.click(ordered.url) });
  for (const sort of ['arrivals', 'clicks', 'orders', 'earned_cents'])
    await expectSorted({ path: `${creator}/links`, sort, value: (link) => link[sort], id: ({ code }) => code });
  const [best] = await readSortedPages(merchant.api, `${creator}/links`, '-clicks', 1);
  expect(best.clicks).toBeGreaterThan(0);
});

test('codes of a creator are sorted by code, validity, and creation', async () => {
  const program = `${store}/programs/${merchant.world.program.id}`;
  await send('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], codes: 'when_no_click' });
  const [soon, late] = [merchant.at(2 * dayMs), merchant.at(9 * dayMs)];
  for (const [code, until] of [
    ['delta', late],
    ['ALPHA', soon],
    ['Gamma', null],
    ['beta', soon],
    ['omega', null],
  ] as const)
    await send('POST', `${program}/codes`, { code, creator_id: merchant.world.creator.id, valid_until: until });
  const path = `${creator}/codes`;
  await expectSorted({ path, sort: 'valid_until', value: ({ valid_until: until }) => until, id: idOf });
  await expectSorted({ path, sort: 'code', value: ({ code }) => code.toLowerCase(), id: idOf, hasTies: false });
  await expectSorted({ path, sort: 'created_at', value: idOf, id: idOf, hasTies: false });
});

test('ineligible orders of a creator are sorted by time across stores', async () => {
  const creatorId = readPublicId('crt', merchant.world.creator.id);
  invariant(creatorId !== null, 'the seed has a creator');
  for (const [place, seller] of [merchant, other, merchant, other].entries()) {
    const [program] = (await send('GET', `/stores/${seller.world.store.id}/programs`)).data;
    const programId = readPublicId('prog', program.id);
    invariant(programId !== null, 'each store has a program');
    const at = daysAgo(place);
    const refused: RefusedOrder = {
      storeId: seller.storeId,
      creatorId,
      at,
      programId,
      linkNumber: 1n,
      clickId: null,
      operation: 'conversion',
      subjectHash: Buffer.alloc(32, place),
      reason: 'order_precedes_click',
      why: { occurred_at: at.toISOString(), clicked_at: at.toISOString() },
    };
    await merchant.database.transaction((tx) => insertRefusedOrders(tx, [refused]));
  }
  const path = `${creator}/refused-orders`;
  await expectSorted({ path, sort: 'at', value: idOf, id: idOf, hasTies: false });
  expect(new Set((await send('GET', path)).data.map(({ store_id: id }: Json) => id)).size).toBe(2);
});

test('the operators’ lists of emails and of commissions to review are sorted by time in both directions', async () => {
  await reviewerOf(merchant).sale();
  await expectSorted({ path: '/mails', sort: 'made_at', value: idOf, id: idOf, hasTies: false });
  await expectSorted({ path: `${store}/mails`, sort: 'made_at', value: idOf, id: idOf, hasTies: false });
  await expectSorted({ path: '/waiting-commissions', sort: 'occurred_at', value: ({ occurred_at: at }) => at, id: idOf });
});

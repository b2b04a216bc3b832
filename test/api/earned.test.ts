import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { rebuildRollups } from '../../src/reports/rebuild-rollups.ts';
import { billerOf, expectSuccess, latestInvoice } from '../support/billing.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { signIn } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { uniqueId, subscriberOf } from '../support/subscriber.ts';

const store = () => `/stores/${merchant.world.store.id}`;
const creator = () => `/creators/${merchant.world.creator.id}`;

async function openWorld(): Promise<void> {
  const { sale, act } = reviewerOf(merchant);
  const visit = (sub: string) => merchant.click(`${merchant.world.link.url}${sub}`);
  await sale({ order_subtotal_cents: 10_000, click_id: await visit('?sub=video') });
  const [rejected, refunded, refundedLater, both, credited, held] = [
    await sale({ order_subtotal_cents: 20_000, click_id: await visit('?sub=video') }),
    await sale({ order_subtotal_cents: 30_000 }),
    await sale({ order_subtotal_cents: 40_000, click_id: await visit('?sub=news') }),
    await sale({ order_subtotal_cents: 50_000 }),
    await sale({ order_subtotal_cents: 60_000 }),
    await sale({ order_subtotal_cents: 70_000 }),
  ];
  await sale({ order_subtotal_cents: 0 });
  const undone = await sale({ order_subtotal_cents: 80_000 });
  const subscription = subscriberOf(merchant);
  const invoice = uniqueId('inv');
  expectSuccess(await subscription.bind({ click_id: await visit('?sub=news') }));
  for (const fields of [{ invoice_id: invoice }, {}, { amount_paid_minor_units: 0 }])
    expectSuccess(await subscription.reportInvoice(fields));

  expectSuccess(await act('reject', { ids: [rejected.commissionId, both.commissionId, undone.commissionId] }));
  expectSuccess(await act('approve', { ids: [undone.commissionId, credited.commissionId] }));
  expectSuccess(await act('hold', { ids: [held.commissionId] }));
  expectSuccess(await merchant.reverse({ order_id: refunded.orderId }));
  expectSuccess(await merchant.reverse({ order_id: both.orderId }));

  await merchant.moveClock('35d');
  expectSuccess(await merchant.reverse({ order_id: refundedLater.orderId }));
  expectSuccess(await subscription.refund({ invoice_id: invoice }));
  await sale({ order_subtotal_cents: 90_000, click_id: await visit('?sub=video') });
  const biller = billerOf(merchant);
  await biller.run({ minimum_cents: 0 });
  const path = `${store()}/invoices/${(await latestInvoice(biller)).id}/credit-notes`;
  expectSuccess(await merchant.api('POST', path, { commission_ids: [credited.commissionId], reason: 'returned late' }));
}

type Sold = { readonly orders: number; readonly revenue: number; readonly earned: number };
const sum = (rows: readonly Json[], field: string): number => rows.reduce((total, row) => total + row[field], 0);
const read = async (path: string): Promise<Json> => expectSuccess(await merchant.api('GET', path)).json;
const soldOf = (one: Json): Sold => ({ orders: one.orders, revenue: one.revenue_cents, earned: one.earned_cents });
const soldOfAll = (rows: readonly Json[]): Sold => ({
  orders: sum(rows, 'orders'),
  revenue: sum(rows, 'revenue_cents'),
  earned: sum(rows, 'earned_cents'),
});

/** What every page reports for a month, by the name of the page. */
async function totalsOf(month: string, last: string): Promise<Readonly<Record<string, Partial<Sold>>>> {
  const days = `from=${month}-01&to=${last}`;
  const end = new Date(Date.parse(last) + 86_400_000).toISOString();
  const overview = await read(`${store()}/overview?${days}`);
  const ranking = await read(`${store()}/breakdown?by=creator&${days}`);
  const totals = await read(`${store()}/commissions/totals?from=${month}-01T00:00:00.000Z&to=${end}`);
  const listed = (await read(`${store()}/commissions?from=${month}-01T00:00:00.000Z&to=${end}&limit=100`)).data as readonly Json[];
  const earning = listed.filter(({ state }) => state !== 'rejected' && state !== 'reversed');
  const subs = expectSuccess(await cora('GET', `${creator()}/sub-ids?${days}`)).json.data;
  const csv = (await merchant.api('GET', `${store()}/creators?${days}`)).json.data;
  return {
    'the sum of the listed commissions': {
      orders: listed.length,
      revenue: sum(listed, 'eligible_cents'),
      earned: sum(earning, 'amount_cents'),
    },
    'totals of Conversions': { orders: totals.count, revenue: totals.eligible_cents, earned: totals.earned_cents },
    Home: soldOf(overview.totals),
    'days of Home': soldOfAll(overview.days),
    'creators of Home': soldOfAll(ranking.rows),
    Creators: soldOfAll(csv),
    'sub-ids': { orders: sum(subs, 'orders'), earned: sum(subs, 'earned_cents') },
    "the store's statement": soldOf((await read(`${store()}/statement?period=${month}`)).sold),
    "the creator's statement": soldOf((await read(`${creator()}/statement?period=${month}`)).sold),
  };
}

const year = () => Number(merchant.at().slice(0, 4));

/** Two months of one store with every outcome of an order; March and April are separated by the time of each event. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const cora = await signIn(merchant.service, merchant.world.logins.creator);
await merchant.moveToSpring();
await openWorld();

test.each([
  ['03', '31', { orders: 12, revenue: 369_800, earned: 16_980 }],
  ['04', '30', { orders: 1, revenue: 90_000, earned: 9_000 }],
])('every page has the same orders, revenue, and earnings for month %s, and they are those of its orders', async (month, day, expected) => {
  const totals = await totalsOf(`${year()}-${month}`, `${year()}-${month}-${day}`);
  for (const [screen, { orders, revenue = expected.revenue, earned }] of Object.entries(totals))
    expect({ orders, revenue, earned }, screen).toEqual(expected);
});

test('over all time, links, subscriptions, and the creator list match the commissions, also after a rebuild', async () => {
  const everything = async () => {
    const links = expectSuccess(await cora('GET', `${creator()}/links`)).json.data;
    const creators = (await read(`${store()}/creators`)).data;
    const subscriptions = (await read(`${store()}/relationships`)).data;
    return [soldOfAll(creators).earned, sum(links, 'earned_cents'), sum(links, 'orders'), sum(subscriptions, 'earned_cents')];
  };
  const expected = [25_980, 25_980, 13, 980];
  expect(await everything()).toEqual(expected);
  expect((await verify(merchant.service.platform)).flatMap(({ differences }) => differences)).toEqual([]);
  await rebuildRollups(merchant.service.platform);
  expect(await everything()).toEqual(expected);
  expect((await verify(merchant.service.platform)).flatMap(({ differences }) => differences)).toEqual([]);
});

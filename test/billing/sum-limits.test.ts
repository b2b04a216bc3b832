import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { foldRollups } from '../../src/rollups/fold-rollups.ts';
import { sql } from '../../src/db/sql.ts';
import { parseExactly } from '../../src/core/json.ts';
import { cents, dollars } from '../../src/core/money.ts';
import { verify } from '../../src/app/verify.ts';
import { collectEvents } from '../../src/webhooks/collect-events.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, otherMerchant, type Json } from '../support/merchant.ts';
import { textOfPdf } from '../support/pdf-text.ts';
import { signIn } from '../support/portal.ts';

/** The largest amount of one order (docs/wire.md); the sum of this many orders exceeds a PostgreSQL bigint. */
const largest = 9_007_199_254_740_991n;
const count = 1_030;
const whole = largest * BigInt(count);
const atOnce = 40;

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
await merchant.moveToSpring();
const other = otherMerchant(merchant);

const storePath = () => `/stores/${merchant.world.store.id}`;
const exactly = async (path: string): Promise<Json> => parseExactly(expectSuccess(await merchant.api('GET', path)).text);

/** A program whose commission is the whole order, with a link of the seeded creator. */
async function linkOfWholeCommission(): Promise<string> {
  const { site_url: site, id } = merchant.world.store;
  const post = async (path: string, body?: object) =>
    expectSuccess(await merchant.api('POST', `/stores/${id}/programs${path}`, body ?? {})).json;
  const program = await post('', { name: 'Everything', landing_url: `${site}/`, hold_days: 0 });
  await post(`/${program.id}/terms`, { pays: 'order', order_rules: [{ basis_points: 10_000 }], subscription_rules: [] });
  await post(`/${program.id}/publish`);
  await post(`/${program.id}/members`, { creator_id: merchant.world.creator.id });
  const member = (await exactly(`/stores/${id}/programs/${program.id}/members`)).data[0];
  if (member.status !== 'approved')
    expectSuccess(await merchant.api('PATCH', `/stores/${id}/programs/${program.id}/members/${member.id}`, { status: 'approved' }));
  return (await post(`/${program.id}/links`, { creator_id: merchant.world.creator.id })).url;
}

/** No server listens at the URL, because the test only reads the body to be sent. */
async function beginToListen(): Promise<void> {
  const owner = await signIn(merchant.service, merchant.world.logins.merchant);
  expectSuccess(
    await owner('POST', `${storePath()}/webhook-endpoints`, { url: 'https://hooks.shop.example/told', events: ['invoice.paid'] }),
  );
}

async function sell(url: string): Promise<void> {
  let left = count;
  const seller = async () => {
    while (left > 0) {
      left -= 1;
      const order = await merchant.order({ click_id: await merchant.click(url), order_subtotal_cents: Number(largest) });
      let answer = await merchant.convert(order);
      // The contract requires every merchant to retry with the same body when the service is busy.
      for (let tries = 1; answer.status === 503 && tries < 10; tries += 1) {
        await setTimeout(200 * tries);
        answer = await merchant.convert(order);
      }
      expectSuccess(answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, seller));
}

async function fileOf(path: string, accept: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept };
  const file = await fetch(`${merchant.service.url}/api/v1${path}`, { headers });
  expect([file.status, file.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
  return Buffer.from(await file.arrayBuffer());
}

test('invoices, pays, reports, and verifies orders whose sum exceeds a bigint to the cent, without stopping other stores', async () => {
  await beginToListen();
  await sell(await linkOfWholeCommission());
  await other.convert(await other.order());
  for (const store of [merchant.world.store.id, other.world.store.id])
    expectSuccess(await merchant.api('POST', `/stores/${store}/commissions/approve`, { filter: {} }));

  const totals = await exactly(`${storePath()}/commissions/totals`);
  expect(totals).toMatchObject({ count, amount_cents: whole, eligible_cents: whole });
  expect((await exactly(`${storePath()}/overview`)).totals).toMatchObject({ revenue_cents: whole, commission_cents: whole });
  const month = merchant.at().slice(0, 7);

  // Runs every scheduled job of two months: rollups, invoices, charges, and payouts.
  await merchant.moveClock('70d');
  expect((await exactly('/overview')).failed_jobs.night).toEqual([]);
  const { night } = await exactly(`/jobs`);
  expect(night.filter((job: Json) => job.failed_at !== null)).toEqual([]);

  const invoices = (await exactly(`${storePath()}/invoices`)).data;
  expect(invoices.reduce((sum: bigint, one: Json) => sum + BigInt(one.lines_cents), 0n)).toBe(whole);
  expect(invoices.every((one: Json) => one.state === 'paid')).toBe(true);
  const payouts = (await exactly(`/creators/${merchant.world.creator.id}/payouts`)).data;
  expect(payouts.reduce((sum: bigint, one: Json) => sum + BigInt(one.amount_cents), 0n)).toBe(whole);
  const others = parseExactly(expectSuccess(await merchant.api('GET', `/stores/${other.world.store.id}/invoices`)).text) as Json;
  expect(others.data.length).toBeGreaterThan(0);

  const statement = await exactly(`${storePath()}/statement?period=${month}&limit=1`);
  expect(statement.closing).toMatchObject({ expected_cents: 0, owed_cents: 0, to_creators_cents: whole });
  expect((await exactly(`${storePath()}/overview?days=90`)).totals).toMatchObject({ revenue_cents: whole, paid_cents: whole });
  const ledger = await exactly(`/ledger`);
  expect(ledger.accounts.some((account: Json) => BigInt(account.debit_cents) >= whole)).toBe(true);
  const list = (await exactly(`${storePath()}/creators?from=${month}-01`)).data;
  expect(list.some((one: Json) => BigInt(one.revenue_cents) === whole)).toBe(true);

  for (const path of [`${storePath()}/statement?period=${month}`, `/creators/${merchant.world.creator.id}/statement?period=${month}`]) {
    expect(textOfPdf(await fileOf(path, 'application/pdf'))).toContain(dollars(cents(whole)));
    expect((await fileOf(path, 'text/csv')).toString()).toContain(String(largest));
  }

  // The total of the largest invoice exceeds 2^53 in its CSV, PDF, email, and webhook.
  const [invoice] = invoices.toSorted((one: Json, two: Json) => (BigInt(one.total_cents) < BigInt(two.total_cents) ? 1 : -1));
  const total = cents(BigInt(invoice.total_cents));
  expect(total).toBeGreaterThan(largest);
  expect(textOfPdf(await fileOf(`${storePath()}/invoices/${invoice.id}`, 'application/pdf'))).toContain(dollars(total));
  expect((await fileOf(`${storePath()}/invoices`, 'text/csv')).toString()).toContain(String(total));
  const subjects = await merchant.database.all<{ subject: string }>(sql`select subject from mails`);
  expect(subjects.filter(({ subject }) => subject.includes(dollars(total)))).not.toEqual([]);
  const { platform } = merchant.service;
  await collectEvents(platform.database, platform.clock, merchant.storeId, new Date());
  const bodies = await merchant.database.all<{ body: string }>(sql`select body from webhook_events where store_id = ${merchant.storeId}`);
  expect(bodies.filter(({ body }) => body.includes(`"total_cents":${total}`))).not.toEqual([]);
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});

test('names a store whose rollups fail in the error, and completes the rollups of all other stores', async () => {
  const { database, storeId } = merchant;
  const before = '2026-01-01';
  const nines = '9'.repeat(38);
  const add = (store: string, slot: number, amount: string) =>
    database.run(sql`
      insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
      values (${store}::uuid, ${before}::date, 'order', ${slot}, 1, ${amount}::numeric, 0)`);
  // Exceeds even the column of a sum.
  await add(storeId, 1, nines);
  await add(storeId, 2, nines);
  await add(other.storeId, 1, '100');
  await add(other.storeId, 2, '200');
  await expect(foldRollups(merchant.service.platform, new Date(merchant.at()))).rejects.toThrow(merchant.world.store.id);
  const left = await database.all<{ storeId: string; slot: number; eligibleCents: bigint }>(sql`
    select store_id, slot::int as slot, eligible_cents from store_days where day = ${before}::date order by slot`);
  expect(left.filter((row) => row.storeId === other.storeId)).toEqual([{ storeId: other.storeId, slot: -1, eligibleCents: 300n }]);
  expect(left.filter((row) => row.storeId === storeId)).toHaveLength(2);
});

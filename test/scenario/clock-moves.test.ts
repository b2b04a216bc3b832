import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { realNow } from '../../src/core/time.ts';
import { allRows } from '../support/all-rows.ts';
import { billerOf, differences } from '../support/billing.ts';
import { copyOfDatabase } from '../support/database.ts';
import { merchantIn, openMerchantAlone, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { isFull, within } from '../support/size.ts';
import { startTestService, startTestServiceOn, type TestService, type World } from '../support/service.ts';
import { subscriberOf } from '../support/subscriber.ts';

const days = 120;
/** `npm run test:full` moves day by day. */
const stepDays = isFull ? 1 : 10;
/** The behavior of a store's payment method, which determines what happens next. */
const words = ['ok', 'declined', 'insufficient_then_ok', 'timeout_then_ok', 'disputed', 'returned'] as const;

type Busy = { readonly databaseUrl: string; readonly world: World; readonly copiedAt: Date };

const busy = await makeBusyDatabase();

/** A database in which much becomes due later, without a running service. */
async function makeBusyDatabase(): Promise<Busy> {
  // Runs without the queue, whose work in real time would depend on the duration of the test.
  const service = await startTestService({ ROLE: 'web' });
  const world = await service.seed();
  const first = merchantIn(service, world);
  await first.moveToSpring();
  // Half an hour away from the jobs of 12:20 and of 13:00.
  await first.moveClock('35m');
  for (const word of words) {
    const merchant = merchantIn(service, await service.seed());
    await fill(merchant, word);
    await merchant.database.end();
  }
  const copiedAt = service.platform.clock.now();
  await first.database.end();
  await service.stop();
  return { databaseUrl: service.databaseUrl, world, copiedAt };
}

async function fill(merchant: Merchant, word: (typeof words)[number]): Promise<void> {
  const { world, api } = merchant;
  const biller = billerOf(merchant);
  const reviewer = reviewerOf(merchant);
  if (word === 'returned')
    expect((await api('PUT', `/creators/${world.creator.id}/payout-method`, { sandbox: 'returned' })).status).toBeLessThan(300);
  else await biller.setPaymentMethod(word);
  const [large, small, held, rejected, reversed] = [
    await reviewer.sale({ order_subtotal_cents: 2_000_000 }),
    await reviewer.sale(),
    await reviewer.sale(),
    await reviewer.sale(),
    await reviewer.sale(),
  ];
  await reviewer.results('approve', [large.commissionId, small.commissionId]);
  await reviewer.results('hold', [held.commissionId]);
  await reviewer.results('reject', [rejected.commissionId]);
  await merchant.reverse({ order_id: reversed.orderId, reason: 'refunded' });
  // From here on undecided commissions are approved by time, after an announcement.
  const program = `/stores/${world.store.id}/programs/${world.program.id}`;
  expect((await api('PATCH', program, { approval: 'auto', auto_approve_days: 20 })).status).toBe(200);
  await reviewer.sale({ order_subtotal_cents: 30_000 });
  await reviewer.sale({ order_subtotal_cents: 40_000 });
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  await subscriber.reportInvoice();
  await subscriber.reportInvoice();
  // Invoiced and charged within the next days, as on the first of a month.
  await biller.billable(5_000, 6_000);
}

async function moved(databaseUrl: string, move: (merchant: Merchant) => Promise<void>) {
  const service: TestService = await startTestServiceOn(databaseUrl, { ROLE: 'web' });
  const merchant = merchantIn(service, busy.world);
  onTestFinished(async () => {
    await merchant.database.end();
    await service.stop();
  });
  await move(merchant);
  return { merchant, rows: await allRows(merchant.database, { without: differing, copiedAt: busy.copiedAt, reallyAt: realNow() }) };
}

const differing = [
  // These record how often the clock was moved, and how long that took.
  'sandbox_clock',
  'audit_log',
  'verifications',
  // Sums of `transfers` in random slots. They are compared with `transfers` below.
  'balances',
  // The time of the last digest. A day without events may move it, and the emails are the same.
  'creator_digests',
];

/** The first run that finds a case opens it. Later runs only refresh the ages in its evidence, and may be skipped. */
const withoutEvidence = (row: string): string => row.replace(/"evidence": \[[^\]]*\], /, '');

test(`${days} days in one step leave the same rows as in steps of ${stepDays}`, async () => {
  const copy = await copyOfDatabase(busy.databaseUrl);
  const [once, daily] = await Promise.all([
    moved(busy.databaseUrl, (merchant) => merchant.moveClock(`${days}d`)),
    moved(copy, async (merchant) => {
      for (let day = 0; day < days; day += stepDays) await merchant.moveClock(`${stepDays}d`);
    }),
  ]);
  expect(Object.keys(once.rows)).toEqual(Object.keys(daily.rows));
  for (const [table, rows] of Object.entries(once.rows))
    expect.soft(rows.map(withoutEvidence), table).toEqual(daily.rows[table]?.map(withoutEvidence));
  // Proves that the expected events happened, so that the comparison of rows is meaningful.
  for (const [table, least] of Object.entries(leastRows)) expect(once.rows[table]?.length, table).toBeGreaterThanOrEqual(least);
  for (const { merchant } of [once, daily]) expect(await differences(merchant)).toEqual([]);
}, 300_000);

const leastRows = { invoices: 11, charges: 20, payouts: 4, disputes: 1, risk_cases: 11, mails: 49, decisions: 60, transfers: 99 };

test('a year in a seeded world without due work takes two seconds at most', async ({ annotate }) => {
  const merchant = await openMerchantAlone();
  onTestFinished(async () => {
    await merchant.database.end();
    await merchant.service.stop();
  });
  await merchant.moveClock('1d');
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  await merchant.moveClock('365d');
  const tookMs = Math.round(performance.now() - began);
  const { user, system } = process.cpuUsage(cpuBefore);
  await annotate(`365 days took ${tookMs} ms, and ${Math.round((user + system) / 1_000)} ms of CPU time`);
  // Takes about one second on an idle machine, of which half is CPU time of this process.
  expect(tookMs).toBeLessThan(within(2_000));
  expect((user + system) / 1_000).toBeLessThan(2_000);
  const months = await merchant.database.one<{ partitions: bigint; keys: bigint }>(sql`
    select (select count(*) from pg_inherits where inhparent = 'clicks'::regclass) as partitions,
      (select count(*) from signing_keys) as keys`);
  // One for each month, as if the clock had moved day by day.
  expect([months.partitions, months.keys]).toEqual([
    expect.toSatisfy((count: bigint) => count >= 14n),
    expect.toSatisfy((count: bigint) => count >= 13n),
  ]);
});

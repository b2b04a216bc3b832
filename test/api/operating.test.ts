import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { enqueue } from '../../src/queue/enqueue-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { billerOf, expectSuccess } from '../support/billing.ts';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';

const biller = billerOf(await openMerchant());
const own = biller.merchant;
afterAll(() => own.service.stop());

const read = async (path: string): Promise<Json> => expectSuccess(await own.api('GET', path)).json;
/** The service's own check each minute may hold the schedule lock at this moment. */
async function retried(job: string): Promise<Json> {
  let response = await own.api('POST', '/jobs/retry', { kind: 'night', job });
  for (let tries = 0; response.status === 409 && tries < 300; tries++) {
    await pause(100);
    response = await own.api('POST', '/jobs/retry', { kind: 'night', job });
  }
  return expectSuccess(response).json;
}
const auditOf = async (action: string): Promise<Json> => (await read('/audit-log')).data.filter((entry: Json) => entry.action === action);

test('the overview adds up all stores: their number, sales, and money in progress', async () => {
  const other = otherMerchant(own);
  await own.convert(await own.order({ order_subtotal_cents: 20_000 }));
  await other.convert(await other.order({ order_subtotal_cents: 10_000 }));
  const before = await read('/overview');
  expect(before).toMatchObject({ stores: { count: 2, past_due: 0, archived: 0 }, creators: { count: 1, suspended: 0 } });
  expect(before.sold).toMatchObject({ clicks: 2, orders: 2, revenue_cents: 30_000, commission_cents: 3_000 });
  expect(before.payouts.awaiting_second).toEqual({ count: 0, amount_cents: 0 });
  expect(before.last_verification).toBe(null);

  await biller.billable(9_000);
  await biller.run({ minimum_cents: 0 });
  // A sole operator cannot set a limit, because no second person could confirm.
  expect((await own.api('PUT', '/payout-settings', { minimum_cents: 0, second_person_above_cents: 100 })).status).toBe(422);
  await own.service.seed();
  expectSuccess(await own.api('PUT', '/payout-settings', { minimum_cents: 0, second_person_above_cents: 100 }));
  expectSuccess(await own.api('POST', '/payout-runs', {}));
  expect((await read('/overview')).payouts.awaiting_second).toEqual({ count: 1, amount_cents: 9_000 });
});

test('the overview shows a charge with an unknown outcome, and a store that could not be charged', async () => {
  await biller.billable(2_000);
  await biller.setPaymentMethod('never');
  await biller.run({ minimum_cents: 0 });
  const { charges } = await read('/overview');
  expect(charges.sending.count + charges.unknown.count).toBe(1);
  expect(charges.sending.amount_cents + charges.unknown.amount_cents).toBe(2_000);

  const other = billerOf(otherMerchant(own));
  await own.database.run(sql`update stores set past_due_at = ${new Date()} where store_id = ${other.merchant.storeId}`);
  const overview = await read('/overview');
  expect(overview.stores.past_due).toBe(1);
  expect(overview.past_due_stores.map(({ id }: Json) => id)).toEqual([own.world.other_store.id]);
});

test('a verification is stored with its requester', async () => {
  const found = expectSuccess(await own.api('POST', '/ledger/verify')).json;
  expect((await read('/overview')).last_verification).toMatchObject({
    checked: found.checked,
    differences: found.differences.length,
    by_name: 'Seed',
  });
});

test('lists runs newest first, with the number of results of each', async () => {
  const dry = expectSuccess(await own.api('POST', '/billing-runs', { dry_run: true })).json;
  const { data } = await read('/billing-runs');
  expect(data[0]).toMatchObject({ id: dry.id, dry_run: true, count: dry.invoices.length, store_id: null });
  expect(data.map(({ id }: Json) => id)).toEqual(
    data
      .map(({ id }: Json) => id)
      .toSorted()
      .toReversed(),
  );
  expect((await read('/payout-runs')).data).toMatchObject([{ dry_run: false, count: 1, creator_id: null }]);
  const [first] = (await read('/billing-runs?limit=1')).data;
  expect(await read(`/billing-runs/${first.id}`)).toEqual(dry);
});

test('lists scheduled jobs with their last run; a failed one runs once more on request and keeps its next turn', async () => {
  await own.moveClock('1d');
  const job = 'update daily totals';
  const jobStatus = async () => (await read('/jobs')).night.find((one: Json) => one.job === job);
  await own.database.run(sql`update job_runs set last_error = 'it stumbled', failures = 2, failed_at = ran_up_to where job = ${job}`);
  const failed = await jobStatus();
  expect(failed).toMatchObject({ rhythm: 'every day at 01:00', last_error: 'it stumbled', failures: 2 });
  expect((await read('/overview')).failed_jobs.night).toEqual([job]);
  expect(await retried(job)).toEqual({ ended: 'done', error: null });
  expect(await jobStatus()).toMatchObject({ last_error: null, failures: 0, ran_up_to: failed.ran_up_to, next_at: failed.next_at });
  expect(await auditOf('job.retry')).toMatchObject([{ details: { kind: 'night', job } }]);
  expect((await own.api('POST', '/jobs/retry', { kind: 'night', job: 'no such job' })).status).toBe(404);
});

test('a job that fails again shows the reason, and is still due', async () => {
  const job = 'create click partitions';
  const jobStatus = async () => (await read('/jobs')).night.find((one: Json) => one.job === job);
  const before = await jobStatus();
  await own.database.run(sql`alter table clicks rename to clicks_away`);
  const end = await retried(job);
  await own.database.run(sql`alter table clicks_away rename to clicks`);
  expect(end.ended).toBe('failed');
  expect(end.error).toBe('SQLSTATE 42P01');
  expect(await jobStatus()).toMatchObject({ failures: 1, last_error: end.error, ran_up_to: before.ran_up_to });
});

test('lists failed queue jobs, and retries them with all their attempts', async () => {
  await enqueue(own.database, 'nobody_does_this', {}, { key: 'given up' });
  await own.database.run(sql`
    update graphile_worker._private_jobs set attempts = 25, last_error = 'connect ECONNREFUSED' where key = 'given up'`);
  const [task] = (await read('/jobs')).queue;
  expect(task).toMatchObject({ task: 'nobody_does_this', attempts: 25, attempts_max: 25, last_error: 'connect ECONNREFUSED' });
  expect((await read('/overview')).failed_jobs.queue).toBe(1);
  expect((await own.api('POST', '/jobs/retry', { kind: 'queue', job: task.id })).json).toEqual({ ended: 'queued', error: null });
  expect((await read('/jobs')).queue[0].attempts).toBe(0);
  expect((await own.api('POST', '/jobs/retry', { kind: 'queue', job: '999999999' })).status).toBe(409);
  expect((await own.api('POST', '/jobs/retry', { kind: 'queue', job: "1'" })).status).toBe(404);
});

test('tracking of all stores shows the last postback of each, the failures of a day, and unauthenticated requests', async () => {
  await own.convert(await own.order({ currency: 'EUR' }));
  await own.post('conversions', '{}', {});
  const { data } = await read('/tracking');
  const line = data.find((one: Json) => one.store_id === own.world.store.id);
  expect(line).toMatchObject({ tracking_on: true, refused: 1, last: { reason: 'unsupported_pricing_currency', accepted: false } });
  await expect.poll(async () => (await read('/door-refusals')).data).toMatchObject([{ reason: 'missing_postback_key', count: 1 }]);
});

test('an operator who starts to view a store is recorded in its audit log; an unknown store is not found', async () => {
  const { store, creator } = own.world;
  expect((await own.api('POST', `/stores/${store.id}/view`)).json).toMatchObject({ id: store.id });
  expect((await own.api('POST', `/creators/${creator.id}/view`)).json).toMatchObject({ id: creator.id });
  expect((await read(`/stores/${store.id}/audit-log`)).data[0]).toMatchObject({ action: 'operator.viewed', store_id: store.id });
  expect(await auditOf('operator.viewed')).toMatchObject([{ creator_id: creator.id }, { store_id: store.id }]);
  for (const path of [`/stores/${store.id.slice(0, -6)}000000/view`, `/creators/${creator.id.slice(0, -6)}000000/view`])
    expect((await own.api('POST', path)).status).toBe(404);
  expect(await auditOf('operator.viewed')).toHaveLength(2);
});

test('shows the versions, the database, and business time', async () => {
  const health = await read('/health');
  expect(health).toMatchObject({ mode: 'sandbox', node: process.version });
  expect(health.database.version).toMatch(/^\d+/);
  expect(Math.abs(Date.parse(health.now) - Date.parse(own.at()))).toBeLessThan(60_000);
});

test.each([
  ['GET', '/overview'],
  ['GET', '/tracking'],
  ['GET', '/door-refusals'],
  ['GET', '/jobs'],
  ['POST', '/jobs/retry'],
  ['GET', '/health'],
  ['GET', '/billing-runs'],
  ['GET', '/payout-runs'],
])('%s %s is for operators only', async (method, path) => {
  const session = await fetch(`${own.service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(own.world.logins.merchant),
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = (headers: Readonly<Record<string, string>>) =>
    fetch(`${own.service.url}/api/v1${path}`, { method, headers: { ...headers, 'sec-fetch-site': 'same-origin' } });
  const [merchant, anonymous] = [await ask({ cookie }), await ask({})];
  expect([merchant.status, ((await merchant.json()) as Json).reason]).toEqual([403, 'operator_only']);
  expect(anonymous.status).toBe(401);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRecorder, type Arrival, type Recorder } from '../../src/clicks/record-clicks.ts';
import { newId } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { barePlatform, type BarePlatform } from '../support/bare-platform.ts';

const unwrittenMax = 200_000;
const storeId = newId<'store'>(new Date());
const arrival: Arrival = { day: '2026-03-01', what: 'bot', link: { storeId, linkNumber: 1n } };

let bare: BarePlatform;
let recorder: Recorder;
beforeEach(async () => {
  bare = await barePlatform();
  await bare.platform.tenants.start();
  recorder = createRecorder(bare.platform);
});
afterEach(async () => {
  await recorder.close();
  await bare.platform.tenants.end();
  await bare.close();
});

test('during an outage, 200,000 visits of a process wait, and further ones are lost immediately; then all are counted', async () => {
  const { database, metrics } = bare.platform;
  const other = await database.connect('unbounded');
  await other.query('begin; lock table link_days in access exclusive mode');
  // The first batch fails after its lock timeout, so that some of the visits wait for their next attempt.
  const first = recorder.count(arrival);
  const held = async () => (await metrics.registry.getSingleMetric('tributary_clicks_held')?.get())?.values[0]?.value;
  await expect.poll(held, { timeout: 20_000 }).toBe(1);
  const rest = Array.from({ length: unwrittenMax - 1 }, () => recorder.count(arrival));
  expect(await recorder.record(arrival, performance.now() + 10_000)).toBe('lost');
  await other.query('rollback');
  await other.end();
  await Promise.all([first, ...rest]);
  const { sum } = await database.one<{ sum: bigint }>(sql`select sum(count)::bigint as sum from link_days where store_id = ${storeId}`);
  // A visit without a click has no ID, so one whose first attempt commits after its deadline is counted twice.
  expect(Number(sum)).toBeGreaterThanOrEqual(unwrittenMax);
  expect(Number(sum)).toBeLessThan(unwrittenMax * 1.1);
  expect(await recorder.record(arrival, performance.now() + 10_000)).toBe('committed');
}, 120_000);

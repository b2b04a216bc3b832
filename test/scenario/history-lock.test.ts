import { afterAll, expect, test } from 'vitest';
import { historyLock } from '../../src/db/advisory-locks.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openMerchant } from '../support/merchant.ts';

/** A history is written with its own clock, in the past, so work that acts on all stores at the current time waits until it is finished. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const conflict = { status: 409, json: { reason: 'conflict', message: expect.stringContaining('writing a history') } };
const time = async (): Promise<number> => Date.parse((await merchant.api('GET', '/sandbox/clock')).json.now);
const countOf = async (table: 'billing_runs' | 'payout_runs'): Promise<bigint> => {
  const { count } = await merchant.database.one<{ count: bigint }>(
    table === 'billing_runs' ? sql`select count(*) as count from billing_runs` : sql`select count(*) as count from payout_runs`,
  );
  return count;
};

test('while a history is written the clock cannot be moved and no run can be started; both work again afterwards', async () => {
  const lock = await historyLock(merchant.service.platform.jobsDatabase, 'history');
  invariant(lock, 'no other process writes a history');
  try {
    const before = await time();
    expect(await merchant.api('POST', '/sandbox/clock', { advance: '40d' })).toMatchObject(conflict);
    expect((await time()) - before).toBeLessThan(3_600_000);
    expect(await merchant.api('POST', '/billing-runs', {})).toMatchObject(conflict);
    expect(await merchant.api('POST', '/payout-runs', {})).toMatchObject(conflict);
    expect(await merchant.api('POST', '/jobs/retry', { kind: 'night', job: 'issue early invoices' })).toMatchObject(conflict);
    expect([await countOf('billing_runs'), await countOf('payout_runs')]).toEqual([0n, 0n]);
  } finally {
    await lock.release();
  }
  expect((await merchant.api('POST', '/sandbox/clock', { advance: '1h' })).status).toBe(200);
  expect((await merchant.api('POST', '/billing-runs', {})).status).toBe(201);
  expect((await merchant.api('POST', '/payout-runs', {})).status).toBe(201);
});

test('a history waits for a clock move in progress', async () => {
  const { jobsDatabase } = merchant.service.platform;
  const ended: string[] = [];
  const work = await historyLock(jobsDatabase, 'work');
  invariant(work, 'no history is written');
  const history = historyLock(jobsDatabase, 'history').then((lock) => {
    ended.push('history');
    return lock;
  });
  await expect
    .poll(async () => (await merchant.api('POST', '/sandbox/clock', { advance: '1s' })).status, {
      message: 'a history that waits comes first',
    })
    .toBe(409);
  expect(ended).toEqual([]);
  await work.release();
  await (await history)?.release();
  expect(ended).toEqual(['history']);
});

import { afterAll, expect, test } from 'vitest';
import { autoApproveDue, announceAutoApprovals } from '../../src/review/auto-approve.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { sql } from '../../src/db/sql.ts';
import { runDueJobs } from '../../src/queue/scheduled-jobs.ts';
import { plusDays } from '../../src/core/time.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { scheduleOf } from '../../src/app/schedule.ts';
import { merchantIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { expectLedgerBalanced, openMany, reviewerOf, type Reviewer } from '../support/review.ts';

/** Automatic approval three days after recording, announced at least two days before. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

async function automatic(): Promise<{ readonly own: Merchant; readonly reviewer: Reviewer }> {
  const own = merchantIn(merchant.service, await merchant.service.seed());
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  expect((await own.api('PATCH', program, { approval: 'auto', auto_approve_days: 3 })).status).toBe(200);
  await own.moveClock('1m');
  return { own, reviewer: reviewerOf(own) };
}

/** Both jobs, as at 02:00. */
async function night(platform: Platform, now: Date): Promise<void> {
  await autoApproveDue(platform, now);
  await announceAutoApprovals(platform, now);
}

const mailsOf = ({ database, storeId }: Merchant) =>
  database.all<{ toAddress: string; subject: string }>(
    sql`select to_address, subject from mails where store_id = ${storeId} order by mail_id`,
  );

test('approves undecided commissions automatically, but not those on hold, rejected, or reopened', async () => {
  const { own, reviewer } = await automatic();
  const [itself, held, rejected, reopened] = [await reviewer.sale(), await reviewer.sale(), await reviewer.sale(), await reviewer.sale()];
  await reviewer.results('hold', [held.commissionId]);
  await reviewer.results('reject', [rejected.commissionId]);
  await reviewer.results('approve', [reopened.commissionId]);
  await reviewer.results('reopen', [reopened.commissionId]);

  await own.moveClock('71h');
  expect(await reviewer.stateOf(itself.commissionId)).toBe('pending');
  expect(await mailsOf(own)).toEqual([
    { toAddress: own.world.logins.merchant.email, subject: expect.stringContaining('one commission will be approved soon') },
  ]);
  await own.moveClock('25h');
  expect(await reviewer.stateOf(itself.commissionId)).toBe('approved');
  expect(await reviewer.history(itself.commissionId)).toMatchObject([{ action: 'approve', by: 'system', by_name: 'automatic approval' }]);
  await own.moveClock('5d');
  const others = [held, rejected, reopened].map(({ commissionId }) => reviewer.stateOf(commissionId));
  expect(await Promise.all(others)).toEqual(['pending, held (dispute)', 'rejected', 'pending']);

  // After the release it is announced again like a new commission.
  await reviewer.results('release', [held.commissionId]);
  await own.moveClock('1d');
  expect(await reviewer.stateOf(held.commissionId)).toBe('pending');
  expect(await mailsOf(own)).toHaveLength(2);
  await own.moveClock('2d');
  expect(await reviewer.stateOf(held.commissionId)).toBe('approved');
  await expectLedgerBalanced(own);
});

test('sends one email a day for all commissions, also if the job runs twice', async () => {
  const { own } = await automatic();
  const now = new Date(own.at());
  await openMany(own, 2_500, { autoApproveAt: plusDays(now, 3) });
  const platform = own.service.platform;
  for (let twice = 0; twice < 2; twice += 1) await night(platform, now);
  expect(await mailsOf(own)).toEqual([
    { toAddress: own.world.logins.merchant.email, subject: expect.stringContaining('2,500 commissions') },
  ]);

  const approvedAt = async (moment: Date) => {
    await night(platform, moment);
    const counted = sql`select count(*) as count from commissions where store_id = ${own.storeId} and state = 'approved'`;
    return (await own.database.one<{ count: bigint }>(counted)).count;
  };
  expect(await approvedAt(plusDays(now, 2))).toBe(0n);
  expect(await approvedAt(plusDays(now, 3))).toBe(2_500n);
  expect(await approvedAt(plusDays(now, 3))).toBe(2_500n);
  expect(await mailsOf(own)).toHaveLength(1);
  const decided = sql`select count(*) as count from decisions where store_id = ${own.storeId}`;
  expect(await own.database.one(decided)).toEqual({ count: 2_500n });
});

test('approves at least two days after a late announcement', async () => {
  const { own } = await automatic();
  const [id = ''] = await openMany(own, 1, { autoApproveAt: plusDays(new Date(own.at()), -1) });
  const reviewer = reviewerOf(own);
  const first = new Date(own.at());
  for (const [days, state] of [
    [0, 'pending'],
    [1, 'pending'],
    [2, 'approved'],
  ] as const) {
    await night(own.service.platform, plusDays(first, days));
    expect(await reviewer.stateOf(id)).toBe(state);
  }
});

test('announces a commission again that was put on hold after its announcement and released', async () => {
  const { own, reviewer } = await automatic();
  const [id = ''] = await openMany(own, 1, { autoApproveAt: plusDays(new Date(own.at()), 3) });
  const afterDays = (days: number) => plusDays(first, days);
  const first = new Date(own.at());
  await night(own.service.platform, first);
  await reviewer.results('hold', [id]);
  await night(own.service.platform, afterDays(4));
  await reviewer.results('release', [id]);
  await night(own.service.platform, afterDays(5));
  expect([await reviewer.stateOf(id), (await mailsOf(own)).length]).toEqual(['pending', 2]);
  await night(own.service.platform, afterDays(7));
  expect(await reviewer.stateOf(id)).toBe('approved');
});

test("does not approve or announce a suspended creator's commissions until the suspension ends", async () => {
  const { own, reviewer } = await automatic();
  const first = new Date(own.at());
  const nightly = (days: number) => night(own.service.platform, plusDays(first, days));
  const [announced = ''] = await openMany(own, 1, { autoApproveAt: plusDays(first, 3) });
  const [untold = ''] = await openMany(own, 1, { autoApproveAt: plusDays(first, 4) });
  await nightly(0);
  await own.api('POST', `/creators/${own.world.creator.id}/suspend`);
  await nightly(4);
  await nightly(7);
  expect([await reviewer.stateOf(announced), await reviewer.stateOf(untold), (await mailsOf(own)).length]).toEqual([
    'pending',
    'pending',
    1,
  ]);
  await own.api('POST', `/creators/${own.world.creator.id}/unsuspend`);
  await nightly(8);
  expect([await reviewer.stateOf(announced), await reviewer.stateOf(untold), (await mailsOf(own)).length]).toEqual([
    'approved',
    'pending',
    2,
  ]);
  await nightly(10);
  expect(await reviewer.stateOf(untold)).toBe('approved');
});

test('approves a commission within the hour after the time that is shown, and never before', async () => {
  const { own, reviewer } = await automatic();
  const sold = await reviewer.sale();
  const [{ auto_approve_at: shown }] = (await own.api('GET', `/stores/${own.world.store.id}/commissions`)).json.data;
  const due = Date.parse(shown);
  const moveTo = (moment: number) => own.moveClock(`${moment - Date.parse(own.at())}ms`);
  await moveTo(due - 5_000);
  expect(await reviewer.stateOf(sold.commissionId)).toBe('pending');
  await moveTo(due + 3_600_000);
  expect(await reviewer.stateOf(sold.commissionId)).toBe('approved');
  const [{ at }] = await reviewer.history(sold.commissionId);
  expect(Date.parse(at)).toBeGreaterThanOrEqual(due);
  expect(Date.parse(at)).toBeLessThanOrEqual(due + 3_600_000);
});

test('approves each commission at its own hour after an outage of ten days, and skips hours without work', async () => {
  const { own, reviewer } = await automatic();
  const sold = await reviewer.sale();
  const due = Date.parse((await own.api('GET', `/stores/${own.world.store.id}/commissions`)).json.data[0].auto_approve_at);
  const beats: Date[] = [];
  const jobs = scheduleOf(openProviders(own.service.platform)).map((job) =>
    job.name === 'approve commissions automatically'
      ? { ...job, run: (platform: Platform, now: Date, ranUpTo: Date) => (beats.push(now), job.run(platform, now, ranUpTo)) }
      : job,
  );
  await runDueJobs(own.service.platform, jobs, plusDays(new Date(own.at()), 10), { ifTaken: 'wait' });
  const [{ at }] = await reviewer.history(sold.commissionId);
  expect(Date.parse(at)).toBeGreaterThanOrEqual(due);
  expect(Date.parse(at)).toBeLessThanOrEqual(due + 3_600_000);
  expect(beats.length).toBeLessThan(30);
});

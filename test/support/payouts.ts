import { randomBytes } from 'node:crypto';
import { creatorBalances } from '../../src/ledger/creator-sql.ts';
import { ledgerChecks } from '../../src/ledger/verify.ts';
import { lookAfterPayouts } from '../../src/payouts/jobs.ts';
import { payoutReturned, settlePayout } from '../../src/payouts/news.ts';
import type { PayoutState } from '../../src/payouts/payout.ts';
import { runPayouts, type PayoutRunAsked, type PayoutRunEnd } from '../../src/payouts/run.ts';
import { payoutChecks } from '../../src/payouts/verify-sql.ts';
import { readConfig } from '../../src/platform/config.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openFaultPoints } from '../../src/platform/fault-points.ts';
import { newId, type Id } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { minuteMs } from '../../src/platform/time.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { collected, payee, type Sale } from './collected.ts';
import { freshDatabase } from './database.ts';

/** The house without its front door and its jobs: the rooms, a real database, the sandbox, and a clock that the test moves. */
export type PayoutDesk = {
  readonly platform: Platform;
  readonly money: Money;
  readonly moveTo: (time: Date) => void;
  readonly moveBy: (ms: number) => void;
  readonly run: (asked?: Partial<PayoutRunAsked>) => Promise<PayoutRunEnd>;
  /** What the jobs do, some minutes later. */
  readonly later: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const start = new Date('2026-03-01T12:00:00.000Z');

export async function payoutDesk(): Promise<PayoutDesk> {
  let now = start;
  const { database } = await freshDatabase();
  const read = readConfig({ MODE: 'sandbox', BASE_URL: 'https://tributary.example', PORT: '0' }, '/');
  must(read.is === 'good', 'the settings of the tests are right');
  const log = createLog('silent');
  const platform: Platform = {
    config: read.config,
    database,
    nightDatabase: database,
    clock: { now: () => now, refresh: async () => {} },
    log,
    metrics: createMetrics(),
    secrets: createSecrets(randomBytes(32)),
    own: { url: 'http://127.0.0.1:9' },
    ...openFaultPoints(null),
  };
  const money = { platform, providers: openProviders(platform) };
  const moveBy = (ms: number) => void (now = new Date(now.getTime() + ms));
  return {
    platform,
    money,
    moveTo: (time) => void (now = time),
    moveBy,
    run: (asked = {}) => runPayouts(money, { ...usual(now), ...asked }),
    later: async () => {
      moveBy(10 * minuteMs);
      await lookAfterPayouts(money, now);
    },
    close: async () => {
      await database.end();
    },
  };
}

const usual = (now: Date): PayoutRunAsked => ({
  payoutRunId: newId<'prun'>(now),
  startedBy: 'key_test',
  startedByUserId: null,
  creatorId: null,
  minimum: cents(0),
  isDry: false,
  now,
});

/** A creator with sales of a store of their own. */
export async function earner(desk: PayoutDesk, amounts: readonly number[], word: string | null = 'ok') {
  const creatorId = await payee(desk.platform, word);
  const storeId = newId<'store'>(desk.platform.clock.now());
  return { creatorId, storeId, sales: await collected(desk.platform, { storeId, creatorId }, amounts) };
}

/** By account, all stores together. */
export async function bookOf({ platform }: PayoutDesk, creatorId: Id<'crt'>) {
  const sums = { from_stores: 0n, available: 0n, in_payout: 0n, paid: 0n, advance: 0n };
  for (const { account, amount } of await creatorBalances(platform.database, creatorId)) sums[account] += amount;
  return { available: sums.available, inPayout: sums.in_payout, paid: sums.paid, advance: sums.advance };
}

export type PayoutRow = {
  readonly payoutId: Id<'pay'>;
  readonly state: PayoutState;
  readonly amountCents: bigint | null;
  readonly failureCode: string | null;
};

export const payoutsOf = ({ platform }: PayoutDesk, creatorId: Id<'crt'>): Promise<PayoutRow[]> =>
  platform.database.all(sql`
    select payout_id, state, amount_cents, failure_code from payouts where creator_id = ${creatorId} order by payout_id`);

export async function statesOf({ platform }: PayoutDesk, sales: readonly Sale[]): Promise<readonly string[]> {
  const rows = await platform.database.all<{ state: string; isIn: boolean }>(sql`
    select state, payout_id is not null as is_in from commissions
    where commission_id = any(${sales.map(({ commissionId }) => commissionId)}::uuid[]) order by commission_id`);
  return rows.map(({ state, isIn }) => (isIn ? `${state} in a payout` : state));
}

/** What the sandbox's own book says it sent, by reference; twice the same is money paid twice. */
export async function sentBySandbox({
  platform,
}: PayoutDesk): Promise<ReadonlyArray<{ readonly reference: string; readonly amount: bigint }>> {
  return platform.database.all(sql`
    select reference, amount_cents as amount from sandbox_movements where kind = 'payout' and status = 'succeeded' order by reference`);
}

/** Everything that verify finds in the books and in the payouts, in words. The sales here have no invoices or figures. */
export async function differences({ platform }: PayoutDesk): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { what, differences: of } of [...ledgerChecks, ...payoutChecks])
    found.push(...(await of(platform.database)).map(({ detail }) => `${what}: ${detail}`));
  return found;
}

type EventBody = {
  readonly about: string;
  readonly reference: string;
  readonly why: string;
  readonly outcome: Parameters<typeof settlePayout>[2];
};

/** The sandbox's news that is due, brought as the front door brings it; `reordered` the last first. */
export async function bringNews({ money, platform }: PayoutDesk, order: 'in order' | 'reordered' = 'in order'): Promise<number> {
  const rows = await platform.database.all<{ newsId: string; body: string }>(sql`
    select news_id, body from sandbox_events where due_at <= ${platform.clock.now()} and sent_at is null order by due_at, news_id, copy`);
  for (const { body } of order === 'reordered' ? rows.toReversed() : rows) {
    const news: EventBody = JSON.parse(body);
    if (news.about === 'payout') await settlePayout(money, news.reference, news.outcome);
    if (news.about === 'payout_returned') await payoutReturned(money, news);
  }
  return rows.length;
}

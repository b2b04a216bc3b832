import { randomBytes } from 'node:crypto';
import { creatorBalances } from '../../src/ledger/creator-ledger-sql.ts';
import { ledgerChecks } from '../../src/ledger/verify.ts';
import {
  deliverAndResumePayouts,
  noAssessment,
  type PayoutRunCommand,
  type PayoutRunResult,
  runPayouts,
} from '../../src/payouts/run-payouts.ts';
import { handlePayoutReturned, handlePayoutEvent } from '../../src/payouts/send-payout.ts';
import type { PayoutState } from '../../src/payouts/payout-states.ts';
import { payoutChecks } from '../../src/payouts/verify-sql.ts';
import { readConfig } from '../../src/core/config.ts';
import { sql, uuids } from '../../src/db/sql.ts';
import { createCrashPoints } from '../../src/core/crash-points.ts';
import { type Id, newId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { minuteMs } from '../../src/core/time.ts';
import { type Money, openProviders } from '../../src/payments/providers.ts';
import { createCollectedCommissions, createPayee, type Sale } from './collected-commissions.ts';
import { freshDatabase } from './database.ts';
import { tenantsOf } from './tenants.ts';

/** The service without HTTP and jobs: the modules, a real database, the sandbox, and a clock that the test moves. */
export type PayoutWorld = {
  readonly platform: Platform;
  readonly money: Money;
  readonly moveTo: (time: Date) => void;
  readonly moveBy: (ms: number) => void;
  readonly run: (command?: Partial<PayoutRunCommand>, other?: Money) => Promise<PayoutRunResult>;
  /** Runs what the jobs do, some minutes later. */
  readonly later: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const start = new Date('2026-03-01T12:00:00.000Z');

export async function openPayoutWorld(): Promise<PayoutWorld> {
  let now = start;
  const { database } = await freshDatabase();
  const read = readConfig({ MODE: 'sandbox', BASE_URL: 'https://tributary.example', PORT: '0' }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const log = createLog('silent');
  const platform: Platform = {
    config: read.config,
    database,
    tenants: tenantsOf(database),
    jobsDatabase: database,
    clock: { now: () => now, refresh: async () => {} },
    log,
    metrics: createMetrics(),
    secrets: createSecrets(randomBytes(32)),
    own: { url: 'http://127.0.0.1:9' },
    ...createCrashPoints(null),
  };
  const money = { platform, providers: openProviders(platform) };
  const moveBy = (ms: number) => void (now = new Date(now.getTime() + ms));
  return {
    platform,
    money,
    moveTo: (time) => void (now = time),
    moveBy,
    run: (command = {}, other = money) => runPayouts(other, { ...defaultCommand(now), ...command }),
    later: async () => {
      moveBy(10 * minuteMs);
      await deliverAndResumePayouts(money, now);
    },
    close: async () => {
      await database.end();
    },
  };
}

const defaultCommand = (now: Date): PayoutRunCommand => ({
  assessment: noAssessment,
  payoutRunId: newId<'prun'>(now),
  startedBy: 'key_test',
  startedByUserId: null,
  creatorId: null,
  minimum: cents(0),
  isDry: false,
  now,
});

/** A creator with sales in a separate store. */
export async function createEarner(world: PayoutWorld, amounts: readonly number[], word: string | null = 'ok') {
  const creatorId = await createPayee(world.platform, word);
  const storeId = newId<'store'>(world.platform.clock.now());
  return { creatorId, storeId, sales: await createCollectedCommissions(world.platform, { storeId, creatorId }, amounts) };
}

/** By account, over all stores. */
export async function bookOf({ platform }: PayoutWorld, creatorId: Id<'crt'>) {
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

export const payoutsOf = ({ platform }: PayoutWorld, creatorId: Id<'crt'>): Promise<PayoutRow[]> =>
  platform.database.all(sql`
    select payout_id, state, amount_cents, failure_code from payouts where creator_id = ${creatorId} order by payout_id`);

export async function statesOf({ platform }: PayoutWorld, sales: readonly Sale[]): Promise<readonly string[]> {
  const rows = await platform.database.all<{ state: string; isIn: boolean }>(sql`
    select state, payout_id is not null as is_in from commissions
    where commission_id = any(${uuids(sales.map(({ commissionId }) => commissionId))}) order by commission_id`);
  return rows.map(({ state, isIn }) => (isIn ? `${state} in a payout` : state));
}

/** The payouts that the sandbox's own records contain, by reference; a duplicate is money paid twice. */
export async function sentBySandbox({
  platform,
}: PayoutWorld): Promise<ReadonlyArray<{ readonly reference: string; readonly amount: bigint }>> {
  return platform.database.all(sql`
    select reference, amount_cents as amount from sandbox_movements where kind = 'payout' and status = 'succeeded' order by reference`);
}

/** All findings of the verification in ledger and payouts, as text. The sales here have no invoices or daily counts. */
export async function differences({ platform }: PayoutWorld): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { what, differences: of } of [...ledgerChecks, ...payoutChecks])
    found.push(...(await of(platform.database)).map(({ detail }) => `${what}: ${detail}`));
  return found;
}

type EventBody = {
  readonly about: string;
  readonly reference: string;
  readonly why: string;
  readonly outcome: Parameters<typeof handlePayoutEvent>[2];
};

/** Delivers the sandbox's due webhook events as the HTTP endpoint does; `reordered` delivers the last one first. */
export async function deliverEvents({ money, platform }: PayoutWorld, order: 'in order' | 'reordered' = 'in order'): Promise<number> {
  const rows = await platform.database.all<{ newsId: string; body: string }>(sql`
    select news_id, body from sandbox_events where due_at <= ${platform.clock.now()} and sent_at is null order by due_at, news_id, copy`);
  for (const { body } of order === 'reordered' ? rows.toReversed() : rows) {
    const event: EventBody = JSON.parse(body);
    if (event.about === 'payout') await handlePayoutEvent(money, event.reference, event.outcome);
    if (event.about === 'payout_returned') await handlePayoutReturned(money, event);
  }
  return rows.length;
}

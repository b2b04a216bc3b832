import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { createCollectedCommissions } from '../support/collected-commissions.ts';
import {
  bookOf,
  deliverEvents,
  differences,
  createEarner,
  openPayoutWorld,
  payoutsOf,
  sentBySandbox,
  type PayoutWorld,
} from '../support/payouts.ts';
import { randomFrom, isFull, isHard, seed, sizeOf, reportMeasurement, type Prng } from '../support/size.ts';

let world: PayoutWorld;
beforeAll(async () => {
  world = await openPayoutWorld();
});
afterAll(() => world.close());

/** Each ends differently. The others below reach the same ends on other paths, and run only in `npm run test:hard`. */
const quickWords = ['ok', 'timeout_done'] as const;
const fullWords = [...quickWords, 'declined', 'error_not_done', 'returned'] as const;
const otherWords = ['timeout_then_ok', 'error_done', 'timeout_not_done', 'webhook_first', 'never', 'five_times', 'reordered'] as const;
const words = isHard ? [...fullWords, ...otherWords] : isFull ? fullWords : quickWords;

/** More than any payout reaches. */
const pointsMax = 60;
const passesMax = 3;
const amounts = [3_000, 1_234];
const othersAmounts = [1, 4];

/** Crashes at the n-th point and at every later one. Returns the points that were reached. */
async function runAndDie(creatorId: Id<'crt'>, n: number): Promise<readonly string[]> {
  const reached: string[] = [];
  world.platform.crashPoints.onReached = (point) => {
    reached.push(point);
    if (reached.length >= n) throw new Error(`dead at ${point}`);
  };
  await world.run({ creatorId }).catch(() => {});
  world.platform.crashPoints.onReached = () => {};
  return reached;
}

/** What happens automatically afterwards: jobs, another run, and provider events, some minutes apart. */
async function settle(word: string, creatorId: Id<'crt'>): Promise<number> {
  for (let pass = 1; pass <= passesMax; pass += 1) {
    await world.later();
    if (pass === 1) await world.run({ creatorId });
    if (pass === 2 && word === 'never') {
      for (const { payoutId } of await payoutsOf(world, creatorId))
        await endInSandbox(world.platform, publicId('pay', payoutId), 'succeeded');
    }
    await deliverEvents(world, word === 'reordered' ? 'reordered' : 'in order');
    if (pass > 1 && (await isSettled(creatorId))) return pass;
  }
  return passesMax + 1;
}

async function isSettled(creatorId: Id<'crt'>): Promise<boolean> {
  const { open } = await world.platform.database.one<{ open: bigint }>(
    sql`select count(*) as open from payouts where creator_id = ${creatorId} and told_at is null`,
  );
  return open === 0n;
}

/** The first case of every method name is fixed; the others have random amounts, and crash twice. */
const variants: readonly (Prng | null)[] = [
  null,
  ...Array.from({ length: sizeOf('crashSeeds') - 1 }, (_none, place) => randomFrom(seed + place)),
];
const secondPointMost = 12;

describe.each(words)('payouts to an account that answers "%s"', (word) => {
  test('after a crash at any point, everything settles in three passes, nothing is sent twice, and the ledger balances', async () => {
    const seen = new Set<string>();
    let crashes = 0;
    for (const random of variants) {
      let isDead = true;
      for (let n = 1; isDead; n += 1) {
        expect(n, 'the last one lived').toBeLessThan(pointsMax);
        const reached = await oneLife({ word, n, random });
        isDead = reached.length >= n;
        crashes += isDead ? 1 : 0;
        for (const point of reached) seen.add(point);
      }
    }
    // The ledger still has all of them.
    expect(await differences(world)).toEqual([]);
    expect([...seen]).toEqual(
      expect.arrayContaining(['payouts: entries kept', 'payouts: sending', 'payouts: answered', 'payouts: settled']),
    );
    reportMeasurement({
      what: `crash at every step of a payout that ends as ${word}`,
      measured: `${crashes} crashes in ${variants.length} variants: 0 double payouts, all settled in 3 passes, the books agree`,
    });
  });
});

type Dying = { readonly word: string; readonly n: number; readonly random: Prng | null };

/** Returns the points that the first case reached. */
async function oneLife({ word, n, random }: Dying): Promise<readonly string[]> {
  const some = (most: number) => (random === null ? [] : Array.from({ length: 1 + random.below(most) }, () => 1 + random.below(9_000)));
  const [here, elsewhere] = random === null ? [amounts, othersAmounts] : [some(3), some(3)];
  const total = BigInt([...here, ...elsewhere].reduce((sum, amount) => sum + amount, 0));
  const { creatorId } = await createEarner(world, here, word);
  await createCollectedCommissions(world.platform, { storeId: newId<'store'>(world.platform.clock.now()), creatorId }, elsewhere);
  const reached = await runAndDie(creatorId, n);
  const again = random === null ? [] : await runAndDie(creatorId, 1 + random.below(secondPointMost));
  const of = `${here.join('+')} and ${elsewhere.join('+')}`;
  const at = `${word}, of ${of}, dead at the ${n}th point (${reached.at(-1)}), then at ${again.at(-1)}`;
  expect(await settle(word, creatorId), at).toBeLessThanOrEqual(passesMax);
  await judge({ word, creatorId, total, at });
  return reached;
}

type Judged = { readonly word: string; readonly creatorId: Id<'crt'>; readonly total: bigint; readonly at: string };

async function judge({ word, creatorId, total, at }: Judged): Promise<void> {
  const payouts = await payoutsOf(world, creatorId);
  expect(payouts.length, at).toBeGreaterThan(0);
  const sent = new Map<string, bigint>();
  for (const { reference, amount } of await sentBySandbox(world)) {
    expect(sent.has(reference), `${at}: ${reference} was sent twice`).toBe(false);
    sent.set(reference, amount);
  }
  for (const { payoutId, state, amountCents } of payouts) {
    const arrived = sent.get(publicId('pay', payoutId)) ?? null;
    expect(arrived, at).toBe(state === 'paid' || state === 'returned' ? amountCents : null);
  }
  const { available, inPayout, paid, advance } = await bookOf(world, creatorId);
  expect({ inPayout, advance, whole: available + paid }, at).toEqual({ inPayout: 0n, advance: 0n, whole: total });
  if (word !== 'declined' && word !== 'returned') expect(paid, at).toBe(total);
  if (word === 'declined') expect(available, at).toBe(total);
  if (word !== 'returned') return;
  expect(
    payouts.map(({ state }) => state),
    at,
  ).toContain('returned');
}

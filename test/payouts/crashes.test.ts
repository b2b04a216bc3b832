import { afterAll, expect, test } from 'vitest';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { crashAt, type CrashCase, type CrashedKind, expectSettledAfterEveryCrash } from '../money-movement/crash-guarantee.ts';
import { createCollectedCommissions } from '../support/collected-commissions.ts';
import { bookOf, deliverEvents, differences, createEarner, openPayoutWorld, payoutsOf, sentBySandbox } from '../support/payouts.ts';
import { isFull, isHard } from '../support/size.ts';

const world = await openPayoutWorld();
afterAll(() => world.close());

/** Each ends differently. The others below reach the same ends on other paths, and run only in `npm run test:hard`. */
const quickWords = ['ok', 'timeout_done'] as const;
const fullWords = [...quickWords, 'declined', 'error_not_done', 'returned'] as const;
const otherWords = ['timeout_then_ok', 'error_done', 'timeout_not_done', 'webhook_first', 'never', 'five_times', 'reordered'] as const;
const words = isHard ? [...fullWords, ...otherWords] : isFull ? fullWords : quickWords;

const passesMax = 3;
const amounts = [3_000, 1_234];
const othersAmounts = [1, 4];

/** Returns the steps of the whole run that were reached. */
const runAndCrash = (creatorId: Id<'crt'>, crashStep: number) =>
  crashAt(world.platform, { crashStep, prefix: '' }, () => world.run({ creatorId }));

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

const secondStepMost = 12;

const payouts: CrashedKind = {
  noun: 'payout',
  stepsOf: () => expect.arrayContaining(['payouts: entries kept', 'payouts: sending', 'payouts: answered', 'payouts: settled']),
  differences: () => differences(world),
  runCase,
};

test.each(words)(
  'after a crash at any step of a payout that ends as %s, pays the creator once and settles everything in three passes',
  (word) => expectSettledAfterEveryCrash(payouts, word),
);

async function runCase({ word, crashStep, random }: CrashCase): Promise<readonly string[]> {
  const some = (most: number) => (random === null ? [] : Array.from({ length: 1 + random.below(most) }, () => 1 + random.below(9_000)));
  const [here, elsewhere] = random === null ? [amounts, othersAmounts] : [some(3), some(3)];
  const total = BigInt([...here, ...elsewhere].reduce((sum, amount) => sum + amount, 0));
  const { creatorId } = await createEarner(world, here, word);
  await createCollectedCommissions(world.platform, { storeId: newId<'store'>(world.platform.clock.now()), creatorId }, elsewhere);
  const reached = await runAndCrash(creatorId, crashStep);
  const again = random === null ? [] : await runAndCrash(creatorId, 1 + random.below(secondStepMost));
  const of = `${here.join('+')} and ${elsewhere.join('+')}`;
  const at = `${word}, of ${of}, crashed at step ${crashStep} (${reached.at(-1)}), then at ${again.at(-1)}`;
  expect(await settle(word, creatorId), at).toBeLessThanOrEqual(passesMax);
  await expectPaidOnce({ word, creatorId, total, at });
  return reached;
}

type SettledCase = { readonly word: string; readonly creatorId: Id<'crt'>; readonly total: bigint; readonly at: string };

async function expectPaidOnce({ word, creatorId, total, at }: SettledCase): Promise<void> {
  const all = await payoutsOf(world, creatorId);
  expect(all.length, at).toBeGreaterThan(0);
  const sent = new Map<string, bigint>();
  for (const { reference, amount } of await sentBySandbox(world)) {
    expect(sent.has(reference), `${at}: ${reference} was sent twice`).toBe(false);
    sent.set(reference, amount);
  }
  for (const { payoutId, state, amountCents } of all) {
    const arrived = sent.get(publicId('pay', payoutId)) ?? null;
    expect(arrived, at).toBe(state === 'paid' || state === 'returned' ? amountCents : null);
  }
  const { available, inPayout, paid, advance } = await bookOf(world, creatorId);
  expect({ inPayout, advance, whole: available + paid }, at).toEqual({ inPayout: 0n, advance: 0n, whole: total });
  if (word !== 'declined' && word !== 'returned') expect(paid, at).toBe(total);
  if (word === 'declined') expect(available, at).toBe(total);
  if (word !== 'returned') return;
  expect(
    all.map(({ state }) => state),
    at,
  ).toContain('returned');
}

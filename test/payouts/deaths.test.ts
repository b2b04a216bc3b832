import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { newId, publicId, type Id } from '../../src/platform/ids.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { collected } from '../support/collected.ts';
import { bookOf, bringNews, differences, earner, payoutDesk, payoutsOf, sentBySandbox, type PayoutDesk } from '../support/payouts.ts';
import { chanceFrom, isHard, seed, sizeOf, tellFigure, type Chance } from '../support/size.ts';

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await payoutDesk();
});
afterAll(() => desk.close());

/** Each ends in another way. The others below differ in what the provider does on the way there: the hard tests have them too. */
const usualWords = ['ok', 'declined', 'timeout_done', 'error_not_done', 'returned'] as const;
const otherWords = ['timeout_then_ok', 'error_done', 'timeout_not_done', 'webhook_first', 'never', 'five_times', 'reordered'] as const;
const words = isHard ? [...usualWords, ...otherWords] : usualWords;

/** More than any life of a payout reaches. */
const pointsMax = 60;
const passesMax = 3;
/** At two stores. */
const amounts = [3_000, 1_234];
const othersAmounts = [1, 4];

/** Dies at the n-th point, and stays dead: whatever it still tries ends at once. Gives the points that it came to. */
async function runAndDie(creatorId: Id<'crt'>, n: number): Promise<readonly string[]> {
  const reached: string[] = [];
  desk.platform.faultPoints.onReached = (point) => {
    reached.push(point);
    if (reached.length >= n) throw new Error(`dead at ${point}`);
  };
  await desk.run({ creatorId }).catch(() => {});
  desk.platform.faultPoints.onReached = () => {};
  return reached;
}

/** What happens afterwards by itself: jobs, another run, the provider's news, each some minutes later. */
async function goOn(word: string, creatorId: Id<'crt'>): Promise<number> {
  for (let pass = 1; pass <= passesMax; pass += 1) {
    await desk.later();
    if (pass === 1) await desk.run({ creatorId });
    if (pass === 2 && word === 'never') {
      for (const { payoutId } of await payoutsOf(desk, creatorId))
        await endInSandbox(desk.platform, publicId('pay', payoutId), 'succeeded');
    }
    await bringNews(desk, word === 'reordered' ? 'reordered' : 'in order');
    if (pass > 1 && (await isSettled(creatorId))) return pass;
  }
  return passesMax + 1;
}

async function isSettled(creatorId: Id<'crt'>): Promise<boolean> {
  const { open } = await desk.platform.database.one<{ open: bigint }>(
    sql`select count(*) as open from payouts where creator_id = ${creatorId} and told_at is null`,
  );
  return open === 0n;
}

/** The first life of every word is always the same; the others have other amounts, and die twice. */
const lives: readonly (Chance | null)[] = [
  null,
  ...Array.from({ length: sizeOf('seedsOfDeaths') - 1 }, (_none, place) => chanceFrom(seed + place)),
];
const secondPointMost = 12;

describe.each(words)('an account that answers "%s"', (word) => {
  test('death at any point: everything settles in three passes, nothing is sent twice, the books agree', async () => {
    const seen = new Set<string>();
    let deaths = 0;
    for (const chance of lives) {
      let isDead = true;
      for (let n = 1; isDead; n += 1) {
        expect(n, 'the last one lived').toBeLessThan(pointsMax);
        const reached = await oneLife({ word, n, chance });
        isDead = reached.length >= n;
        deaths += isDead ? 1 : 0;
        for (const point of reached) seen.add(point);
      }
    }
    // All of them still stand in the books.
    expect(await differences(desk)).toEqual([]);
    expect([...seen]).toEqual(
      expect.arrayContaining(['payouts: entries kept', 'payouts: sending', 'payouts: answered', 'payouts: settled']),
    );
    tellFigure({
      what: `death at every step of a payout that ends as ${word}`,
      came: `${deaths} deaths in ${lives.length} variants: 0 double payouts, all settled in 3 passes, the books agree`,
    });
  });
});

type Dying = { readonly word: string; readonly n: number; readonly chance: Chance | null };

/** Gives the points that the first life came to. */
async function oneLife({ word, n, chance }: Dying): Promise<readonly string[]> {
  const some = (most: number) => (chance === null ? [] : Array.from({ length: 1 + chance.below(most) }, () => 1 + chance.below(9_000)));
  const [here, elsewhere] = chance === null ? [amounts, othersAmounts] : [some(3), some(3)];
  const total = BigInt([...here, ...elsewhere].reduce((sum, amount) => sum + amount, 0));
  const { creatorId } = await earner(desk, here, word);
  await collected(desk.platform, { storeId: newId<'store'>(desk.platform.clock.now()), creatorId }, elsewhere);
  const reached = await runAndDie(creatorId, n);
  const again = chance === null ? [] : await runAndDie(creatorId, 1 + chance.below(secondPointMost));
  const of = `${here.join('+')} and ${elsewhere.join('+')}`;
  const at = `${word}, of ${of}, dead at the ${n}th point (${reached.at(-1)}), then at ${again.at(-1)}`;
  expect(await goOn(word, creatorId), at).toBeLessThanOrEqual(passesMax);
  await judge({ word, creatorId, total, at });
  return reached;
}

type Judged = { readonly word: string; readonly creatorId: Id<'crt'>; readonly total: bigint; readonly at: string };

async function judge({ word, creatorId, total, at }: Judged): Promise<void> {
  const payouts = await payoutsOf(desk, creatorId);
  expect(payouts.length, at).toBeGreaterThan(0);
  const sent = new Map<string, bigint>();
  for (const { reference, amount } of await sentBySandbox(desk)) {
    expect(sent.has(reference), `${at}: ${reference} was sent twice`).toBe(false);
    sent.set(reference, amount);
  }
  for (const { payoutId, state, amountCents } of payouts) {
    const arrived = sent.get(publicId('pay', payoutId)) ?? null;
    expect(arrived, at).toBe(state === 'paid' || state === 'returned' ? amountCents : null);
  }
  const { available, inPayout, paid, advance } = await bookOf(desk, creatorId);
  expect({ inPayout, advance, whole: available + paid }, at).toEqual({ inPayout: 0n, advance: 0n, whole: total });
  if (word !== 'declined' && word !== 'returned') expect(paid, at).toBe(total);
  if (word === 'declined') expect(available, at).toBe(total);
  if (word !== 'returned') return;
  expect(
    payouts.map(({ state }) => state),
    at,
  ).toContain('returned');
}

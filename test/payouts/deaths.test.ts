import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { newId, publicId, type Id } from '../../src/platform/ids.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { collected } from '../support/collected.ts';
import { bookOf, bringNews, differences, earner, payoutDesk, payoutsOf, sentBySandbox, type PayoutDesk } from '../support/payouts.ts';

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await payoutDesk();
});
afterAll(() => desk.close());

/** Each ends in another way. The others below differ in what the provider does on the way there: `DEATHS=all` has them too. */
const usualWords = ['ok', 'declined', 'timeout_done', 'error_not_done', 'returned'] as const;
const otherWords = ['timeout_then_ok', 'error_done', 'timeout_not_done', 'webhook_first', 'never', 'five_times', 'reordered'] as const;
const words = process.env['DEATHS'] === 'all' ? [...usualWords, ...otherWords] : usualWords;

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

describe.each(words)('an account that answers "%s"', (word) => {
  test('death at any point: everything settles in three passes, nothing is sent twice, the books agree', async () => {
    const seen = new Set<string>();
    let isDead = true;
    let n = 0;
    while (isDead && n < pointsMax) {
      n += 1;
      const { creatorId } = await earner(desk, amounts, word);
      await collected(desk.platform, { storeId: newId<'store'>(desk.platform.clock.now()), creatorId }, othersAmounts);
      const reached = await runAndDie(creatorId, n);
      isDead = reached.length >= n;
      for (const point of reached) seen.add(point);
      const at = `${word}, dead at the ${n}th point (${reached.at(-1)})`;
      expect(await goOn(word, creatorId), at).toBeLessThanOrEqual(passesMax);

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
      expect({ inPayout, advance, whole: available + paid }, at).toEqual({ inPayout: 0n, advance: 0n, whole: 4_239n });
      if (word !== 'declined' && word !== 'returned') expect(paid, at).toBe(4_239n);
      if (word === 'declined') expect(available, at).toBe(4_239n);
      if (word === 'returned')
        expect(
          payouts.map(({ state }) => state),
          at,
        ).toContain('returned');
    }
    // All of them still stand in the books.
    expect(await differences(desk)).toEqual([]);
    expect(isDead, 'the last one lived').toBe(false);
    expect([...seen]).toEqual(
      expect.arrayContaining(['payouts: entries kept', 'payouts: sending', 'payouts: answered', 'payouts: settled']),
    );
  });
});

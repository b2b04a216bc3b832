import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import type { ChargeProvider, MoneyIntent, PayoutProvider, ProviderNews } from '../../src/providers/provider.ts';
import { openProviders } from '../../src/providers/providers.ts';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { sandboxNewsPath, sendSandboxNews } from '../../src/providers/sandbox-news.ts';
import { allMovements } from '../../src/providers/sandbox-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { barePlatform, type BarePlatform } from '../support/bare-platform.ts';
import { openNewsDoor, type NewsDoor } from '../support/news-door.ts';

let bare: BarePlatform;
let door: NewsDoor;
let charges: ChargeProvider;
let payouts: PayoutProvider;

beforeAll(async () => {
  bare = await barePlatform();
  const { chargeProvider, payoutProvider, readNews } = openProviders(bare.platform);
  const [one, other] = [chargeProvider('sandbox'), payoutProvider('sandbox')];
  must(one !== null && other !== null && readNews.sandbox !== null, 'the sandbox has its provider');
  [charges, payouts] = [one, other];
  door = await openNewsDoor(sandboxNewsPath, readNews.sandbox);
  bare.platform.own.url = door.url;
});
afterAll(async () => {
  await door.close();
  await bare.close();
});
/** Nothing of the test before is on its way any more. */
beforeEach(async () => {
  door.status = 200;
  await later(10 * 60_000);
  door.came.length = 0;
  door.forged.length = 0;
});

let counted = 0;
const intent = (instrument: string): MoneyIntent => ({
  reference: `chg_${String(++counted).padStart(6, '0')}`,
  amount: cents(2_500),
  instrument,
  description: 'Invoice 7',
});

/** Some time passes, and what became due meanwhile is sent. */
async function later(ms: number): Promise<void> {
  await bare.pass(ms);
  await sendSandboxNews(bare.platform, bare.platform.clock.now());
}

const words = (news: readonly ProviderNews[]) => news.map((one) => ('outcome' in one ? `${one.about} ${one.outcome.is}` : one.about));

test('news comes over HTTP when its time has come, and once', async () => {
  const asked = intent('ok');
  await charges.charge(asked);
  await sendSandboxNews(bare.platform, bare.platform.clock.now());
  expect(door.came).toEqual([]);
  await later(3_000);
  expect(door.came).toMatchObject([{ about: 'charge', reference: asked.reference, outcome: { is: 'succeeded' } }]);
  await later(3_000);
  expect(door.came).toHaveLength(1);
  expect(door.forged).toEqual([]);
});

test('news that was not taken is sent again, later and later, until it is', async () => {
  door.status = 503;
  await charges.charge(intent('ok'));
  await later(3_000);
  await later(61_000);
  door.status = 200;
  await later(60_000);
  expect(door.came).toEqual([]);
  await later(61_000);
  expect(words(door.came)).toEqual(['charge succeeded']);
});

/** Enough that they are sent one after the other for a while. */
const chargeMany = () => Promise.all(Array.from({ length: 40 }, () => charges.charge(intent('ok'))));

test('while nobody answers, news waits as long as it takes, and then all of it comes', async () => {
  bare.platform.own.url = 'http://127.0.0.1:1';
  await chargeMany();
  for (let minute = 0; minute < 30; minute++) await later(61_000);
  bare.platform.own.url = door.url;
  await later(24 * 3_600_000);
  expect(new Set(door.came.map(({ newsId }) => newsId)).size).toBe(40);
});

test('what many senders find due at the same moment is sent once', async () => {
  await chargeMany();
  await bare.pass(3_000);
  const now = bare.platform.clock.now();
  await Promise.all(Array.from({ length: 8 }, () => sendSandboxNews(bare.platform, now)));
  expect(door.came).toHaveLength(40);
});

test('five_times: the same news comes five times, with one id', async () => {
  await charges.charge(intent('five_times'));
  await later(3_000);
  expect(words(door.came)).toEqual(Array(5).fill('charge succeeded'));
  expect(new Set(door.came.map(({ newsId }) => newsId)).size).toBe(1);
});

test('reordered: it is pending, then its end is told, and its beginning last', async () => {
  const asked = intent('reordered');
  expect((await charges.charge(asked)).is).toBe('pending');
  await later(5_000);
  expect(words(door.came)).toEqual(['charge succeeded', 'charge pending']);
});

test('webhook_first: the news was taken before the call is answered', async () => {
  const call = charges.charge(intent('webhook_first')).then((outcome) => [outcome.is, ...words(door.came)]);
  expect(await call).toEqual(['succeeded', 'charge succeeded']);
  await later(3_000);
  expect(door.came).toHaveLength(1);
});

test('webhook_first with nobody who takes it: the call ends well, and the news comes again', async () => {
  door.status = 500;
  expect((await charges.charge(intent('webhook_first'))).is).toBe('succeeded');
  door.status = 200;
  await later(3_000);
  expect(words(door.came)).toEqual(['charge succeeded']);
});

test('insufficient_then_ok: the next attempt succeeds, the same one stays declined, and another method begins anew', async () => {
  const attempt = intent('insufficient_then_ok#pm_1');
  expect(await charges.charge(attempt)).toMatchObject({ is: 'declined', code: 'insufficient_funds' });
  expect((await charges.charge(intent('insufficient_then_ok#pm_1'))).is).toBe('succeeded');
  expect((await charges.charge(attempt)).is).toBe('declined');
  expect((await charges.charge(intent('insufficient_then_ok#pm_2'))).is).toBe('declined');
});

test('timeout_then_ok: each attempt is lost once', async () => {
  const attempt = intent('timeout_then_ok');
  expect((await charges.charge(attempt)).is).toBe('unknown');
  expect((await charges.charge(attempt)).is).toBe('succeeded');
  expect((await charges.charge(intent('timeout_then_ok'))).is).toBe('unknown');
});

test('disputed: the charge stands, half a minute later a dispute is opened, and a minute later it is lost', async () => {
  const asked = intent('disputed');
  expect((await charges.charge(asked)).is).toBe('succeeded');
  await later(29_000);
  expect(words(door.came)).toEqual(['charge succeeded']);
  await later(30_000);
  expect(words(door.came)).toEqual(['charge succeeded', 'dispute_opened']);
  await later(2_000);
  expect(door.came[2]).toEqual({
    about: 'dispute_lost',
    newsId: expect.any(String),
    reference: asked.reference,
    at: expect.any(Date),
    why: expect.any(String),
  });
  expect((await charges.lookUpCharge(asked)).is).toBe('succeeded');
});

test('returned: the payout was paid, and a minute later it came back', async () => {
  const asked = { ...intent('returned'), reference: 'pay_returned' };
  expect((await payouts.pay(asked)).is).toBe('succeeded');
  await later(61_000);
  expect(words(door.came)).toEqual(['payout succeeded', 'payout_returned']);
});

test('never: it is pending, nobody tells anything, until somebody ends it', async () => {
  const asked = intent('never');
  expect((await charges.charge(asked)).is).toBe('pending');
  await later(40 * 24 * 3_600_000);
  expect(door.came).toEqual([]);
  expect(await endInSandbox(bare.platform, asked.reference, 'declined')).toBe(true);
  expect(await endInSandbox(bare.platform, asked.reference, 'succeeded')).toBe(false);
  await later(0);
  expect(words(door.came)).toEqual(['charge declined']);
  expect(await charges.lookUpCharge(asked)).toMatchObject({ is: 'declined', code: 'bank_declined' });
});

test('the book is its own: what the caller rolls back stays charged', async () => {
  const asked = intent('ok');
  const rolledBack = bare.platform.database.transaction(async () => {
    await charges.charge(asked);
    throw new Error('a death');
  });
  await expect(rolledBack).rejects.toThrow('a death');
  expect((await allMovements(bare.platform.database)).filter(({ reference }) => reference === asked.reference)).toHaveLength(1);
});

test('one key is one call: as a payout, the key of a charge is a mistake of ours', async () => {
  const asked = intent('ok');
  await charges.charge(asked);
  await expect(payouts.pay(asked)).rejects.toThrow('impossible');
});

test('keys and news that was taken are not kept for ever', async () => {
  await charges.charge(intent('ok'));
  await later(3_000);
  await later(31 * 24 * 3_600_000);
  const left = await bare.platform.database.all(sql`
    select key from sandbox_keys union all select news_id from sandbox_events where sent_at is not null`);
  expect(left).toEqual([]);
});

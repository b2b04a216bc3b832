import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cents } from '../../src/platform/money.ts';
import type {
  ChargeProvider,
  LookedUp,
  MoneyIntent,
  MoneyOutcome,
  PayoutProvider,
  ReadProviderNews,
} from '../../src/providers/provider.ts';
import type { SignedNews } from '../support/stripe-stand-in.ts';

export type Kind = 'charge' | 'payout';
/** How a call is to end; each provider has its own instruments for it. */
export type End = 'ok' | 'declined' | 'timeout_done' | 'timeout_not_done' | 'error_done' | 'error_not_done' | 'pending';
export type BookLine = { readonly kind: Kind; readonly reference: string; readonly amount: bigint };

/** One provider, and what a test may know of its inside: that it is asked for by nobody else. */
export type Subject = {
  readonly charges: ChargeProvider;
  readonly payouts: PayoutProvider;
  /** A method that was never used before. */
  readonly instrument: (end: End, kind: Kind) => string;
  /** The money that moved, without any lag. */
  readonly moved: () => Promise<readonly BookLine[]>;
  readonly pass: (ms: number) => Promise<void>;
  /** What is pending comes to its end. */
  readonly end: (reference: string, end: 'succeeded' | 'declined') => Promise<void>;
  readonly read: ReadProviderNews;
  /** News of a charge or payout that was made, as it would come over HTTP. */
  readonly news: (what: { kind: Kind; reference: string; signedAt?: Date; by?: 'a stranger' }) => Promise<SignedNews>;
  readonly close: () => Promise<void>;
};

/** One of the two things that a provider does, asked for and looked up. */
type Asking = {
  readonly kind: Kind;
  readonly subject: () => Subject;
  readonly intent: (end: End) => MoneyIntent;
  readonly call: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUp: (intent: MoneyIntent) => Promise<LookedUp>;
  readonly linesOf: (intent: MoneyIntent) => Promise<readonly BookLine[]>;
  readonly waitUntilSure: () => Promise<void>;
  readonly keyLifeMs: () => number;
};

let counted = 0;
const intentFor = (instrument: string, kind: Kind): MoneyIntent => ({
  reference: `${kind === 'charge' ? 'chg' : 'pay'}_${String(++counted).padStart(8, '0')}`,
  amount: cents(12_345),
  instrument,
  description: 'Invoice 7 of Tributary',
  madeAt: new Date(),
});

const askingFor = (subject: () => Subject, kind: Kind): Asking => {
  const provider = () => (kind === 'charge' ? subject().charges : subject().payouts);
  return {
    kind,
    subject,
    intent: (end) => intentFor(subject().instrument(end, kind), kind),
    call: (intent) => (kind === 'charge' ? subject().charges.charge(intent) : subject().payouts.pay(intent)),
    lookUp: (intent) => (kind === 'charge' ? subject().charges.lookUpCharge(intent) : subject().payouts.lookUpPayout(intent)),
    linesOf: async ({ reference }) => (await subject().moved()).filter((line) => line.reference === reference),
    waitUntilSure: () => subject().pass(provider().absentIsSureAfterMs),
    keyLifeMs: () => provider().keyLifeMs,
  };
};

/** What every provider holds, so that billing and payouts need to know none of them. */
export function holdsTheContract(open: () => Promise<Subject>, { pendingPayouts }: { readonly pendingPayouts: boolean }): void {
  let subject: Subject;
  beforeAll(async () => void (subject = await open()));
  afterAll(() => subject.close());

  describe.each(['charge', 'payout'] as const)('a %s', (kind) => {
    const asking = askingFor(() => subject, kind);
    movesOnce(asking);
    isRefusedWithReason(asking);
    isFoundAgain(asking);
    isToldByNews(asking);
    if (kind === 'charge' || pendingPayouts) comesToItsEnd(asking);
  });

  test('a charge below the least is declined', async () => {
    const asked = { ...intentFor(subject.instrument('ok', 'charge'), 'charge'), amount: cents(subject.charges.chargeMin - 1n) };
    expect(await subject.charges.charge(asked)).toMatchObject({ is: 'declined', code: 'amount_too_small' });
    const least = { ...intentFor(subject.instrument('ok', 'charge'), 'charge'), amount: subject.charges.chargeMin };
    expect((await subject.charges.charge(least)).is).toBe('succeeded');
  });
}

/** The amount moves once for one key, as long as the key is remembered. */
function movesOnce({ subject, kind, intent, call, linesOf, keyLifeMs }: Asking): void {
  test('that succeeds moves its amount once, also when the same key is sent again and by many at once', async () => {
    const asked = intent('ok');
    const outcome = await call(asked);
    expect(outcome).toEqual({ is: 'succeeded', providerId: expect.any(String) });
    expect(await call(asked)).toEqual(outcome);
    const ten = await Promise.all(Array.from({ length: 10 }, () => call(asked)));
    expect(ten).toEqual(ten.map(() => outcome));
    expect(await linesOf(asked)).toEqual([{ kind, reference: asked.reference, amount: 12_345n }]);
  });

  test('that ten ask for at the same moment moves once, and nobody is told that it failed', async () => {
    const asked = intent('ok');
    const ten = await Promise.all(Array.from({ length: 10 }, () => call(asked)));
    expect(ten.map(({ is }) => is).filter((is) => is !== 'succeeded' && is !== 'unknown')).toEqual([]);
    expect(ten.filter(({ is }) => is === 'succeeded').length).toBeGreaterThan(0);
    expect(await linesOf(asked)).toHaveLength(1);
  });

  test.each([
    ['amount', { amount: cents(12_346) }],
    ['description', { description: 'Invoice 8 of Tributary' }],
  ])('whose key is sent again with another %s is a mistake of ours, and moves nothing more', async (_what, change) => {
    const asked = intent('ok');
    await call(asked);
    await expect(call({ ...asked, ...change })).rejects.toThrow('impossible');
    expect(await linesOf(asked)).toEqual([{ kind, reference: asked.reference, amount: 12_345n }]);
  });

  test('is made anew when its key was forgotten, which is why a key lives shorter with us', async () => {
    const asked = intent('ok');
    await call(asked);
    await subject().pass(keyLifeMs());
    await call(asked);
    expect(await linesOf(asked)).toHaveLength(1);
    await subject().pass(24 * 3_600_000);
    await call(asked);
    expect(await linesOf(asked)).toHaveLength(2);
  });
}

/** A decline is sure, and says why. */
function isRefusedWithReason({ kind, intent, call, linesOf }: Asking): void {
  test('that is declined moves nothing, and says why in words and with a code', async () => {
    const asked = intent('declined');
    const outcome = await call(asked);
    expect(outcome).toMatchObject({
      is: 'declined',
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/^[A-Z].+\.$/),
    });
    expect(await call(asked)).toEqual(outcome);
    expect(await linesOf(asked)).toEqual([]);
  });

  test('of a method that is not there is declined', async () => {
    const asked = intentFor('nobody knows it', kind);
    expect(await call(asked)).toMatchObject({ is: 'declined', code: 'no_such_instrument' });
    expect(await linesOf(asked)).toEqual([]);
  });
}

/** What nobody heard the end of is found, or absent for sure. */
function isFoundAgain({ intent, call, lookUp, linesOf, waitUntilSure }: Asking): void {
  test.each(['timeout_done', 'error_done'] as const)('that ends with %s is unknown, and found by a look-up', async (end) => {
    const asked = intent(end);
    expect(await call(asked)).toEqual({ is: 'unknown', why: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual({ is: 'succeeded', providerId: expect.any(String) });
    expect((await call(asked)).is).toBe(end === 'timeout_done' ? 'succeeded' : 'unknown');
    expect(await linesOf(asked)).toHaveLength(1);
  });

  test.each(['timeout_not_done', 'error_not_done'] as const)(
    'that ends with %s is unknown, absent, and the same key does it',
    async (end) => {
      const asked = intent(end);
      expect(await call(asked)).toEqual({ is: 'unknown', why: expect.any(String) });
      expect(await linesOf(asked)).toEqual([]);
      await waitUntilSure();
      expect(await lookUp(asked)).toEqual({ is: 'absent' });
      const outcome = await call(asked);
      expect(outcome.is).toBe('succeeded');
      await waitUntilSure();
      expect(await lookUp(asked)).toEqual(outcome);
      expect(await linesOf(asked)).toHaveLength(1);
    },
  );

  test('is not found at once by its reference, but by its name, and when absent is sure, by both', async () => {
    const asked = intent('ok');
    const outcome = await call(asked);
    const named = { ...asked, providerId: 'providerId' in outcome ? outcome.providerId : null };
    expect(await lookUp(asked)).toEqual({ is: 'absent' });
    expect(await lookUp(named)).toEqual(outcome);
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual(outcome);
  });

  test('of another is not found', async () => {
    const asked = intent('ok');
    await call(asked);
    await waitUntilSure();
    expect(await lookUp({ ...asked, reference: `${asked.reference}x` })).toEqual({ is: 'absent' });
  });
}

/** News is believed by its signature alone. */
function isToldByNews({ subject, kind, intent, call }: Asking): void {
  test('is told by news that only the provider can have signed, just now', async () => {
    const asked = intent('ok');
    const outcome = await call(asked);
    const { reference } = asked;
    const { body, headers } = await subject().news({ kind, reference });
    const now = new Date();
    const genuine = await subject().read(body, headers, now);
    expect(genuine).toEqual({ is: 'read', news: { about: kind, newsId: expect.any(String), reference, outcome } });
    // The same again has the same id: whoever has seen it knows it.
    expect(await subject().read(body, headers, now)).toEqual(genuine);

    const changed = Buffer.from(body.toString('utf8').replace(reference, `${reference.slice(0, -1)}9`));
    const old = await subject().news({ kind, reference, signedAt: new Date(now.getTime() - 6 * 60_000) });
    const stranger = await subject().news({ kind, reference, by: 'a stranger' });
    const header = Object.keys(headers)[0] ?? '';
    const forgeries: ReadonlyArray<readonly [string, Buffer, Readonly<Record<string, string>>]> = [
      ['changed bytes', changed, headers],
      ['a space more', Buffer.concat([body, Buffer.from(' ')]), headers],
      ['no signature', body, {}],
      ['an empty signature', body, { [header]: '' }],
      ['a later time with the old signature', old.body, { [header]: (old.headers[header] ?? '').replace(/t=\d+/, 't=9999999999') }],
      ['signed six minutes ago', old.body, old.headers],
      ['signed by a stranger', stranger.body, stranger.headers],
      ['no bytes', Buffer.alloc(0), headers],
    ];
    for (const [what, bytes, sent] of forgeries) expect(await subject().read(bytes, sent, now), what).toMatchObject({ is: 'forged' });
  });
}

/** What was accepted ends later, and moves nothing before. */
function comesToItsEnd({ subject, intent, call, lookUp, linesOf, waitUntilSure }: Asking): void {
  test.each(['succeeded', 'declined'] as const)('that is pending moves nothing until it has %s', async (end) => {
    const asked = intent('pending');
    const outcome = await call(asked);
    expect(outcome).toEqual({ is: 'pending', providerId: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual(outcome);
    expect(await linesOf(asked)).toEqual([]);
    await subject().end(asked.reference, end);
    expect((await lookUp(asked)).is).toBe(end);
    expect(await linesOf(asked)).toHaveLength(end === 'succeeded' ? 1 : 0);
  });
}

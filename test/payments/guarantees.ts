import { expect } from 'vitest';
import { cents } from '../../src/core/money.ts';
import type { MoneyIntent } from '../../src/payments/provider.ts';
import { intentFor, type Asking } from './subject.ts';

/**
 * The guarantees of every provider, so that billing and payouts need not know which one they use. Each is written once for charges and
 * payouts.
 */
export type Guarantee = (asking: Asking) => Promise<void>;

const tenOf = <Done>(work: () => Promise<Done>): Promise<readonly Done[]> => Promise.all(Array.from({ length: 10 }, work));

export const movesOnce: Guarantee = async ({ intent, call, linesOf }) => {
  const asked = intent('ok');
  const outcome = await call(asked);
  expect(outcome).toEqual({ is: 'succeeded', providerId: expect.any(String) });
  expect(await call(asked)).toEqual(outcome);
  const again = await tenOf(() => call(asked));
  expect(again).toEqual(again.map(() => outcome));
  expect(await linesOf(asked)).toHaveLength(1);
};

export const movesOnceForTen: Guarantee = async ({ intent, call, linesOf }) => {
  const asked = intent('ok');
  const ten = await tenOf(() => call(asked));
  expect(ten.map(({ is }) => is).filter((is) => is !== 'succeeded' && is !== 'unknown')).toEqual([]);
  expect(ten.filter(({ is }) => is === 'succeeded').length).toBeGreaterThan(0);
  expect(await linesOf(asked)).toHaveLength(1);
};

export const refusesOtherContent: Guarantee = async ({ intent, call, linesOf }) => {
  const changes: ReadonlyArray<Partial<MoneyIntent>> = [
    { amount: cents(12_346) },
    { description: 'Invoice 8 of Tributary' },
    { instrument: intent('ok').instrument },
  ];
  for (const change of changes) {
    const asked = intent('ok');
    await call(asked);
    const line = (await linesOf(asked))[0];
    await expect(call({ ...asked, ...change }), Object.keys(change)[0]).rejects.toThrow('impossible');
    expect(await linesOf(asked)).toEqual([line]);
  }
};

/** Every provider accepts amounts of up to eight digits. */
const amounts = [50n, 51n, 99n, 100n, 12_345n, 99_999_999n];

export const movesToTheCent: Guarantee = async ({ kind, intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const amount of amounts) {
    const asked = { ...intent('ok'), amount: cents(amount) };
    const outcome = await call(asked);
    expect(outcome.is).toBe('succeeded');
    expect(await linesOf(asked)).toEqual([{ kind, reference: asked.reference, amount, to: asked.instrument }]);
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual(outcome);
  }
};

/** A provider that has forgotten a key moves the money again, so our limit for sending a key is shorter. */
export const outlivesOurKey: Guarantee = async ({ subject, intent, call, linesOf, keyLifeMs }) => {
  const asked = intent('ok');
  await call(asked);
  await subject.pass(keyLifeMs);
  await call(asked);
  expect(await linesOf(asked)).toHaveLength(1);
  await subject.pass(24 * 3_600_000);
  await call(asked);
  expect(await linesOf(asked)).toHaveLength(2);
};

export const saysWhyItFailed: Guarantee = async ({ intent, call, linesOf }) => {
  const asked = intent('declined');
  const outcome = await call(asked);
  const [code, message] = [expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/^[A-Z].+\.$/)];
  expect(outcome).toMatchObject({ is: 'declined', code, message });
  expect(await call(asked)).toEqual(outcome);
  expect(await linesOf(asked)).toEqual([]);
};

export const paysNobodyUnknown: Guarantee = async ({ kind, call, linesOf }) => {
  const asked = intentFor('nobody knows it', kind);
  expect(await call(asked)).toMatchObject({ is: 'declined', code: 'no_such_instrument' });
  expect(await linesOf(asked)).toEqual([]);
};

/** Stripe and the sandbox repeat a 500 for the same key, so only a look-up or a webhook event settles the call. */
export const isFoundWhenDone: Guarantee = async ({ intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const end of ['timeout_done', 'error_done'] as const) {
    const asked = intent(end);
    expect(await call(asked), end).toEqual({ is: 'unknown', why: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(asked), end).toEqual({ is: 'succeeded', providerId: expect.any(String) });
    expect((await call(asked)).is).toBe(end === 'timeout_done' ? 'succeeded' : 'unknown');
    expect(await linesOf(asked)).toHaveLength(1);
  }
};

export const isDoneByTheSameKey: Guarantee = async ({ intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const end of ['timeout_not_done', 'error_not_done'] as const) {
    const asked = intent(end);
    expect(await call(asked), end).toEqual({ is: 'unknown', why: expect.any(String) });
    expect(await linesOf(asked)).toEqual([]);
    await waitUntilSure();
    expect(await lookUp(asked), end).toEqual({ is: 'absent' });
    const outcome = await call(asked);
    expect(outcome.is).toBe('succeeded');
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual(outcome);
    expect(await linesOf(asked)).toHaveLength(1);
  }
};

/** A look-up by reference is delayed; one by the provider's ID is not. */
export const isFoundByItsName: Guarantee = async ({ intent, call, lookUp, waitUntilSure }) => {
  const asked = intent('ok');
  const outcome = await call(asked);
  const named = { ...asked, providerId: 'providerId' in outcome ? outcome.providerId : null };
  expect(await lookUp(asked)).toEqual({ is: 'absent' });
  expect(await lookUp(named)).toEqual(outcome);
  await waitUntilSure();
  expect(await lookUp(asked)).toEqual(outcome);
};

export const isFoundAsItself: Guarantee = async ({ intent, call, lookUp, waitUntilSure }) => {
  const [asked, other] = [intent('ok'), intent('ok')];
  const outcome = await call(asked);
  await waitUntilSure();
  expect(await lookUp({ ...asked, reference: `${asked.reference}x` })).toEqual({ is: 'absent' });
  const name = 'providerId' in outcome ? outcome.providerId : null;
  expect(await lookUp({ ...other, providerId: name }), 'the name of another').toEqual({ is: 'absent' });
  expect((await lookUp({ ...asked, amount: cents(12_346) })).is, 'of another amount').toBe('unknown');
};

export const believesTheSignatureAlone: Guarantee = async ({ subject, kind, intent, call }) => {
  const asked = intent('ok');
  const outcome = await call(asked);
  const { reference } = asked;
  const { body, headers } = await subject.news({ kind, reference });
  const now = new Date();
  const genuine = await subject.read(body, headers, now);
  expect(genuine).toEqual({ is: 'read', news: { about: kind, eventId: expect.any(String), reference, outcome } });
  // A repeated event has the same ID, so that a receiver can recognize it.
  expect(await subject.read(body, headers, now)).toEqual(genuine);

  const changed = Buffer.from(body.toString('utf8').replace(reference, `${reference}0`));
  const old = await subject.news({ kind, reference, signedAt: new Date(now.getTime() - 6 * 60_000) });
  const stranger = await subject.news({ kind, reference, by: 'a stranger' });
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
  for (const [what, bytes, sent] of forgeries) expect(await subject.read(bytes, sent, now), what).toMatchObject({ is: 'forged' });
};

/** A look-up still reports the success; only the event reports the return. */
export const tellsMoneyThatCameBack: Guarantee = async ({ subject, kind, intent, call, lookUp, waitUntilSure }) => {
  const asked = intent('money_back');
  const outcome = await call(asked);
  expect(outcome.is).toBe('succeeded');
  await waitUntilSure();
  expect(await lookUp(asked)).toEqual(outcome);
  const { reference } = asked;
  const { body, headers } = await subject.news({ kind, reference, tells: 'money_back' });
  const about = kind === 'charge' ? 'dispute_lost' : 'payout_returned';
  expect(await subject.read(body, headers, new Date())).toEqual({
    is: 'read',
    news: { about, eventId: expect.any(String), reference, at: expect.any(Date), why: expect.stringMatching(/^[A-Z].+\.$/) },
  });
  const stranger = await subject.news({ kind, reference, tells: 'money_back', by: 'a stranger' });
  expect(await subject.read(stranger.body, stranger.headers, new Date())).toMatchObject({ is: 'forged' });
};

export const comesToItsEnd: Guarantee = async ({ subject, endsLater, intent, call, lookUp, linesOf, waitUntilSure }) => {
  if (!endsLater) return expect((await call(intent('pending'))).is, 'it ends at once').toBe('succeeded');
  for (const end of ['succeeded', 'declined'] as const) {
    const asked = intent('pending');
    const outcome = await call(asked);
    expect(outcome).toEqual({ is: 'pending', providerId: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(asked)).toEqual(outcome);
    expect(await linesOf(asked)).toEqual([]);
    await subject.end(asked.reference, end);
    expect((await lookUp(asked)).is).toBe(end);
    expect(await linesOf(asked)).toHaveLength(end === 'succeeded' ? 1 : 0);
  }
};

/** For charges only. */
export const takesNoLessThanItsLeast: Guarantee = async ({ subject: { charges }, intent, call, linesOf }) => {
  const below = { ...intent('ok'), amount: cents(charges.chargeMin - 1n) };
  expect(await call(below)).toMatchObject({ is: 'declined', code: 'amount_too_small' });
  expect(await linesOf(below)).toEqual([]);
  expect((await call({ ...intent('ok'), amount: charges.chargeMin })).is).toBe('succeeded');
};

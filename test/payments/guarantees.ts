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
  const sent = intent('ok');
  const outcome = await call(sent);
  expect(outcome).toEqual({ is: 'succeeded', providerId: expect.any(String) });
  expect(await call(sent)).toEqual(outcome);
  const again = await tenOf(() => call(sent));
  expect(again).toEqual(again.map(() => outcome));
  expect(await linesOf(sent)).toHaveLength(1);
};

export const movesOnceForTen: Guarantee = async ({ intent, call, linesOf }) => {
  const sent = intent('ok');
  const ten = await tenOf(() => call(sent));
  expect(ten.map(({ is }) => is).filter((is) => is !== 'succeeded' && is !== 'unknown')).toEqual([]);
  expect(ten.filter(({ is }) => is === 'succeeded').length).toBeGreaterThan(0);
  expect(await linesOf(sent)).toHaveLength(1);
};

export const refusesOtherContent: Guarantee = async ({ intent, call, linesOf }) => {
  const changes: ReadonlyArray<Partial<MoneyIntent>> = [
    { amount: cents(12_346) },
    { description: 'Invoice 8 of Tributary' },
    { instrument: intent('ok').instrument },
  ];
  for (const change of changes) {
    const sent = intent('ok');
    await call(sent);
    const line = (await linesOf(sent))[0];
    await expect(call({ ...sent, ...change }), Object.keys(change)[0]).rejects.toThrow('impossible');
    expect(await linesOf(sent)).toEqual([line]);
  }
};

/** Every provider accepts amounts of up to eight digits. */
const amounts = [50n, 51n, 99n, 100n, 12_345n, 99_999_999n];

export const movesToTheCent: Guarantee = async ({ kind, intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const amount of amounts) {
    const sent = { ...intent('ok'), amount: cents(amount) };
    const outcome = await call(sent);
    expect(outcome.is).toBe('succeeded');
    expect(await linesOf(sent)).toEqual([{ kind, reference: sent.reference, amount, to: sent.instrument }]);
    await waitUntilSure();
    expect(await lookUp(sent)).toEqual(outcome);
  }
};

/** A provider that has forgotten a key moves the money again, so our limit for sending a key is shorter. */
export const outlivesOurKey: Guarantee = async ({ subject, intent, call, linesOf, keyLifeMs }) => {
  const sent = intent('ok');
  await call(sent);
  await subject.pass(keyLifeMs);
  await call(sent);
  expect(await linesOf(sent)).toHaveLength(1);
  await subject.pass(24 * 3_600_000);
  await call(sent);
  expect(await linesOf(sent)).toHaveLength(2);
};

export const saysWhyItFailed: Guarantee = async ({ intent, call, linesOf }) => {
  const sent = intent('declined');
  const outcome = await call(sent);
  const [code, message] = [expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/^[A-Z].+\.$/)];
  expect(outcome).toMatchObject({ is: 'declined', code, message });
  expect(await call(sent)).toEqual(outcome);
  expect(await linesOf(sent)).toEqual([]);
};

export const paysNoUnknownMethod: Guarantee = async ({ kind, call, linesOf }) => {
  const sent = intentFor('unknown method', kind);
  expect(await call(sent)).toMatchObject({ is: 'declined', code: 'no_such_instrument' });
  expect(await linesOf(sent)).toEqual([]);
};

/** Stripe and the sandbox repeat a 500 for the same key, so only a look-up or a webhook event settles the call. */
export const isFoundWhenDone: Guarantee = async ({ intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const end of ['timeout_done', 'error_done'] as const) {
    const sent = intent(end);
    expect(await call(sent), end).toEqual({ is: 'unknown', why: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(sent), end).toEqual({ is: 'succeeded', providerId: expect.any(String) });
    expect((await call(sent)).is).toBe(end === 'timeout_done' ? 'succeeded' : 'unknown');
    expect(await linesOf(sent)).toHaveLength(1);
  }
};

export const isDoneByTheSameKey: Guarantee = async ({ intent, call, lookUp, linesOf, waitUntilSure }) => {
  for (const end of ['timeout_not_done', 'error_not_done'] as const) {
    const sent = intent(end);
    expect(await call(sent), end).toEqual({ is: 'unknown', why: expect.any(String) });
    expect(await linesOf(sent)).toEqual([]);
    await waitUntilSure();
    expect(await lookUp(sent), end).toEqual({ is: 'absent' });
    const outcome = await call(sent);
    expect(outcome.is).toBe('succeeded');
    await waitUntilSure();
    expect(await lookUp(sent)).toEqual(outcome);
    expect(await linesOf(sent)).toHaveLength(1);
  }
};

/** A look-up by reference is delayed; one by the provider's ID is not. */
export const isFoundByItsName: Guarantee = async ({ intent, call, lookUp, waitUntilSure }) => {
  const sent = intent('ok');
  const outcome = await call(sent);
  const named = { ...sent, providerId: 'providerId' in outcome ? outcome.providerId : null };
  expect(await lookUp(sent)).toEqual({ is: 'absent' });
  expect(await lookUp(named)).toEqual(outcome);
  await waitUntilSure();
  expect(await lookUp(sent)).toEqual(outcome);
};

export const isFoundAsItself: Guarantee = async ({ intent, call, lookUp, waitUntilSure }) => {
  const [sent, other] = [intent('ok'), intent('ok')];
  const outcome = await call(sent);
  await waitUntilSure();
  expect(await lookUp({ ...sent, reference: `${sent.reference}x` })).toEqual({ is: 'absent' });
  const name = 'providerId' in outcome ? outcome.providerId : null;
  expect(await lookUp({ ...other, providerId: name }), 'the name of another').toEqual({ is: 'absent' });
  expect((await lookUp({ ...sent, amount: cents(12_346) })).is, 'of another amount').toBe('unknown');
};

export const believesTheSignatureAlone: Guarantee = async ({ subject, kind, intent, call }) => {
  const sent = intent('ok');
  const outcome = await call(sent);
  const { reference } = sent;
  const { body, headers } = await subject.webhook({ kind, reference });
  const now = new Date();
  const genuine = await subject.read(body, headers, now);
  expect(genuine).toEqual({ is: 'read', event: { about: kind, eventId: expect.any(String), reference, outcome } });
  // A repeated event has the same ID, so that a receiver can recognize it.
  expect(await subject.read(body, headers, now)).toEqual(genuine);

  const changed = Buffer.from(body.toString('utf8').replace(reference, `${reference}0`));
  const old = await subject.webhook({ kind, reference, signedAt: new Date(now.getTime() - 6 * 60_000) });
  const stranger = await subject.webhook({ kind, reference, by: 'a stranger' });
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
  for (const [what, bytes, requestHeaders] of forgeries)
    expect(await subject.read(bytes, requestHeaders, now), what).toMatchObject({ is: 'forged' });
};

/** A look-up still reports the success; only the event reports the return. */
export const reportsReturnedMoney: Guarantee = async ({ subject, kind, intent, call, lookUp, waitUntilSure }) => {
  const sent = intent('money_back');
  const outcome = await call(sent);
  expect(outcome.is).toBe('succeeded');
  await waitUntilSure();
  expect(await lookUp(sent)).toEqual(outcome);
  const { reference } = sent;
  const { body, headers } = await subject.webhook({ kind, reference, reports: 'money_back' });
  const about = kind === 'charge' ? 'dispute_lost' : 'payout_returned';
  expect(await subject.read(body, headers, new Date())).toEqual({
    is: 'read',
    event: { about, eventId: expect.any(String), reference, at: expect.any(Date), why: expect.stringMatching(/^[A-Z].+\.$/) },
  });
  const stranger = await subject.webhook({ kind, reference, reports: 'money_back', by: 'a stranger' });
  expect(await subject.read(stranger.body, stranger.headers, new Date())).toMatchObject({ is: 'forged' });
};

export const comesToItsEnd: Guarantee = async ({ subject, endsLater, intent, call, lookUp, linesOf, waitUntilSure }) => {
  if (!endsLater) return expect((await call(intent('pending'))).is, 'it ends at once').toBe('succeeded');
  for (const end of ['succeeded', 'declined'] as const) {
    const sent = intent('pending');
    const outcome = await call(sent);
    expect(outcome).toEqual({ is: 'pending', providerId: expect.any(String) });
    await waitUntilSure();
    expect(await lookUp(sent)).toEqual(outcome);
    expect(await linesOf(sent)).toEqual([]);
    await subject.end(sent.reference, end);
    expect((await lookUp(sent)).is).toBe(end);
    expect(await linesOf(sent)).toHaveLength(end === 'succeeded' ? 1 : 0);
  }
};

/** For charges only. */
export const takesNoLessThanItsLeast: Guarantee = async ({ subject: { charges }, intent, call, linesOf }) => {
  const below = { ...intent('ok'), amount: cents(charges.chargeMin - 1n) };
  expect(await call(below)).toMatchObject({ is: 'declined', code: 'amount_too_small' });
  expect(await linesOf(below)).toEqual([]);
  expect((await call({ ...intent('ok'), amount: charges.chargeMin })).is).toBe('succeeded');
};

import { expect, test } from 'vitest';
import { decideSandbox, type SandboxFacts } from './decide-sandbox.ts';
import { sandboxMethodOf } from './sandbox-methods.ts';

const first: SandboxFacts = { word: 'ok', isBelowLeast: false, isSentAgain: false, wasDeclinedBefore: false };
const again = { isSentAgain: true };

/** Formats the answer, the stored movement, the answer to the same key, and the webhook events with their copies. */
const formatPlan = (facts: Partial<SandboxFacts>) => {
  const { answer, entry, sameKey, events } = decideSandbox({ ...first, ...facts });
  const code = entry?.status === 'declined' ? ` ${entry.code}` : '';
  const listed = events.map(({ kind, copies }) => `${kind} ${copies}`).join(', ');
  return `${answer} | ${entry?.status ?? 'nothing'}${code} | ${sameKey} | ${listed}`;
};

test.each<readonly [Partial<SandboxFacts>, string]>([
  // Earlier rules override every sandbox outcome.
  [{ word: null, isBelowLeast: true }, 'entry | declined no_such_instrument | entry | entry 1'],
  [{ word: 'timeout_done', isBelowLeast: true }, 'entry | declined amount_too_small | entry | entry 1'],
  [{ word: 'ok' }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'declined', wasDeclinedBefore: true, ...again }, 'entry | declined card_declined | entry | entry 1'],
  [{ word: 'timeout_then_ok' }, 'lost | nothing | nothing | '],
  [{ word: 'timeout_then_ok', ...again }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'timeout_not_done' }, 'lost | nothing | nothing | '],
  [{ word: 'timeout_not_done', ...again }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'error_not_done' }, 'error | nothing | nothing | '],
  [{ word: 'error_not_done', ...again }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'timeout_done' }, 'lost | succeeded | entry | entry 1'],
  [{ word: 'error_done' }, 'error | succeeded | error | entry 1'],
  [{ word: 'insufficient_then_ok' }, 'entry | declined insufficient_funds | entry | entry 1'],
  [{ word: 'insufficient_then_ok', wasDeclinedBefore: true }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'returned' }, 'entry | succeeded | entry | entry 1, money_back 1'],
  [{ word: 'disputed' }, 'entry | succeeded | entry | entry 1, dispute_opened 1, money_back 1'],
  [{ word: 'dispute_won' }, 'entry | succeeded | entry | entry 1, dispute_opened 1, dispute_won 1'],
  [{ word: 'fraud_warning' }, 'entry | succeeded | entry | entry 1, fraud_warning 1'],
  [{ word: 'refunded' }, 'entry | succeeded | entry | entry 1, charge_refunded 1'],
  [{ word: 'webhook_first' }, 'entry | succeeded | entry | entry 1'],
  [{ word: 'never' }, 'pending | pending | pending | '],
  [{ word: 'five_times' }, 'entry | succeeded | entry | entry 5'],
  [{ word: 'reordered' }, 'pending | succeeded | pending | entry 1, pending 1'],
])('decides %o as %s', (facts, end) => {
  expect(formatPlan(facts)).toBe(end);
});

test('sends events after the answer, except for webhook_first', () => {
  expect(decideSandbox({ ...first, word: 'webhook_first' })).toMatchObject({ isEventFirst: true, events: [{ afterMs: 0 }] });
  expect(decideSandbox(first)).toMatchObject({ isEventFirst: false, events: [{ afterMs: 2_000 }] });
});

test('reordered sends the final event before the pending one', () => {
  const [end, beginning] = decideSandbox({ ...first, word: 'reordered' }).events;
  expect(beginning?.afterMs).toBeGreaterThan(end?.afterMs ?? Infinity);
});

test.each([
  ['ok', 'charge', 'ok'],
  ['insufficient_then_ok#pm_01', 'charge', 'insufficient_then_ok'],
  ['returned', 'payout', 'returned'],
  ['returned', 'charge', null],
  ['disputed#pm_01', 'payout', null],
  ['OK', 'charge', null],
  ['#ok', 'charge', null],
  ['', 'charge', null],
] as const)('reads the instrument %s of a %s as %s', (instrument, kind, word) => {
  expect(sandboxMethodOf(instrument, kind)).toBe(word);
});

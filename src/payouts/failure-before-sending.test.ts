import { expect, test } from 'vitest';
import { failureBeforeSending, type SendFacts } from './decide-payout.ts';

const good: SendFacts = {
  isSuspended: false,
  isKeptBack: false,
  isEarlierContradicted: false,
  payoutMethodId: 'a',
  method: { payoutMethodId: 'a', cameBackAt: null },
};
const cameBackAt = new Date('2026-03-15T06:00:00.000Z');

/** Each row breaks its rule and every one below it. */
const broken: ReadonlyArray<readonly [string, Partial<SendFacts>]> = [
  ['creator_suspended', { isSuspended: true }],
  ['under_review', { isKeptBack: true }],
  ['earlier_contradicted', { isEarlierContradicted: true }],
  ['method_changed', { method: { payoutMethodId: 'b', cameBackAt } }],
  ['came_back', { method: { payoutMethodId: 'a', cameBackAt } }],
];

test.each(broken.map(([code], place) => [code, place] as const))('%s takes precedence over every later reason', (code, place) => {
  const facts = broken.slice(place).reduceRight<SendFacts>((all, [, part]) => ({ ...all, ...part }), good);
  expect(failureBeforeSending(facts)?.code).toBe(code);
});

test('sends a payout if nothing has changed, and never without a payout method', () => {
  expect(failureBeforeSending(good)).toBeNull();
  expect(failureBeforeSending({ ...good, method: null })?.code).toBe('method_changed');
});

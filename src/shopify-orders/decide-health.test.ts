import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../core/time.ts';
import { decideHealth, type HealthFacts } from './decide-health.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const good: HealthFacts = {
  now,
  webhooksProblem: null,
  hasWebhooks: true,
  pixelProblem: null,
  lastWebhookAt: before(hourMs),
  rejected: null,
  readFailure: null,
  compareProblem: null,
  comparedUntil: before(24 * hourMs),
  oldestWaitingAt: null,
  failed: 0,
};

test.each<[what: string, facts: Partial<HealthFacts>, problems: readonly string[]]>([
  ['a connection that works', {}, []],
  ['missing webhooks', { hasWebhooks: false, webhooksProblem: 'No scope.' }, ['webhooks']],
  ['an app without the pixel', { pixelProblem: 'No extension.' }, ['pixel']],
  ['a rejection after the last webhook', { rejected: { at: before(minuteMs), why: 'Wrong.' } }, ['signatures']],
  ['a rejection before the last webhook', { rejected: { at: before(2 * hourMs), why: 'Wrong.' } }, []],
  ['a shop that cannot be read', { readFailure: 'No token.' }, ['shop_data']],
  ['a comparison that failed', { compareProblem: 'No scope.' }, ['comparison']],
  ['no comparison for days', { comparedUntil: before(51 * hourMs) }, ['comparison']],
  ['an order that waits', { oldestWaitingAt: before(16 * minuteMs) }, ['processing']],
  ['an order that waits shortly', { oldestWaitingAt: before(14 * minuteMs) }, []],
  ['a failed order', { failed: 1 }, ['results']],
])('%s', (_what, facts, problems) => {
  const checks = decideHealth({ ...good, ...facts });
  expect(checks.filter(({ isOk }) => !isOk).map(({ check }) => check)).toEqual(problems);
  expect(checks.filter(({ message }) => message === '')).toEqual([]);
});

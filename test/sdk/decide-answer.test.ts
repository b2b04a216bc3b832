import { expect, test } from 'vitest';
import { decideAnswer, type Try } from '../../sdk/src/decide-answer.ts';

const answer = (status: number, json: { readonly ok: boolean; readonly reason: string } | null = null): Try => ({
  is: 'answer',
  status,
  json,
});
const no = (reason: string) => ({ ok: false, reason });

test.each<readonly [string, Try, object]>([
  ['no answer', { is: 'no answer', reason: 'timeout' }, { next: 'again', reason: 'timeout' }],
  ['accepted', answer(200, { ok: true, reason: 'recorded' }), { next: 'done' }],
  ['2xx that does not say so', answer(200, no('recorded')), { next: 'again', reason: 'unreadable_answer' }],
  ['2xx of somebody else', answer(204), { next: 'again', reason: 'unreadable_answer' }],
  ['a redirect, whatever it says', answer(307, { ok: true, reason: 'recorded' }), { next: 'stop', reason: 'unexpected_redirect' }],
  ['a redirect that the runtime hides', answer(0), { next: 'stop', reason: 'unexpected_redirect' }],
  ['a 4xx, whatever its reason', answer(409, no('active_hold')), { next: 'stop', reason: 'active_hold' }],
  ['a 4xx of somebody else', answer(499), { next: 'stop', reason: 'http_499' }],
  ['a burned event', answer(500, no('duplicate_event')), { next: 'stop', reason: 'duplicate_event' }],
  ['a hold', answer(500, no('active_hold')), { next: 'tomorrow' }],
  ['another 5xx', answer(503, no('pricing_history_unavailable')), { next: 'again', reason: 'pricing_history_unavailable' }],
  ['a 5xx of somebody else', answer(504), { next: 'again', reason: 'http_504' }],
])('%s', (_case, came, verdict) => {
  expect(decideAnswer(came)).toMatchObject(verdict);
});

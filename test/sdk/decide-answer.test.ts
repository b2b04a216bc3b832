import { expect, test } from 'vitest';
import { decideAnswer, type Try } from '../../sdk/src/decide-answer.ts';

const answer = (status: number, json: { readonly ok: boolean; readonly reason: string } | null = null): Try => ({
  is: 'answer',
  status,
  json,
});
const no = (reason: string) => ({ ok: false, reason });

test.each<readonly [string, Try, object]>([
  ['retries after no answer', { is: 'no answer', reason: 'timeout' }, { next: 'again', reason: 'timeout' }],
  ['finishes after an acceptance', answer(200, { ok: true, reason: 'recorded' }), { next: 'done' }],
  ['retries a 2xx that does not confirm the report', answer(200, no('recorded')), { next: 'again', reason: 'unreadable_answer' }],
  ['retries a 2xx of a proxy', answer(204), { next: 'again', reason: 'unreadable_answer' }],
  ['stops at a redirect with any body', answer(307, { ok: true, reason: 'recorded' }), { next: 'stop', reason: 'unexpected_redirect' }],
  ['stops at a redirect that the runtime hides', answer(0), { next: 'stop', reason: 'unexpected_redirect' }],
  ['stops at a 4xx with any reason', answer(409, no('active_hold')), { next: 'stop', reason: 'active_hold' }],
  ['stops at a 4xx of a proxy', answer(499), { next: 'stop', reason: 'http_499' }],
  ['stops at a burned event', answer(500, no('duplicate_event')), { next: 'stop', reason: 'duplicate_event' }],
  ['retries a hold tomorrow', answer(500, no('active_hold')), { next: 'tomorrow' }],
  ['retries another 5xx', answer(503, no('pricing_history_unavailable')), { next: 'again', reason: 'pricing_history_unavailable' }],
  ['retries a 5xx of a proxy', answer(504), { next: 'again', reason: 'http_504' }],
])('%s', (_case, response, verdict) => {
  expect(decideAnswer(response)).toMatchObject(verdict);
});

import { expect, test } from 'vitest';
import { problem, type ProblemReason } from '../http/problem.ts';
import { isReason, reasons } from './reasons.ts';
import { contractDialect, replyOf } from './reply.ts';

test('ok is true exactly for what was accepted, and the first two keys are ok and reason', () => {
  for (const reason of Object.keys(reasons).filter(isReason)) {
    const { status, body } = replyOf({ reason }, 'conversion');
    expect([reason, body.ok, Object.keys(body).slice(0, 2)]).toEqual([reason, status === 200, ['ok', 'reason']]);
  }
});

test('the keys stand in one order, in whatever order they were given', () => {
  const ids = { event_id: 'e', binding_id: 'b', conversion_id: 'c', transaction_id: 't' };
  const { body } = replyOf({ field: '/a', message: 'no', ids, reason: 'invalid_payload' }, 'conversion');
  expect(Object.keys(body)).toEqual([
    'ok',
    'reason',
    'transaction_id',
    'conversion_id',
    'binding_id',
    'event_id',
    'message',
    'field',
    'retry',
  ]);
});

test('a refusal may carry identifiers: a bind without a rule is bound', () => {
  const { status, body } = replyOf({ reason: 'no_matching_subscription_rule', ids: { binding_id: 'b_1' } }, 'relationship');
  expect([status, body]).toMatchObject([422, { ok: false, binding_id: 'b_1', retry: 'never' }]);
});

test('every 400 names a field, and no other status does', () => {
  for (const reason of Object.keys(reasons).filter(isReason)) {
    const { status, body } = replyOf({ reason, field: '/x' }, 'conversion');
    expect([reason, body.field]).toEqual([reason, status === 400 ? '/x' : undefined]);
  }
});

const translated: ReadonlyArray<readonly [from: ProblemReason, to: string, status: number]> = [
  ['bad_request', 'bad_request', 400],
  ['not_found', 'not_found', 404],
  ['method_not_allowed', 'method_not_allowed', 405],
  ['payload_too_large', 'payload_too_large', 413],
  ['headers_too_large', 'headers_too_large', 431],
  ['internal_error', 'temporarily_unavailable', 503],
  ['temporarily_unavailable', 'temporarily_unavailable', 503],
];
for (const [from, to, status] of translated) {
  test(`below the contract ${from} is ${status} ${to}, and counted`, () => {
    const counted: string[] = [];
    const answer = contractDialect((reason) => counted.push(reason)).answer(problem(from));
    expect(answer).toMatchObject({ status, body: { ok: false, reason: to } });
    expect(answer.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
    expect(counted).toEqual([to]);
  });
}

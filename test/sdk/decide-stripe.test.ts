import { expect, test } from 'vitest';
import { concernOf, decideStep } from '../../sdk/src/decide-stripe.ts';
import type { Result } from '../../sdk/src/tributary.ts';

const result = (fields: object) =>
  ({
    reason: 'other',
    message: '',
    status: 422,
    requestId: null,
    attempts: 1,
    ok: false,
    outcome: 'refused',
    retry: 'no',
    ...fields,
  }) as Result;

// Each row also violates what later rules check.
test.each<readonly [string, Result, 'bind' | 'after', string]>([
  ['an accepted report', result({ ok: true, reason: 'recorded' }), 'after', 'continue'],
  ['an unreachable service', result({ retry: 'later', reason: 'duplicate_event_conflict' }), 'bind', 'again'],
  ['a report on hold', result({ retry: 'tomorrow', reason: 'active_hold' }), 'after', 'again'],
  ['a wrong key', result({ reason: 'invalid_postback_key' }), 'bind', 'again'],
  ['an archived store', result({ reason: 'store_archived' }), 'after', 'again'],
  ['a wrong address', result({ reason: 'not_found' }), 'after', 'again'],
  ['a proxy', result({ reason: 'http_403' }), 'after', 'again'],
  ['a redirect', result({ reason: 'unexpected_redirect' }), 'after', 'again'],
  ['a bind without a rule', result({ reason: 'no_matching_subscription_rule' }), 'bind', 'continue'],
  ['a bind with another plan than the first', result({ reason: 'duplicate_relationship_conflict' }), 'bind', 'continue'],
  ['a bind that was rejected before', result({ reason: 'duplicate_event' }), 'bind', 'continue'],
  ['an invoice that was rejected before', result({ reason: 'duplicate_event' }), 'after', 'forget'],
  ['an invoice with different content', result({ reason: 'duplicate_event_conflict' }), 'after', 'continue'],
  ['a refund of nothing', result({ reason: 'refund_exceeds_remaining_amount', remainingCents: 0 }), 'after', 'continue'],
  ['a refund of too much', result({ reason: 'refund_exceeds_remaining_amount', remainingCents: 5 }), 'after', 'forget'],
  ['an unknown click', result({ reason: 'unknown_referral_click', status: 404 }), 'bind', 'forget'],
  ['an ended subscription', result({ reason: 'relationship_ended' }), 'after', 'forget'],
  ['a report that was not sent', result({ reason: 'missing_referral_click', status: null, outcome: 'not_sent' }), 'bind', 'forget'],
])('decides about %s', (_case, response, place, step) => expect(decideStep(response, { isBind: place === 'bind' })).toEqual({ is: step }));

test.each(['constructor', '__proto__', '', 'invoice.payment_succeeded', 'customer.subscription.updated'])(
  'ignores the event type "%s"',
  (type) => expect(concernOf(type)).toBeNull(),
);

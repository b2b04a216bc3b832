import { expect, test } from 'vitest';
import { hourMs } from '../core/time.ts';
import { decideEventEnd } from './decide-event-end.ts';
import type { Handled } from './event-end.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * hourMs);
const again = (reason: string): Handled => ({ outcome: 'again', reason, message: null });

test.each<[what: string, handled: Handled, facts: { hours?: number; attempts?: number }, end: string]>([
  ['a reported event', { outcome: 'done', reason: null, message: null }, {}, 'done'],
  ['an event without a click', { outcome: 'ignored', reason: 'no_click', message: null }, {}, 'ignored'],
  ['a payment in another currency', { outcome: 'ignored', reason: 'not_usd', message: null }, {}, 'failed'],
  ['a report that was rejected', { outcome: 'refused', reason: 'relationship_ended', message: null }, {}, 'failed'],
  ['a refund whose order another process is recording', { outcome: 'refused', reason: 'unknown_order', message: null }, {}, 'waiting 5'],
  ['a refund whose order is unknown for an hour', { outcome: 'refused', reason: 'unknown_order', message: null }, { hours: 1 }, 'failed'],
  ['a promotion code of no creator', { outcome: 'refused', reason: 'missing_referral_click', message: null }, {}, 'ignored'],
  ['the first failed attempt', again('stripe_unavailable'), {}, 'waiting 5'],
  ['the third failed attempt', again('stripe_unavailable'), { attempts: 3 }, 'waiting 120'],
  ['a later failed attempt', again('stripe_unavailable'), { attempts: 40 }, 'waiting 3600'],
  ['a refund on hold', { outcome: 'held', reason: 'active_hold', message: null }, {}, 'waiting 86400'],
  ['a failed attempt after 29 days', again('stripe_unavailable'), { hours: 29 * 24 }, 'waiting 5'],
  ['a failed attempt after 30 days', again('stripe_unavailable'), { hours: 30 * 24 }, 'failed'],
  ['a missing key, because its order may still come', again('stripe_key_missing'), {}, 'waiting 5'],
  ['a key that is missing for an hour', again('stripe_key_missing'), { hours: 1 }, 'failed'],
  ['an order that a Shopify shop does not have for an hour', again('shopify_order_missing'), { hours: 1 }, 'failed'],
])('%s ends as %4$s', (_what, handled, { hours = 0, attempts = 1 }, expected) => {
  const end = decideEventEnd(handled, { now, receivedAt: hoursAgo(hours), attempts });
  const pause = end.state === 'waiting' ? ` ${(end.tryAt.getTime() - now.getTime()) / 1_000}` : '';
  expect(end.state + pause).toBe(expected);
  expect([end.reason, end.endedAt === null]).toEqual([handled.reason, end.state === 'waiting']);
  expect(end.isFinal).toBe(['done', 'ignored'].includes(handled.outcome) || end.state === 'ignored');
});

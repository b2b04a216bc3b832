import { apiMessage } from '../messages/api-message.ts';
import { minuteMs } from '../core/time.ts';

export type HealthFacts = {
  readonly now: Date;
  readonly hasApiKey: boolean;
  readonly lastEventAt: Date | null;
  readonly rejected: { readonly at: Date; readonly why: string } | null;
  readonly oldestWaitingAt: Date | null;
  /** Why Stripe's data could not be read for an event that still waits or has failed. */
  readonly readFailure: string | null;
  readonly failed: number;
};

export const healthChecks = ['events_arrive', 'signatures', 'stripe_data', 'processing', 'results'] as const;
export type HealthCheck = { readonly check: (typeof healthChecks)[number]; readonly isOk: boolean; readonly message: string };

/** An event that waits longer than this is not only in the queue. */
const waitMsMax = 15 * minuteMs;

/** What the merchant sees about the connection, in the order of an event's way. */
export function decideHealth(facts: HealthFacts): readonly HealthCheck[] {
  const { lastEventAt, rejected, hasApiKey, readFailure, oldestWaitingAt, now, failed } = facts;
  const isRejecting = rejected !== null && (lastEventAt === null || rejected.at > lastEventAt);
  const isSlow = oldestWaitingAt !== null && now.getTime() - oldestWaitingAt.getTime() > waitMsMax;
  return [
    check('events_arrive', lastEventAt !== null, apiMessage('stripe_health.events_arrive'), apiMessage('stripe_health.no_events')),
    check('signatures', !isRejecting, apiMessage('stripe_health.signatures'), rejected?.why ?? ''),
    check(
      'stripe_data',
      readFailure === null,
      hasApiKey ? apiMessage('stripe_health.key_works') : apiMessage('stripe_health.no_key'),
      readFailure ?? '',
    ),
    check('processing', !isSlow, apiMessage('stripe_health.nothing_waits'), apiMessage('stripe_health.events_wait')),
    check('results', failed === 0, apiMessage('stripe_health.nothing_failed'), apiMessage('stripe_health.events_failed', { failed })),
  ];
}

const check = (name: HealthCheck['check'], isOk: boolean, good: string, bad: string): HealthCheck => ({
  check: name,
  isOk,
  message: isOk ? good : bad,
});

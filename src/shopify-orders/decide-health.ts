import { apiMessage } from '../messages/api-message.ts';
import { hourMs, minuteMs } from '../core/time.ts';

export type HealthFacts = {
  readonly now: Date;
  readonly webhooksProblem: string | null;
  readonly hasWebhooks: boolean;
  readonly pixelProblem: string | null;
  readonly lastWebhookAt: Date | null;
  readonly rejected: { readonly at: Date; readonly why: string } | null;
  /** Why the shop could not be read for an order that still waits or has failed. */
  readonly readFailure: string | null;
  readonly compareProblem: string | null;
  readonly comparedUntil: Date;
  readonly oldestWaitingAt: Date | null;
  readonly failed: number;
};

export const healthChecks = ['webhooks', 'pixel', 'signatures', 'shop_data', 'comparison', 'processing', 'results'] as const;
export type HealthCheck = { readonly check: (typeof healthChecks)[number]; readonly isOk: boolean; readonly message: string };

/** An order that waits longer than this is not only in the queue. */
const waitMsMax = 15 * minuteMs;
/** The daily comparison, with time for a failed one to be repeated. */
const comparedWithinMs = 50 * hourMs;

/** The checks of the connection that the merchant sees, in the order in which an order passes them. */
export function decideHealth(facts: HealthFacts): readonly HealthCheck[] {
  const { now, webhooksProblem, hasWebhooks, pixelProblem, lastWebhookAt, rejected, readFailure, oldestWaitingAt, failed } = facts;
  const isRejecting = rejected !== null && (lastWebhookAt === null || rejected.at > lastWebhookAt);
  const isSlow = oldestWaitingAt !== null && now.getTime() - oldestWaitingAt.getTime() > waitMsMax;
  const isCompared = facts.compareProblem === null && now.getTime() - facts.comparedUntil.getTime() <= comparedWithinMs;
  return [
    check('webhooks', hasWebhooks, apiMessage('shopify_health.webhooks'), webhooksProblem ?? apiMessage('shopify_health.no_webhooks')),
    check(
      'pixel',
      pixelProblem === null,
      apiMessage('shopify_health.pixel'),
      apiMessage('shopify_health.no_pixel', { why: pixelProblem ?? '' }),
    ),
    check('signatures', !isRejecting, apiMessage('shopify_health.signatures'), rejected?.why ?? ''),
    check('shop_data', readFailure === null, apiMessage('shopify_health.shop_data'), readFailure ?? ''),
    check(
      'comparison',
      isCompared,
      apiMessage('shopify_health.compared'),
      facts.compareProblem ?? apiMessage('shopify_health.not_compared'),
    ),
    check('processing', !isSlow, apiMessage('shopify_health.nothing_waits'), apiMessage('shopify_health.orders_wait')),
    check('results', failed === 0, apiMessage('shopify_health.nothing_failed'), apiMessage('shopify_health.orders_failed', { failed })),
  ];
}

const check = (name: HealthCheck['check'], isOk: boolean, good: string, bad: string): HealthCheck => ({
  check: name,
  isOk,
  message: isOk ? good : bad,
});

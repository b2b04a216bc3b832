import type { FastifyInstance } from 'fastify';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { createConcurrencyLimiter, maxForOneSender } from '../contract/concurrency-limiter.ts';
import { answerOwnReport, registerPostbacks, type Answered, type OwnReport, type PostbackEndpoint } from '../contract/postback-endpoint.ts';
import type { Reply } from '../contract/reply.ts';
import { cacheOpenKeys } from '../contract/request-checks.ts';
import { createRetryAfter } from '../contract/retry-after.ts';
import { findIntegration, type Integration } from '../merchants/integration-sql.ts';
import { postbackKeyTouches } from '../merchants/postback-keys.ts';
import { requestBuckets } from '../metrics/metric-factory.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { openOrderPostbacks } from '../orders/postbacks.ts';
import { openLeadPostbacks } from '../leads/postbacks.ts';
import type { Money } from '../payments/providers.ts';
import { openRefundPostbacks } from '../refunds/postbacks.ts';
import { reportErrors } from '../runtime/report-error.ts';
import { openSubscriptionPostbacks } from '../subscriptions/postbacks.ts';
import { countUnauthenticated, type UnauthenticatedCounter } from '../tracking/count-unauthenticated.ts';
import { openRejectedPostbackLog } from '../tracking/log-rejected.ts';

export type Postbacks = {
  readonly unauthenticated: UnauthenticatedCounter;
  readonly register: (app: FastifyInstance) => void;
  /** For reports that the service makes itself. */
  readonly answer: (report: OwnReport<Integration>) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

/**
 * Concurrent requests; further ones get 503 on headers alone. Three batches of 200 keep the database busy, and more than a thousand waiting
 * requests only wait longer (docs/decisions/0035). One store gets at most a thousand, so that others find capacity (0036).
 */
const concurrentMax = 1_250;

/** Connects the postback endpoint to the modules that handle its operations, and to the tracking log. */
export function openPostbacks(money: Money, ring: KeyRing): Postbacks {
  const { platform } = money;
  const { tenants, clock } = platform;
  const unauthenticated = countUnauthenticated(platform);
  const rejectedLog = openRejectedPostbackLog(platform);
  const orders = openOrderPostbacks(platform, ring);
  const subscriptions = openSubscriptionPostbacks(platform, ring);
  const refunds = openRefundPostbacks(money);
  const leads = openLeadPostbacks(platform, ring);
  const touchKey = postbackKeyTouches(platform);
  const endpoint: PostbackEndpoint<Integration> = {
    findKey: cacheOpenKeys(
      (trackingKey, postbackKeyHash) => findIntegration(tenants, trackingKey, postbackKeyHash),
      (integration) => touchKey(integration, clock.now()),
    ),
    limiter: createConcurrencyLimiter(concurrentMax),
    // Spreads retries, so that each second has at most as many as one store may have concurrent requests.
    retryAfterSeconds: createRetryAfter(maxForOneSender(concurrentMax)),
    now: clock.now,
    onAnswered: countAnswers(platform.metrics),
    onAuthenticated: rejectedLog.write,
    onUnauthenticated: unauthenticated.count,
    onError: reportErrors(platform, 'a postback failed'),
  };
  const routes = [...orders.routes, ...subscriptions.routes, ...refunds.routes, ...leads.routes];
  return {
    unauthenticated,
    register: (app) => registerPostbacks(app, endpoint, routes),
    answer: (report) => answerOwnReport(endpoint, routes, report),
    async close() {
      await orders.close();
      await subscriptions.close();
      await refunds.close();
      await leads.close();
      await rejectedLog.close();
      await unauthenticated.close();
    },
  };
}

/** Every label comes from the contract, so there are about a hundred series. */
function countAnswers({ counter, histogram, requestRates }: Metrics): (answered: Answered) => void {
  const answers = counter('postbacks_total', 'Replies to authenticated postbacks', ['operation', 'status', 'reason']);
  const help = 'Time from the headers of an authenticated postback to its reply';
  const took = histogram('postback_duration_seconds', help, ['operation', 'status'], requestBuckets);
  return ({ operation, status, reason, tookMs }) => {
    answers.inc({ operation, status, reason });
    took.observe({ operation, status }, tookMs / 1_000);
    requestRates.postbacks.record(tookMs);
  };
}

import type { PageInspector } from '../../capture/page-inspector.ts';
import type { KeyRing } from '../../clicks/signing-keys.ts';
import { readMetrics } from '../metrics-api.ts';
import type { RouteEntry, ApiRoute } from '../../people/request-pipeline.ts';
import type { Providers } from '../../payments/providers.ts';
import { attributionAlternativesEndpoint } from '../../reports/attribution-alternatives-api.ts';
import { attributionWarningsEndpoint } from '../../integration/attribution-warnings-api.ts';
import { breakdownEndpoint } from '../../reports/breakdown-api.ts';
import { codeLeaksEndpoint } from '../../reports/code-leaks-api.ts';
import { overviewEndpoint, pendingWorkEndpoint } from '../../reports/overview-api.ts';
import { searchStoreEndpoint } from '../../reports/search-api.ts';
import * as statements from '../../reports/statement-api.ts';
import { commissionHistoryEndpoint } from '../../reports/commission-history-api.ts';
import { creatorRoutes, portalRoutes } from './creators.ts';
import { billingRoutes, disputeRoutes, payoutRoutes, riskRoutes } from './money.ts';
import { operatorRoutes } from './operators.ts';
import { sessionRoutes, storePeopleRoutes } from './people.ts';
import { commissionRoutes, programRoutes, shopifyRoutes, storeRoutes, stripeRoutes, subscriptionRoutes, webhookRoutes } from './stores.ts';
import { moveClock, readClock } from '../sandbox-clock-api.ts';
import { scheduleOf } from '../schedule.ts';

type Needs = { readonly ring: KeyRing; readonly providers: Providers; readonly inspector: PageInspector };

/**
 * Every URL of the service: the management API in the lists below, and beside it
 *
 *   POST /api/partner-network/postbacks/:trackingKey/…   postbacks: orders/postbacks.ts, request checks in contract/postback-endpoint.ts
 *   GET  /api/pn/sdk/v1.js, /api/pn/sdk/v1.<hash>.js      the capture script: capture/serve.ts
 *   GET  /r/:code                                         a creator's link: clicks/redirect.ts
 *   POST /api/v1/providers/:provider/news                 webhook events of payment providers: payment-webhooks.ts
 *   POST /api/v1/providers/stripe/stores/:store           events of a store's own Stripe account: stripe-orders/receive-events.ts
 *   POST /api/v1/providers/shopify/stores/:store          webhooks of a store's Shopify shop: shopify-orders/receive-webhooks.ts
 *   POST /api/v1/providers/shopify/stores/:store/clicks   clicks of completed checkouts, from browsers: shopify-orders/receive-clicks.ts
 *   POST /api/v1/providers/shopify/privacy                requests about personal data: shopify-orders/receive-webhooks.ts
 *   GET  /t/:id                                           a test link: clicks/open-test-link.ts
 *   GET  /p/:program, /p/:program/…                      the public page of a program: program-page/serve.ts
 *   GET  /unsubscribe/…, POST /unsubscribe/…             ends the messages of a store: outreach/unsubscribe.ts
 *   GET  /metrics                                         metrics for Prometheus: metrics-api.ts
 *   GET  /openapi.json, /docs, /docs/…                    the OpenAPI document, its page, and the guides
 *   GET  /healthz, /readyz                                server.ts
 *   GET  all else                                         the dashboards: http/dashboards.ts
 *
 * The page of the API shows its operations in the order of the lists.
 */
export function apiRoutes({ ring, providers, inspector }: Needs): readonly ApiRoute[] {
  const schedule = scheduleOf(providers);
  return [
    ...sessionRoutes.map(inApi),
    ...storeRoutes({ ring, providers, inspector }).map(inApi),
    ...webhookRoutes.map(inApi),
    ...stripeRoutes.map(inApi),
    ...shopifyRoutes.map(inApi),
    ...programRoutes.map(inApi),
    ...subscriptionRoutes.map(inApi),
    ...commissionRoutes.map(inApi),
    ...billingRoutes(providers).map(inApi),
    ...disputeRoutes.map(inApi),
    ...riskRoutes.map(inApi),
    ...storePeopleRoutes.map(inApi),
    ...figureRoutes.map(inApi),
    ...creatorRoutes(providers.accounts).map(inApi),
    ...portalRoutes.map(inApi),
    ...payoutRoutes(providers).map(inApi),
    ...operatorRoutes(schedule).map(inApi),
    { method: 'GET', path: '/metrics', endpoint: readMetrics(schedule) },
    ...clockRoutes(providers).map(inApi),
  ];
}

/** Reports and statements. */
const figureRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/overview', overviewEndpoint],
  ['GET', '/stores/:store/breakdown', breakdownEndpoint],
  ['GET', '/stores/:store/attribution-alternatives', attributionAlternativesEndpoint],
  ['GET', '/stores/:store/attribution-warnings', attributionWarningsEndpoint],
  ['GET', '/stores/:store/code-leaks', codeLeaksEndpoint],
  ['GET', '/stores/:store/pending-work', pendingWorkEndpoint],
  ['GET', '/stores/:store/search', searchStoreEndpoint],
  ['GET', '/stores/:store/commissions/:commission/story', commissionHistoryEndpoint],
  ['GET', '/stores/:store/statement', statements.storeStatementEndpoint],
  ['GET', '/creators/:creator/statement', statements.creatorStatementEndpoint],
];

/** The sandbox's time. */
const clockRoutes = (providers: Providers): readonly RouteEntry[] => [
  ['GET', '/sandbox/clock', readClock],
  ['POST', '/sandbox/clock', moveClock(providers)],
];

const inApi = ([method, path, endpoint]: RouteEntry): ApiRoute => ({ method, path: `/api/v1${path}`, endpoint });

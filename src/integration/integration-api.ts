import { Type as T } from 'typebox';
import { captureScript } from '../capture/serve.ts';
import { contractPrefix } from '../contract/reply.ts';
import { listPostbackKeys } from '../merchants/postback-keys-sql.ts';
import { paymentMethodsOf } from '../merchants/payment-methods-sql.ts';
import { listPrograms } from '../merchants/programs-sql.ts';
import { programsPerStoreMax } from '../merchants/programs.ts';
import { findStore, statusOf } from '../merchants/stores-sql.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { notFound } from '../http/responses.ts';
import { isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import type { Id } from '../core/ids.ts';
import { pageCheckJson, showPageCheck } from './check-json.ts';
import { decideGoLive } from './decide-go-live.ts';
import { decideIntegrationChecks } from './decide-checks.ts';
import { hasLinkThatEarns, lastAcceptedReversal, lastOpenedTestLink, lastTestOrder, lastUsedKey } from './evidence-sql.ts';
import { lastShopifyOrderAt } from '../shopify-orders/orders-sql.ts';
import { lastStripeEventAt } from '../stripe-orders/events-sql.ts';
import { lastPageCheck } from './page-checks-sql.ts';

const integrationJson = namedObject('IntegrationState', {
  lights: T.Array(
    namedObject('IntegrationCheck', {
      light: T.Union([
        T.Literal('key_used'),
        T.Literal('tag_found'),
        T.Literal('link_opened'),
        T.Literal('test_order'),
        T.Literal('tracking_on'),
        T.Literal('refund_tested'),
      ]),
      is_on: T.Boolean(),
      seen: T.String({ description: 'The evidence, or what is missing' }),
      at: orNull(T.String({ description: 'When the evidence was recorded' })),
    }),
  ),
  page_check: orNull(pageCheckJson),
  go_live: T.Array(T.Object({ item: T.String(), is_done: T.Boolean(), text: T.String() })),
  is_ready: T.Boolean({ description: 'Whether all steps of go_live are done' }),
  script: T.Object({
    url: T.String(),
    immutable_url: T.String({ description: 'A version that never changes, for a tag with an integrity attribute' }),
    integrity: T.String(),
  }),
  postbacks_url: T.String(),
});

export const readIntegration = endpoint({
  summary: 'Get the integration checks with their evidence, and the remaining steps before going live',
  access: { allow: 'store', permission: 'store:read' },
  reply: integrationJson,
  async handle({ platform, db, ids, now }) {
    const store = await findStore(db, ids.store);
    if (store === null) return notFound;
    const [key, stripeEventAt, shopifyOrderAt, page, opened, testOrder, reversal] = await Promise.all([
      lastUsedKey(db, ids.store),
      lastStripeEventAt(db, ids.store),
      lastShopifyOrderAt(db, ids.store),
      lastPageCheck(db, ids.store),
      lastOpenedTestLink(db, ids.store),
      lastTestOrder(db, ids.store),
      lastAcceptedReversal(db, ids.store),
    ]);
    const checks = decideIntegrationChecks({
      key,
      stripeEventAt,
      shopifyOrderAt,
      page,
      opened,
      testOrder,
      trackingOnAt: store.trackingOnAt,
      reversal,
    });
    const goLive = decideGoLive({
      isStoreOpen: statusOf(store) === 'active',
      isIntegrationEnabled: store.integrationDisabledAt === null,
      checks,
      hasPaymentMethod: (await paymentMethodsOf(db, ids.store)).length > 0,
      isProgramOpen: await isProgramOpen(db, ids.store, now),
      hasLinkThatEarns: await hasLinkThatEarns(db, ids.store),
      isStripeConnected: stripeEventAt !== null,
      isShopifyConnected: shopifyOrderAt !== null,
      keys: await listPostbackKeys(db, ids.store, firstPage),
    });
    const { baseUrl } = platform.config;
    const { path, immutablePath, integrity } = captureScript();
    return {
      lights: checks.map(({ light, isOn, seen, at }) => ({ light, is_on: isOn, seen, at: isoTimeOrNull(at) })),
      page_check: page && showPageCheck(page),
      go_live: goLive.map(({ item, isDone, text }) => ({ item, is_done: isDone, text })),
      is_ready: goLive.every(({ isDone }) => isDone),
      script: { url: baseUrl + path, immutable_url: baseUrl + immutablePath, integrity },
      postbacks_url: `${baseUrl}${contractPrefix}postbacks/${store.trackingKey}`,
    };
  },
});

/** One page holds all keys, and all programs, that a store can have. */
const firstPage = { after: null, limit: programsPerStoreMax };

async function isProgramOpen(db: Queryable, storeId: Id<'store'>, now: Date): Promise<boolean> {
  const open = (await listPrograms(db, storeId, firstPage)).filter(({ status }) => status === 'published');
  const versions = await termsOfPrograms(db, open);
  // Before the first version starts, its attribution window applies, and nothing is earned.
  return open.some(({ programId }) => (versions.get(programId) ?? []).some(({ effectiveFrom }) => effectiveFrom <= now));
}

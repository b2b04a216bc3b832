import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clickIdPattern } from '../contract/click-id.ts';
import { readPublicId } from '../core/ids.ts';
import { readJson } from '../core/json.ts';
import { readRequestBody } from '../http/read-request-body.ts';
import { realNow } from '../core/time.ts';
import { networkCounter } from '../people/network.ts';
import type { Platform } from '../runtime/platform.ts';
import { findConnection } from './connections-sql.ts';
import { wakeHandler } from './handle-orders.ts';
import { textIn } from './json.ts';
import { requestCheckout, insertClick } from './orders-sql.ts';
import { clicksPath } from './paths.ts';
import { isCheckoutToken } from './receive-webhooks.ts';

const bytesMax = 1_000;
/** From one network, in each process. A shopper completes few checkouts. */
const perMinute = 30;
const wholeClick = new RegExp(`^${clickIdPattern}$`);

/**
 * `POST …/clicks`: the web pixel says which click a completed checkout had. Everyone can post here, so it is only a hint: it is used for
 * an order whose checkout token Shopify delivered with a signature, and which has no click of its own.
 */
export function registerShopifyClicks(app: FastifyInstance, platform: Platform): void {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Text needs no preflight request of the browser.
    scope.addContentTypeParser('*', (request: FastifyRequest) => readRequestBody(request, bytesMax));
    scope.post<{ Params: { readonly store: string } }>(clicksPath(':store'), async (request, reply) => {
      const isBelow = await limiter.consume(networkCounter(request.ip)).then(
        () => true,
        () => false,
      );
      if (!isBelow) return reply.status(429).send();
      await keepClick(platform, request);
      return noContent(reply);
    });
  });
}

/** The same for every post, so that the answer reveals nothing about orders. */
const noContent = (reply: FastifyReply): FastifyReply => reply.status(204).header('access-control-allow-origin', '*').send();

async function keepClick(
  { database, clock }: Platform,
  { params, body }: FastifyRequest<{ Params: { readonly store: string } }>,
): Promise<void> {
  const storeId = readPublicId('store', params.store);
  if (storeId === null || !Buffer.isBuffer(body)) return;
  const json = readJson(body);
  if (json.is === 'none') return;
  const [checkoutToken, clickId] = [textIn(json.value, 'checkout_token'), textIn(json.value, 'click_id')];
  if (checkoutToken === null || clickId === null || !isCheckoutToken(checkoutToken) || !wholeClick.test(clickId)) return;
  if ((await findConnection(database, storeId)) === null) return;
  const now = realNow();
  await database.transaction(async (tx) => {
    // Business time, as the times of orders are.
    await insertClick(tx, { storeId, checkoutToken, clickId, at: clock.now() });
    if ((await requestCheckout(tx, storeId, checkoutToken, now)) > 0) await wakeHandler(tx, storeId);
  });
}

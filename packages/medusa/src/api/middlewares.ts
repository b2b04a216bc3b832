import { defineMiddlewares, type MedusaNextFunction, type MedusaRequest, type MedusaResponse } from '@medusajs/framework/http';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { keepClick } from '../workflows/keep-click.ts';

const header = 'x-rm-click';

/** A storefront that renders on a server can send the click as a header of requests about the cart instead of in a request of its own. */
async function keepClickOfHeader(request: MedusaRequest, _response: MedusaResponse, next: MedusaNextFunction): Promise<void> {
  const click = request.headers[header];
  const cartId = request.params['id'];
  if (typeof click === 'string' && click !== '' && cartId !== undefined) {
    await keepClick(request.scope, cartId, click).catch((error: unknown) => {
      // A wrong header must not keep anyone from buying.
      const logger = request.scope.resolve(ContainerRegistrationKeys.LOGGER);
      logger.warn(`Tributary: the click of cart ${cartId} was not stored: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  next();
}

export default defineMiddlewares({
  routes: ['/store/carts/:id', '/store/carts/:id/line-items', '/store/carts/:id/shipping-methods', '/store/carts/:id/complete'].map(
    (matcher) => ({ matcher, method: ['POST'], middlewares: [keepClickOfHeader] }),
  ),
});

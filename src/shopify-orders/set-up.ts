import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import type { Platform } from '../runtime/platform.ts';
import { validToken } from './access-token.ts';
import type { ShopifyConnection } from './connections-sql.ts';
import { saveSetup } from './connections-sql.ts';
import { explainReason } from './explain-reason.ts';
import { addWebhooks, switchPixelOn } from './shop-settings.ts';
import { clicksPath, webhooksPath } from './paths.ts';

/** Subscribes to the webhooks of the shop and switches the web pixel on. What fails is shown, and tried again with the next task. */
export async function setUp(platform: Platform, connection: ShopifyConnection): Promise<void> {
  const { config, database } = platform;
  const { storeId } = connection;
  const store = publicId('store', storeId);
  const shop = await validToken(platform, connection);
  const webhooks = shop.is === 'failed' ? shop : await addWebhooks(platform, shop.value, `${config.baseUrl}${webhooksPath(store)}`);
  // Orders with a click in their cart need no pixel, so a connection works without.
  const pixel = shop.is === 'failed' ? shop : await switchPixelOn(platform, shop.value, `${config.baseUrl}${clicksPath(store)}`);
  await saveSetup(database, {
    storeId,
    webhooksAt: webhooks.is === 'failed' ? null : realNow(),
    webhooksProblem: webhooks.is === 'failed' ? explainReason(webhooks.reason, webhooks.message) : null,
    pixelProblem: pixel.is === 'failed' ? explainReason(pixel.reason, pixel.message) : null,
  });
}

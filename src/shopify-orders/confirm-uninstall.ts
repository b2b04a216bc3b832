import { publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { validToken } from './access-token.ts';
import { callAdmin } from './admin-api.ts';
import { deleteConnection, saveUninstallReport, type ShopifyConnection } from './connections-sql.ts';

const shopQuery = `query Shop {
  shop { id }
}`;

/**
 * True if the shop removed the app: everything that came from it is deleted. A webhook only says that it may have been removed, because an
 * old one can be delivered again after the app was installed again. The token is what an uninstallation ends.
 */
export async function confirmUninstall(platform: Platform, connection: ShopifyConnection): Promise<boolean> {
  const { database, log } = platform;
  const { storeId, uninstallReportedAt } = connection;
  if (uninstallReportedAt === null) return false;
  const shop = await validToken(platform, connection);
  const answer = shop.is === 'failed' ? shop : await callAdmin(platform, shop.value, { query: shopQuery, variables: {} });
  if (answer.is === 'read') {
    await saveUninstallReport(database, storeId, null);
    return false;
  }
  if (answer.reason !== 'shopify_token_rejected') return false;
  await database.transaction((tx) => deleteConnection(tx, connection));
  log.info({ store: publicId('store', storeId) }, 'a shop uninstalled the app');
  return true;
}

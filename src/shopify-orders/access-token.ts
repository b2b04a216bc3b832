import { minuteMs, realNow, secondMs } from '../core/time.ts';
import type { Platform } from '../runtime/platform.ts';
import { failed, requestToken, type AdminResult, type Shop, type Token } from './admin-api.ts';
import { appOf, openRefreshToken, openToken, sealSecret, type ShopifyApp } from './connection.ts';
import { lockConnection, saveToken, type ShopifyConnection } from './connections-sql.ts';

/** A token is replaced this long before it expires. */
const renewBeforeMs = 5 * minuteMs;

const isFresh = ({ tokenExpiresAt }: ShopifyConnection): boolean =>
  tokenExpiresAt === null || tokenExpiresAt.getTime() - realNow().getTime() > renewBeforeMs;

/** The valid token of the shop, renewed if it is about to expire. */
export async function validToken(platform: Platform, connection: ShopifyConnection): Promise<AdminResult<Shop>> {
  const { secrets, database } = platform;
  const { shop } = connection;
  if (isFresh(connection)) return { is: 'read', value: { shop, token: openToken(secrets, connection) } };
  // Under the lock, because a refresh token is replaced with each use, so that two renewals would invalidate each other.
  return database.transaction(async (tx) => {
    const locked = await lockConnection(tx, connection.storeId);
    if (locked === null) return failed('shopify_token_rejected');
    if (isFresh(locked)) return { is: 'read', value: { shop, token: openToken(secrets, locked) } };
    const app = appOf(platform, locked);
    if (app === null) return failed('shopify_token_rejected');
    const refreshToken = openRefreshToken(secrets, locked);
    const granted = refreshToken === null ? await tokenOfOwnApp(platform, shop, app) : await renewed(platform, shop, { app, refreshToken });
    if (granted.is === 'failed') return granted;
    await saveToken(tx, { storeId: locked.storeId, ...sealedToken(platform, locked.storeId, granted.value) });
    return { is: 'read', value: { shop, token: granted.value.token } };
  });
}

/** The columns of a token. */
export function sealedToken(
  { secrets }: Platform,
  storeId: ShopifyConnection['storeId'],
  { token, expiresInSeconds, refreshToken }: Token,
) {
  return {
    tokenSealed: sealSecret(secrets, storeId, { kind: 'token', plain: token }),
    tokenExpiresAt: expiresInSeconds === null ? null : new Date(realNow().getTime() + expiresInSeconds * secondMs),
    refreshTokenSealed: refreshToken === null ? null : sealSecret(secrets, storeId, { kind: 'refresh token', plain: refreshToken }),
  };
}

/** An app of the merchant's own organization gets a token for its ID and secret alone. */
export const tokenOfOwnApp = (platform: Platform, shop: string, { clientId, clientSecret }: ShopifyApp) =>
  requestToken(platform, shop, { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' });

const renewed = (platform: Platform, shop: string, { app, refreshToken }: { readonly app: ShopifyApp; readonly refreshToken: string }) =>
  requestToken(platform, shop, {
    client_id: app.clientId,
    client_secret: app.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });

/** The token of an installation that a person confirmed in Shopify. It expires, and comes with a refresh token. */
export const tokenOfInstall = (platform: Platform, shop: string, { app, code }: { readonly app: ShopifyApp; readonly code: string }) =>
  requestToken(platform, shop, { client_id: app.clientId, client_secret: app.clientSecret, code, expiring: '1' });

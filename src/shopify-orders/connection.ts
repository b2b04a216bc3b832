import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Platform } from '../runtime/platform.ts';
import type { ShopifyConnection } from './connections-sql.ts';

const kinds = { client_secret_sealed: 'client secret', token_sealed: 'token', refresh_token_sealed: 'refresh token' } as const;
type SecretColumn = keyof typeof kinds;
type Kind = (typeof kinds)[SecretColumn];

const boundTo = (kind: Kind, storeId: string): string => `shopify ${kind} ${storeId}`;

const sealedColumn = (column: SecretColumn): SealedColumn => ({
  table: 'shopify_connections',
  column,
  holds: 'bytes',
  key: [{ name: 'store_id', type: 'uuid' }],
  boundTo: ([storeId = '']) => boundTo(kinds[column], storeId),
});

export const sealedShopifySecrets: readonly SealedColumn[] = [
  sealedColumn('client_secret_sealed'),
  sealedColumn('token_sealed'),
  sealedColumn('refresh_token_sealed'),
];

export const sealSecret = (secrets: Secrets, storeId: Id<'store'>, { kind, plain }: { readonly kind: Kind; readonly plain: string }) =>
  secrets.seal(Buffer.from(plain), boundTo(kind, storeId));

const open = (secrets: Secrets, storeId: Id<'store'>, { kind, sealed }: { readonly kind: Kind; readonly sealed: Buffer }): string =>
  secrets.open(sealed, boundTo(kind, storeId)).toString('utf8');

export const openToken = (secrets: Secrets, { storeId, tokenSealed: sealed }: ShopifyConnection): string =>
  open(secrets, storeId, { kind: 'token', sealed });

export const openRefreshToken = (secrets: Secrets, { storeId, refreshTokenSealed: sealed }: ShopifyConnection): string | null =>
  sealed === null ? null : open(secrets, storeId, { kind: 'refresh token', sealed });

/** The app at Shopify: its ID, and the secret that signs its webhooks. */
export type ShopifyApp = { readonly clientId: string; readonly clientSecret: string };

/** Null: the connection uses the app of the installation, which is not configured any more. */
export function appOf(
  { config, secrets }: Platform,
  { storeId, clientId, clientSecretSealed: sealed }: ShopifyConnection,
): ShopifyApp | null {
  if (clientId === null || sealed === null) return config.shopify;
  return { clientId, clientSecret: open(secrets, storeId, { kind: 'client secret', sealed }) };
}

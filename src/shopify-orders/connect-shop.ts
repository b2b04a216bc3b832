import type { Queryable } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { lockStore } from '../merchants/stores-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Platform } from '../runtime/platform.ts';
import { sealedToken } from './access-token.ts';
import type { AdminFailure, Token } from './admin-api.ts';
import { sealSecret, type ShopifyApp } from './connection.ts';
import { claimShop, lockConnection, saveConnection } from './connections-sql.ts';
import { explainReason } from './explain-reason.ts';
import { retryOrdersWithReasonLike } from './orders-sql.ts';

type Connecting = {
  readonly storeId: Id<'store'>;
  readonly shop: string;
  readonly token: Token;
  /** Null: the app of the installation. */
  readonly ownApp: ShopifyApp | null;
};

/** Stores the connection, or replaces its secrets. A shop belongs to one store, and a store has one shop. */
export async function connectShop(
  platform: Platform,
  db: Queryable,
  { storeId, shop, token, ownApp }: Connecting,
): Promise<Refusal | null> {
  const { secrets } = platform;
  const now = realNow();
  await lockStore(db, storeId);
  const found = await lockConnection(db, storeId);
  if (found !== null && found.shop !== shop)
    return refuse('conflict', apiMessage('shopify_orders.store_has_other_shop', { host: found.shop }));
  if (!(await claimShop(db, { shop, storeId }))) return refuse('conflict', apiMessage('shopify_orders.shop_is_taken'));
  await saveConnection(db, {
    storeId,
    shop,
    postbackKeyId: found?.postbackKeyId ?? newId<'pbkey'>(now),
    connectedAt: found?.connectedAt ?? now,
    // Orders before the connection are not reported.
    comparedUntil: found?.comparedUntil ?? now,
    clientId: ownApp?.clientId ?? null,
    clientSecretSealed: ownApp && sealSecret(secrets, storeId, { kind: 'client secret', plain: ownApp.clientSecret }),
    ...sealedToken(platform, storeId, token),
  });
  await retryOrdersWithReasonLike(db, storeId, 'shopify_', now);
  return null;
}

export const refusalOf = ({ reason, message }: { readonly reason: AdminFailure; readonly message: string | null }): Refusal =>
  reason === 'shopify_unavailable' || reason === 'shopify_throttled'
    ? refuse('temporarily_unavailable', explainReason(reason, message))
    : refuse(
        'unprocessable',
        reason === 'shopify_token_rejected' ? apiMessage('shopify_orders.app_rejected') : explainReason(reason, message),
      );

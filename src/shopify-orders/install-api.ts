import { randomBytes } from 'node:crypto';
import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { minuteMs, realNow, secondMs } from '../core/time.ts';
import { sha256 } from '../core/sha256.ts';
import { refuse } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { tokenOfInstall } from './access-token.ts';
import { connectShop, refusalOf } from './connect-shop.ts';
import { connectionJson, notAShop, shopField, showConnection, showWhenSetUp } from './connection-api.ts';
import { insertInstall, takeInstall } from './connections-sql.ts';
import { callbackPath } from './paths.ts';
import { readShop } from './shop-name.ts';
import { scopes } from './shop-settings.ts';
import { isSignedQuery } from './signatures.ts';

/** A person reads the scopes and confirms. */
const installMinutesMax = 30;
/** Shopify's own limit for the age of a signed redirect. */
const toleranceSeconds = 90;
const queryLengthMax = 4_000;

const noApp = refuse('unprocessable', apiMessage('shopify_orders.no_app'));
const invalid = (message: string) => refuse('unprocessable', message);

export const beginShopifyInstall = endpoint({
  summary: 'Begin to install the Shopify app: returns the page of the shop where its owner confirms',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  body: T.Object({ shop: shopField }, { additionalProperties: false }),
  reply: T.Object({ url: T.String(), state: T.String({ description: 'Shopify returns it. It is valid once, for 30 minutes.' }) }),
  status: 201,
  alsoRefuses: ['unprocessable'],
  audit: 'shopify_install.begin',
  async handle({ platform, db, ids, body, identity }) {
    const { config } = platform;
    if (config.shopify === null) return noApp;
    const shop = readShop(body.shop);
    if (shop === null) return notAShop();
    const now = realNow();
    const begunBy = await findResponsibleUser(db, identity);
    if (begunBy === null) return invalid(apiMessage('shopify_orders.person_required'));
    // The callback page reads from the state which store to connect. The random part makes it unguessable.
    const state = `${publicId('store', ids.store)}.${randomBytes(24).toString('base64url')}`;
    const expiresAt = new Date(now.getTime() + installMinutesMax * minuteMs);
    await insertInstall(db, { storeId: ids.store, stateHash: sha256(state), shop, begunBy, expiresAt, now });
    const query = new URLSearchParams({
      client_id: config.shopify.clientId,
      scope: scopes.join(','),
      redirect_uri: `${config.baseUrl}${callbackPath}`,
      state,
    });
    return { url: `https://${shop}/admin/oauth/authorize?${query.toString()}`, state };
  },
});

/**
 * The person who returns from Shopify must be the one who began, with the right to change this store: otherwise a stranger
 * could make the owner of another shop connect it to the stranger's store.
 */
export const completeShopifyInstall = endpoint({
  summary: 'Complete the installation of the Shopify app with what Shopify added to the callback URL',
  access: { allow: 'store', permission: 'integration:write' },
  liveKeys: 'permitted',
  body: T.Object(
    { query: T.String({ maxLength: queryLengthMax, description: 'The query of the callback URL, as Shopify sent it' }) },
    { additionalProperties: false },
  ),
  reply: connectionJson,
  alsoRefuses: ['unprocessable', 'temporarily_unavailable', 'conflict'],
  audit: 'shopify_install.complete',
  async prepare({ platform, ids, body, identity }) {
    const { config, database } = platform;
    const app = config.shopify;
    if (app === null) return noApp;
    const query = new URLSearchParams(body.query);
    const now = realNow();
    if (!isSignedQuery(query, app.clientSecret)) return invalid(apiMessage('shopify_orders.callback_not_signed'));
    const ageMs = Math.abs(now.getTime() - Number(query.get('timestamp') ?? '0') * secondMs);
    if (!(ageMs <= toleranceSeconds * secondMs)) return invalid(apiMessage('shopify_orders.callback_too_old'));
    const install = await takeInstall(database, { storeId: ids.store, stateHash: sha256(query.get('state') ?? ''), now });
    const shop = readShop(query.get('shop') ?? '');
    const isSamePerson = install !== null && install.begunBy === (await findResponsibleUser(database, identity));
    if (install === null || shop !== install.shop || !isSamePerson) return invalid(apiMessage('shopify_orders.callback_unknown'));
    const granted = await tokenOfInstall(platform, shop, { app, code: query.get('code') ?? '' });
    if (granted.is === 'failed') return refusalOf(granted);
    const given = new Set(granted.value.scope.split(','));
    const missing = scopes.filter((scope) => !given.has(scope));
    if (missing.length > 0) return invalid(apiMessage('shopify_orders.scopes_missing', { scopes: missing.join(', ') }));
    return { shop, token: granted.value };
  },
  async handle({ platform, db, ids, prepared: { shop, token } }) {
    const refusal = await connectShop(platform, db, { storeId: ids.store, shop, token, ownApp: null });
    return refusal ?? showConnection(platform, db, ids.store);
  },
  afterCommit: ({ platform, ids }) => showWhenSetUp(platform, ids.store),
});

import type { Platform } from '../runtime/platform.ts';
import { callAdmin, failed, type AdminCall, type AdminResult, type Shop } from './admin-api.ts';
import { field, listIn, textIn, type ShopifyJson } from './json.ts';

/** What the service sets up in a shop, and removes again: webhooks and the web pixel. */

/** Only these fields are delivered, so that no webhook names a customer. */
const webhookTopics = [
  { topic: 'ORDERS_PAID', includeFields: ['id', 'checkout_token'] },
  { topic: 'ORDERS_CANCELLED', includeFields: ['id', 'checkout_token'] },
  { topic: 'REFUNDS_CREATE', includeFields: ['id', 'order_id'] },
  { topic: 'APP_UNINSTALLED', includeFields: ['id', 'myshopify_domain'] },
] as const;
export const scopes = ['read_orders', 'write_discounts', 'write_pixels', 'read_customer_events'] as const;
const subscriptionsMax = 100;

const listQuery = `query Webhooks {
  webhookSubscriptions(first: ${subscriptionsMax}) { nodes { id topic uri } }
}`;
const createWebhook = `mutation AddWebhook($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) { userErrors { field message } }
}`;
const deleteWebhook = `mutation RemoveWebhook($id: ID!) {
  webhookSubscriptionDelete(id: $id) { userErrors { field message } }
}`;
const createPixel = `mutation AddPixel($webPixel: WebPixelInput!) {
  webPixelCreate(webPixel: $webPixel) { userErrors { field message code } webPixel { id } }
}`;
const updatePixel = `mutation ChangePixel($id: ID!, $webPixel: WebPixelInput!) {
  webPixelUpdate(id: $id, webPixel: $webPixel) { userErrors { field message code } webPixel { id } }
}`;
const pixelQuery = `query Pixel {
  webPixel { id settings }
}`;
const deletePixel = `mutation RemovePixel($id: ID!) {
  webPixelDelete(id: $id) { userErrors { field message code } }
}`;
const uninstall = `mutation Uninstall {
  appUninstall { userErrors { field message } }
}`;

type Subscription = { readonly id: string; readonly topic: string };

/** The app's subscriptions that deliver to the address. */
async function listWebhooks(platform: Platform, shop: Shop, address: string): Promise<AdminResult<readonly Subscription[]>> {
  const answer = await callAdmin(platform, shop, { query: listQuery, variables: {} });
  if (answer.is === 'failed') return answer;
  const value = listIn(answer.value, 'webhookSubscriptions.nodes')
    .filter((node) => textIn(node, 'uri') === address)
    .flatMap((node) => {
      const [id, topic] = [textIn(node, 'id'), textIn(node, 'topic')];
      return id === null || topic === null ? [] : [{ id, topic }];
    });
  return { is: 'read', value };
}

const missingIn = (found: readonly Subscription[]) => webhookTopics.filter(({ topic }) => !found.some((one) => one.topic === topic));

/** Adds what is missing. Returns the first failure. */
export async function addWebhooks(platform: Platform, shop: Shop, address: string): Promise<AdminResult<null>> {
  const found = await listWebhooks(platform, shop, address);
  if (found.is === 'failed') return found;
  for (const { topic, includeFields } of missingIn(found.value)) {
    const webhookSubscription = { uri: address, format: 'JSON', includeFields };
    const added = await mutate(platform, shop, 'webhookSubscriptionCreate', {
      query: createWebhook,
      variables: { topic, webhookSubscription },
    });
    if (added.is === 'read') continue;
    // Another process may have added it in the meantime.
    const again = await listWebhooks(platform, shop, address);
    return again.is === 'read' && missingIn(again.value).length === 0 ? { is: 'read', value: null } : added;
  }
  return { is: 'read', value: null };
}

export async function removeWebhooks(platform: Platform, shop: Shop, address: string): Promise<AdminResult<null>> {
  const found = await listWebhooks(platform, shop, address);
  if (found.is === 'failed') return found;
  for (const { id } of found.value) {
    const removed = await mutate(platform, shop, 'webhookSubscriptionDelete', { query: deleteWebhook, variables: { id } });
    if (removed.is === 'failed') return removed;
  }
  return { is: 'read', value: null };
}

/** Switches the web pixel of the app on, with the address that it posts to. An app without the extension has no pixel. */
export async function switchPixelOn(platform: Platform, shop: Shop, address: string): Promise<AdminResult<null>> {
  const webPixel = { settings: JSON.stringify({ address }) };
  const id = await pixelId(platform, shop);
  const change =
    id === null
      ? await mutate(platform, shop, 'webPixelCreate', { query: createPixel, variables: { webPixel } })
      : await mutate(platform, shop, 'webPixelUpdate', { query: updatePixel, variables: { id, webPixel } });
  return change.is === 'failed' ? change : { is: 'read', value: null };
}

export async function switchPixelOff(platform: Platform, shop: Shop): Promise<AdminResult<null>> {
  const id = await pixelId(platform, shop);
  if (id === null) return { is: 'read', value: null };
  const removed = await mutate(platform, shop, 'webPixelDelete', { query: deletePixel, variables: { id } });
  return removed.is === 'failed' ? removed : { is: 'read', value: null };
}

/** Shopify answers an error if there is none. */
async function pixelId(platform: Platform, shop: Shop): Promise<string | null> {
  const answer = await callAdmin(platform, shop, { query: pixelQuery, variables: {} });
  return answer.is === 'failed' ? null : textIn(answer.value, 'webPixel.id');
}

export const uninstallApp = (platform: Platform, shop: Shop): Promise<AdminResult<ShopifyJson>> =>
  mutate(platform, shop, 'appUninstall', { query: uninstall, variables: {} });

/** A mutation that Shopify rejects answers 200 with `userErrors`. */
export async function mutate(platform: Platform, shop: Shop, name: string, call: AdminCall): Promise<AdminResult<ShopifyJson>> {
  const answer = await callAdmin(platform, shop, call);
  if (answer.is === 'failed') return answer;
  const [error] = listIn(answer.value, `${name}.userErrors`);
  if (error !== undefined) return failed('shopify_error', textIn(error, 'message')?.slice(0, 300) ?? null);
  return field(answer.value, name) === undefined ? failed('shopify_unavailable') : answer;
}

import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';

/** A store with a program, a creator with the code CORA10, and the API key of a plugin. */
export async function openStoreOfPlugin(name: string, port: number): Promise<{ readonly merchant: Merchant; readonly apiKey: string }> {
  const merchant = await openMerchant(await startTestService({ PORT: String(port) }));
  const { store, program, creator } = merchant.world;
  const path = `/stores/${store.id}`;
  const terms = { order_rules: [{ basis_points: 1_000 }], codes: 'when_no_click' };
  await merchant.api('POST', `${path}/programs/${program.id}/terms`, terms);
  await merchant.api('POST', `${path}/programs/${program.id}/codes`, { code: 'CORA10', creator_id: creator.id });
  const scopes = ['store:read', 'integration:write', 'programs:write'];
  const { json } = await merchant.api('POST', `${path}/api-keys`, { name, scopes });
  return { merchant, apiKey: json.key };
}

/** A page of the storefront with the capture script, which waits for consent. */
export const storefront = (serviceUrl: string): string => `<!doctype html><html><head><title>Store</title>
  <script src="${serviceUrl}/api/pn/sdk/v1.js" data-rm-consent-mode="explicit" defer></script></head><body>Aprons</body></html>`;

/** The same value with the types of its texts and numbers instead of themselves. */
export const shapeOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

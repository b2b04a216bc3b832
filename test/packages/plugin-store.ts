import type { Browser, Page } from 'playwright-core';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';

type Options = { readonly name: string; readonly port: number; /** The links of creators lead there. */ readonly siteUrl: string };

/** A store with a program, a creator with the code CORA10, and the API key of a plugin. */
export async function openStoreOfPlugin({
  name,
  port,
  siteUrl,
}: Options): Promise<{ readonly merchant: Merchant; readonly apiKey: string }> {
  const merchant = await openMerchant(await startTestService({ PORT: String(port) }));
  const { store, program, creator } = merchant.world;
  const path = `/stores/${store.id}`;
  await merchant.api('PATCH', path, { site_url: siteUrl, move_landing_pages: true });
  const subscription_rules = [{ basis_points: 2_000, max_invoices: 12 }];
  const terms = { order_rules: [{ basis_points: 1_000 }], subscription_rules, codes: 'when_no_click' };
  await merchant.api('POST', `${path}/programs/${program.id}/terms`, terms);
  await merchant.api('POST', `${path}/programs/${program.id}/codes`, { code: 'CORA10', creator_id: creator.id });
  const scopes = ['store:read', 'integration:write', 'programs:write'];
  const { json } = await merchant.api('POST', `${path}/api-keys`, { name, scopes });
  return { merchant, apiKey: json.key };
}

/** A headless browser says what it is, and would be a bot. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36';

/** The browser of a shopper, with a profile of its own. */
export const openShopperPage = async (browser: Browser): Promise<Page> => (await browser.newContext({ userAgent })).newPage();

/** Follows a link of a creator, and waits for the capture script. Returns the click. */
export async function arriveByLink(page: Page, { service, world }: Merchant, linkUrl = world.link.url): Promise<string> {
  await page.goto(`${service.url}/r/${linkUrl.split('/').at(-1)}`);
  await page.waitForFunction('window.ServiceCapture !== undefined');
  const click = new URL(page.url()).searchParams.get('rm_click');
  if (click === null) throw new Error(`The link leads to ${page.url()}, without a click.`);
  return click;
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

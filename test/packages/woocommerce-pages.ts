import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { shopper, type Shop } from './woocommerce-shop.ts';

/** The pages of the shop and of its administrator, in a browser. */

const loadMsMax = 60_000;
const clickMsMax = 15_000;

async function openCheckout(shop: Shop, page: Page, slug: string): Promise<void> {
  page.setDefaultTimeout(loadMsMax);
  await shop.step('checkout-page', slug);
  await page.goto(`${shop.url}/?product=apron`);
  await page.click('[name="add-to-cart"]');
  await page.waitForSelector('.woocommerce-message, .wc-block-components-notice-banner');
  await page.goto(`${shop.url}/?pagename=${slug}`);
}

async function fillAddress(page: Page, prefix: string): Promise<void> {
  const { first_name, last_name, address_1, city, postcode, phone } = shopper;
  for (const [name, value] of Object.entries({ first_name, last_name, address_1, city, postcode, phone }))
    await page.fill(`#${prefix}${name}`, value);
}

async function placeOrder(page: Page, button: string): Promise<number> {
  // A click is lost while the page computes the totals.
  await vi.waitFor(
    async () => {
      if (!/order-received/.test(page.url())) await page.click(button, { timeout: clickMsMax });
      await page.waitForURL(/order-received/, { waitUntil: 'commit', timeout: clickMsMax });
    },
    { timeout: loadMsMax * 2 },
  );
  return Number(/order-received[/=](\d+)/.exec(page.url())?.[1]);
}

/** Buys an apron of 48.00 USD. */
export async function buyInClassicCheckout(shop: Shop, page: Page): Promise<number> {
  await openCheckout(shop, page, 'classic-checkout');
  await fillAddress(page, 'billing_');
  await page.fill('#billing_email', shopper.email);
  // The page updates the order review, and blocks the button meanwhile.
  await page.waitForFunction('!document.querySelector(".blockUI")');
  return placeOrder(page, '#place_order');
}

type BlockOptions = { readonly coupon?: string; readonly isKnown?: boolean };

/** Buys an apron on the page that WooCommerce creates when it is installed. It keeps the address of a shopper who bought before. */
export async function buyInBlockCheckout(shop: Shop, page: Page, { coupon, isKnown = false }: BlockOptions = {}): Promise<number> {
  await openCheckout(shop, page, 'checkout');
  // First, because the answer to a coupon contains the address that the shop knows, and replaces a newer one.
  if (coupon !== undefined) {
    await page.getByRole('button', { name: 'Add coupons' }).first().click();
    await page.getByLabel('Enter code').first().fill(coupon);
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.getByText(`Coupon code "${coupon}" has been applied`).first().waitFor();
  }
  await page.fill('#email', shopper.email);
  if (!isKnown) await fillAddress(page, 'billing-');
  return placeOrder(page, '.wc-block-components-checkout-place-order-button');
}

export async function signIn(shop: Shop, page: Page): Promise<void> {
  page.setDefaultTimeout(loadMsMax);
  const { name, password } = await shop.step('administrator');
  await page.goto(`${shop.url}/wp-login.php`);
  await page.fill('#user_login', name);
  await page.fill('#user_pass', password);
  await page.click('#wp-submit');
  await page.waitForURL(/wp-admin/, { waitUntil: 'domcontentloaded' });
}

/** Scripts of WooCommerce load for long, and are not waited for. */
export const openAdmin = async (shop: Shop, page: Page, path: string): Promise<void> =>
  void (await page.goto(`${shop.url}/wp-admin/${path}`, { waitUntil: 'domcontentloaded' }));

/** Submits a form of the plugin, and waits for what its page says then. */
export async function submit(page: Page, button: string, notice: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.locator('.notice', { hasText: notice }).waitFor();
}

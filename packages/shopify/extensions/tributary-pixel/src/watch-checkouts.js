/** The cookie of the capture script, on the host of the shop. */
const cookieName = '_service_click';
const clickShape = /^rm[cv]_[A-Za-z0-9_-]{43}$/;

/**
 * Posts the click of a completed checkout with its token, for checkouts that started without a cart. Nothing is read without consent to
 * marketing, which a visitor can give or withdraw at any time.
 */
export function watchCheckouts({ analytics, browser, customerPrivacy, init, settings }) {
  let isAllowed = init.customerPrivacy.marketingAllowed;
  customerPrivacy.subscribe('visitorConsentCollected', (event) => {
    isAllowed = event.customerPrivacy.marketingAllowed;
  });
  analytics.subscribe('checkout_completed', async (event) => {
    if (!isAllowed) return;
    const click = await browser.cookie.get(cookieName);
    const token = event.data.checkout.token;
    if (!clickShape.test(click) || !token) return;
    await fetch(settings.address, {
      method: 'POST',
      // The page is often left immediately. Text needs no preflight request.
      keepalive: true,
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ checkout_token: token, click_id: click }),
    });
  });
}

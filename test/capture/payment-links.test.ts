import { expect, test } from 'vitest';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

const links = 'data-rm-payment-links="buy.stripe.com"';
const page = (href: string, attributes = links) =>
  `${tag(attributes)}<a id="pay" href="${href}"><b id="label">Buy</b></a><script>addEventListener('click', (e) => e.preventDefault())</script>`;
const href = 'document.getElementById("pay").href';
const use = `(document.getElementById("label").click(), ${href})`;

test('a Payment Link gets the click when it is used, beside the parameters that it has', async () => {
  const shopper = await newShopper();
  for (const [given, sent] of [
    ['https://buy.stripe.com/a', 'https://buy.stripe.com/a?client_reference_id=rmc_a'],
    ['https://buy.stripe.com/a?utm_source=x#top', 'https://buy.stripe.com/a?utm_source=x&client_reference_id=rmc_a#top'],
    ['https://buy.stripe.com/a?client_reference_id=cart_5', 'https://buy.stripe.com/a?client_reference_id=cart_5'],
    ['https://buy.stripe.com.evil.example/a', 'https://buy.stripe.com.evil.example/a'],
    ['https://shop.example/a?to=buy.stripe.com', 'https://shop.example/a?to=buy.stripe.com'],
  ] as const) {
    await shopper.land(page(given), '?rm_click=rmc_a');
    expect([await shopper.run(use), await shopper.run(use)]).toEqual([sent, sent]);
  }
});

test('a link is changed before the menu that copies it or opens it in a new tab', async () => {
  const shopper = await newShopper();
  await shopper.land(page('https://buy.stripe.com/a'), '?rm_click=rmc_a');
  await shopper.page.locator('#label').click({ button: 'right' });
  expect(await shopper.run(href)).toBe('https://buy.stripe.com/a?client_reference_id=rmc_a');
});

test('without consent, without a click, or without the setting, no link is changed; consent may come late, and the link too', async () => {
  const shopper = await newShopper();
  const explicit = `${links} data-rm-consent-mode="explicit"`;
  await shopper.land(page('https://buy.stripe.com/a', explicit), '?rm_click=rmc_a');
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/a');
  await shopper.grantConsent();
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/a?client_reference_id=rmc_a');
  await shopper.run('document.body.innerHTML = \'<a id="pay" href="https://buy.stripe.com/b"><b id="label">Buy</b></a>\'');
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/b?client_reference_id=rmc_a');
  await shopper.context.clearCookies();
  await shopper.land(page('https://buy.stripe.com/a'));
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/a');
  await shopper.land(page('https://buy.stripe.com/a', ''), '?rm_click=rmc_a');
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/a');
});

test('the host of a custom domain can be set in the URL of the script, and an empty setting is reported', async () => {
  const shopper = await newShopper();
  const html = page('https://pay.shop.example/a', '').replace(tag(), tag('', '?payment-links=pay.shop.example'));
  await shopper.land(html, '?rm_click=rmc_a');
  expect(await shopper.run(use)).toBe('https://pay.shop.example/a?client_reference_id=rmc_a');
  await shopper.land(page('https://buy.stripe.com/a', 'data-rm-payment-links=""'), '?rm_click=rmc_a');
  expect(await shopper.run(use)).toBe('https://buy.stripe.com/a');
  expect(shopper.noise.splice(0)).toEqual(['warning: ServiceCapture: payment-links="" is not valid, none is used']);
});

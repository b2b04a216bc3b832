import type { Order, SentReport, Subscription } from './order-book.ts';
import { dollars, plan, products, type Product } from './products.ts';

/** How this shopper views the shop: with a consent banner or without, and their answer to it. */
export type Visit = {
  readonly isBannerOn: boolean;
  /** Null: no answer yet. */
  readonly consent: boolean | null;
};

const style = `
  body { font: 17px/1.5 system-ui, sans-serif; color: #23302b; background: #f6f4ee }
  body { max-width: 720px; margin: 0 auto; padding: 24px 16px 120px }
  a { color: #1d5c4a } h1 { font-size: 28px } li { margin: 0 0 16px } ul { padding: 0; list-style: none }
  .card { background: #fff; border-radius: 10px; padding: 16px 20px; margin: 0 0 16px } .small { color: #55635d; font-size: 15px }
  button { font: inherit; padding: 8px 16px; border: 0; border-radius: 6px; background: #1d5c4a; color: #fff; cursor: pointer }
  button.plain { background: #e3e0d6; color: #23302b } form { display: inline-flex; gap: 8px; margin: 4px 8px 0 0 }
  input { font: inherit; width: 3.2em; padding: 6px 8px; border: 1px solid #8a958f; border-radius: 6px }
  code { background: #efece2; padding: 1px 4px }
  #banner { position: fixed; bottom: 0; left: 0; right: 0; background: #fff; border-top: 1px solid #d8d4c6 }
  #banner { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: center; padding: 16px }
  #banner div { display: flex; gap: 8px }
  @media (max-width: 480px) { h1 { font-size: 22px } body { padding-top: 12px; padding-bottom: 180px } }`;

type PageContent = Visit & { readonly serviceUrl: string; readonly title: string; readonly body: string };

/** The tag is in the head of every page. With a banner it waits for consent; without one it stores the click immediately. */
export function renderPage({ serviceUrl, isBannerOn, consent, title, body }: PageContent): string {
  const mode = isBannerOn ? ' data-rm-consent-mode="explicit"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Kettle &amp; Leaf</title>
<script src="${escapeHtml(serviceUrl)}/api/pn/sdk/v1.js"${mode}></script>
<style>${style}</style>
</head>
<body>
<p><a href="/">Kettle &amp; Leaf</a> · <a href="/orders">Orders</a></p>
<h1>${escapeHtml(title)}</h1>
${body}
<p class="small">A shop for trying out. Consent banner:
${isBannerOn ? 'on' : 'off'} ${button('/banner', isBannerOn ? 'Switch it off' : 'Switch it on')}</p>
${isBannerOn ? banner(consent) : ''}
</body>
</html>`;
}

/** Works like a consent manager: it prompts, remembers the answer, and passes it to the script on every page. */
function banner(consent: boolean | null): string {
  if (consent === true) return '<script>ServiceCapture.grantConsent()</script>';
  if (consent === false) return '';
  return `<div id="banner"><span>May we remember which creator sent you, so that they are paid?</span>
<div><button id="yes">Yes</button> <button id="no" class="plain">No</button></div></div>
<script>
  function say(word) {
    document.cookie = 'shop_consent=' + word + '; path=/; max-age=31536000; samesite=lax';
    document.getElementById('banner').remove();
  }
  document.getElementById('yes').onclick = function () { ServiceCapture.grantConsent(); say('yes'); };
  document.getElementById('no').onclick = function () { say('no'); };
</script>`;
}

export function productsPage(): string {
  const item = ({ id, name, cents, says }: Product) => `<li class="card"><b>${escapeHtml(name)}</b> · ${dollars(cents)}<br>
<span class="small">${escapeHtml(says)}</span><br>
<form method="post" action="/buy"><input type="hidden" name="product" value="${escapeHtml(id)}">
<input type="number" name="quantity" value="1" min="1" max="9" aria-label="How many"> <button>Buy ${escapeHtml(name)}</button></form></li>`;
  return `<ul>${products.map(item).join('')}
<li class="card"><b>${plan.name}</b> · ${dollars(plan.cents)} a month<br><span class="small">${plan.says}</span><br>
${button('/subscribe', 'Subscribe')}</li></ul>`;
}

export function orderPage({ id, product, quantity, cents, clickId, isRefunded, reports }: Order): string {
  return `<div class="card">${quantity} × ${escapeHtml(product.name)} · ${dollars(cents)} · ${isRefunded ? 'refunded' : 'paid'}<br>
${referralOf(clickId)}</div>
${isRefunded ? '' : button(`/orders/${id}/refund`, 'Refund')}
${renderReports(reports)}`;
}

export function subscriptionPage({ id, clickId, invoices, isEnded, reports }: Subscription): string {
  const row = (invoice: (typeof invoices)[number]) => `<li>${escapeHtml(invoice.id)} · ${dollars(plan.cents)} ·
${invoice.isRefunded ? 'refunded' : `paid ${button(`/subscriptions/${id}/refund/${invoice.id}`, `Refund ${invoice.id}`)}`}</li>`;
  const actions = button(`/subscriptions/${id}/renew`, 'Renew') + button(`/subscriptions/${id}/cancel`, 'Cancel');
  return `<div class="card">${plan.name} · ${isEnded ? 'cancelled' : 'running'}<br>${referralOf(clickId)}
<ul>${invoices.map(row).join('')}</ul></div>
${isEnded ? '' : actions}
${renderReports(reports)}`;
}

export function ordersPage(orders: readonly Order[], subscriptions: readonly Subscription[]): string {
  const line = (href: string, text: string) => `<li><a href="${escapeHtml(href)}">${escapeHtml(text)}</a></li>`;
  const all = [
    ...orders.map(({ id, cents, isRefunded }) => line(`/orders/${id}`, `${id} · ${dollars(cents)}${isRefunded ? ' · refunded' : ''}`)),
    ...subscriptions.map(({ id, isEnded }) => line(`/subscriptions/${id}`, `${id} · ${plan.name}${isEnded ? ' · cancelled' : ''}`)),
  ];
  return all.length === 0 ? '<p>Nothing was bought yet.</p>' : `<ul>${all.join('')}</ul>`;
}

const referralOf = (clickId: string | null): string =>
  clickId === null
    ? '<span class="small">This shopper has no click, or did not consent: no order is reported.</span>'
    : `<span class="small">A creator sent this shopper: <code id="click">${escapeHtml(clickId)}</code></span>`;

function renderReports(reports: readonly SentReport[]): string {
  const row = ({ what, answer, says }: SentReport) => `<li>${escapeHtml(what)}: <code class="answer">${escapeHtml(answer)}</code>
<span class="small">${escapeHtml(says)}</span></li>`;
  return reports.length === 0 ? '' : `<h2>What was reported</h2><ul>${reports.map(row).join('')}</ul>`;
}

const button = (action: string, label: string): string =>
  `<form method="post" action="${escapeHtml(action)}"><button>${escapeHtml(label)}</button></form>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

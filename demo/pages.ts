import type { Order, Report, Subscription } from './book.ts';
import { dollars, plan, products, type Product } from './products.ts';

/** How this shopper sees the shop: with a consent banner or without, and what they said to it. */
export type Visit = {
  readonly isBannerOn: boolean;
  /** Null: they were not asked, or have not said yet. */
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

type Framed = Visit & { readonly serviceUrl: string; readonly title: string; readonly body: string };

/** The tag stands in the head of every page. With a banner it waits for consent; without one it keeps the click at once. */
export function framed({ serviceUrl, isBannerOn, consent, title, body }: Framed): string {
  const mode = isBannerOn ? ' data-rm-consent-mode="explicit"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Kettle &amp; Leaf</title>
<script src="${escaped(serviceUrl)}/api/pn/sdk/v1.js"${mode}></script>
<style>${style}</style>
</head>
<body>
<p><a href="/">Kettle &amp; Leaf</a> · <a href="/orders">Orders</a></p>
<h1>${escaped(title)}</h1>
${body}
<p class="small">A shop for trying out. Consent banner:
${isBannerOn ? 'on' : 'off'} ${button('/banner', isBannerOn ? 'Switch it off' : 'Switch it on')}</p>
${isBannerOn ? banner(consent) : ''}
</body>
</html>`;
}

/** What a consent manager does: it asks, remembers, and tells the script at every page once the answer was yes. */
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

export function shelf(): string {
  const item = ({ id, name, cents, says }: Product) => `<li class="card"><b>${escaped(name)}</b> · ${dollars(cents)}<br>
<span class="small">${escaped(says)}</span><br>
<form method="post" action="/buy"><input type="hidden" name="product" value="${escaped(id)}">
<input type="number" name="quantity" value="1" min="1" max="9" aria-label="How many"> <button>Buy ${escaped(name)}</button></form></li>`;
  return `<ul>${products.map(item).join('')}
<li class="card"><b>${plan.name}</b> · ${dollars(plan.cents)} a month<br><span class="small">${plan.says}</span><br>
${button('/subscribe', 'Subscribe')}</li></ul>`;
}

export function orderPage({ id, product, quantity, cents, clickId, isRefunded, reports }: Order): string {
  return `<div class="card">${quantity} × ${escaped(product.name)} · ${dollars(cents)} · ${isRefunded ? 'refunded' : 'paid'}<br>
${cameBy(clickId)}</div>
${isRefunded ? '' : button(`/orders/${id}/refund`, 'Refund')}
${reported(reports)}`;
}

export function subscriptionPage({ id, clickId, invoices, isEnded, reports }: Subscription): string {
  const row = (invoice: (typeof invoices)[number]) => `<li>${escaped(invoice.id)} · ${dollars(plan.cents)} ·
${invoice.isRefunded ? 'refunded' : `paid ${button(`/subscriptions/${id}/refund/${invoice.id}`, `Refund ${invoice.id}`)}`}</li>`;
  const actions = button(`/subscriptions/${id}/renew`, 'Renew') + button(`/subscriptions/${id}/cancel`, 'Cancel');
  return `<div class="card">${plan.name} · ${isEnded ? 'cancelled' : 'running'}<br>${cameBy(clickId)}
<ul>${invoices.map(row).join('')}</ul></div>
${isEnded ? '' : actions}
${reported(reports)}`;
}

export function ordersPage(orders: readonly Order[], subscriptions: readonly Subscription[]): string {
  const line = (href: string, text: string) => `<li><a href="${escaped(href)}">${escaped(text)}</a></li>`;
  const all = [
    ...orders.map(({ id, cents, isRefunded }) => line(`/orders/${id}`, `${id} · ${dollars(cents)}${isRefunded ? ' · refunded' : ''}`)),
    ...subscriptions.map(({ id, isEnded }) => line(`/subscriptions/${id}`, `${id} · ${plan.name}${isEnded ? ' · cancelled' : ''}`)),
  ];
  return all.length === 0 ? '<p>Nothing was bought yet.</p>' : `<ul>${all.join('')}</ul>`;
}

const cameBy = (clickId: string | null): string =>
  clickId === null
    ? '<span class="small">Nobody sent this shopper, or they did not consent: nothing is reported.</span>'
    : `<span class="small">A creator sent this shopper: <code id="click">${escaped(clickId)}</code></span>`;

function reported(reports: readonly Report[]): string {
  const row = ({ what, answer, says }: Report) => `<li>${escaped(what)}: <code class="answer">${escaped(answer)}</code>
<span class="small">${escaped(says)}</span></li>`;
  return reports.length === 0 ? '' : `<h2>What was reported</h2><ul>${reports.map(row).join('')}</ul>`;
}

const button = (action: string, label: string): string =>
  `<form method="post" action="${escaped(action)}"><button>${escaped(label)}</button></form>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);

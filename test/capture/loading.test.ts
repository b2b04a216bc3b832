import { expect, test } from 'vitest';
import { captureScript } from '../../src/capture/serve.ts';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

/** A page that loads the script in some manner; `set` stands where a setting can reach it in that manner. */
type Manner = { readonly manner: string; readonly html: (set: { readonly attributes: string; readonly query: string }) => string };

const insert = (attributes: string, url: string, then = '') => `
  var made = document.createElement('script');
  made.src = '${url}';
  '${attributes}'.replace(/(\\S+?)="(.*?)"/g, function (_, name, value) { made.setAttribute(name, value); });
  document.head.appendChild(made);
  ${then}`;

const manners: readonly Manner[] = [
  { manner: 'with defer', html: ({ attributes, query }) => tag(`defer ${attributes}`, query) },
  { manner: 'with async', html: ({ attributes, query }) => tag(`async ${attributes}`, query) },
  { manner: 'with neither', html: ({ attributes, query }) => tag(attributes, query) },
  { manner: 'at the end of the body', html: ({ attributes, query }) => `<body><p>Shoes</p>${tag(attributes, query)}</body>` },
  { manner: 'as a module, where there is no current script', html: ({ attributes, query }) => tag(`type="module" ${attributes}`, query) },
  { manner: 'inserted by code', html: ({ attributes, query }) => `<script>${insert(attributes, `{script}${query}`)}</script>` },
  {
    manner: 'inserted by code and taken out again at once',
    html: ({ attributes, query }) => `<script>${insert(attributes, `{script}${query}`, 'made.remove();')}</script>`,
  },
  {
    manner: 'written by document.write',
    html: ({ attributes, query }) => `<script>document.write('<script src="{script}${query}" ${attributes}></scr' + 'ipt>');</script>`,
  },
  {
    manner: 'late, long after the page has loaded',
    html: ({ attributes, query }) => {
      const later = `setTimeout(() => { ${insert(attributes, `{script}${query}`)} }, 50)`;
      return `<script>addEventListener('load', () => ${later});</script>`;
    },
  },
  {
    manner: 'pinned by its hash',
    html: ({ attributes, query }) =>
      `<script src="{pinned}${query}" integrity="${captureScript().integrity}" crossorigin="anonymous" ${attributes}></script>`,
  },
];

for (const { manner, html } of manners) {
  test(`loaded ${manner} it captures the click, and obeys a setting on its tag or in its address`, async () => {
    const shopper = await newShopper();
    const landWith = async (set: { attributes?: string; query?: string }, click: string) => {
      await shopper.land(html({ attributes: '', query: '', ...set }), `?rm_click=${click}`);
      await shopper.page.waitForFunction('window.ServiceCapture');
      const before = await shopper.getClick();
      await shopper.grantConsent();
      return [before, await shopper.getClick()];
    };
    expect(await landWith({}, 'rmc_1')).toEqual(['rmc_1', 'rmc_1']);
    expect(await landWith({ attributes: 'data-rm-consent-mode="explicit"' }, 'rmc_2')).toEqual([null, 'rmc_2']);
    expect(await landWith({ query: '?consent-mode=explicit' }, 'rmc_3')).toEqual([null, 'rmc_3']);
  });
}

test('inserted as a tag manager does it, which strips data attributes, it obeys the settings in its address', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  const snippet = `(function (d, s, u) {
    var f = d.getElementsByTagName(s)[0], j = d.createElement(s);
    j.async = true;
    j.src = u;
    f.parentNode.insertBefore(j, f);
  })(document, 'script', '{script}?consent-mode=explicit&max-age-days=7');`;
  await shopper.land(`<script>${snippet}</script>`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect((await shopper.watched()).writes).toEqual(['_service_click=rmc_a; Path=/; Max-Age=604800; SameSite=Lax']);
});

test('where there is no current script, the settings of the first tag count', async () => {
  const shopper = await newShopper();
  await shopper.land(`${tag('type="module" data-rm-consent-mode="explicit"')}${tag('type="module"', '?second')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
});

test('without a tag to be found there are no settings, so the click is stored', async () => {
  const shopper = await newShopper();
  await shopper.land(
    '<script>fetch("{script}").then((answer) => answer.text()).then((text) => (0, eval)(text));</script>',
    '?rm_click=rmc_a',
  );
  await shopper.page.waitForFunction('window.ServiceCapture');
  expect(await shopper.stored()).toBe('rmc_a');
});

test('without defer the click is captured before a router rewrites the address, with defer it comes too late', async () => {
  const shopper = await newShopper();
  const router = '<script>history.replaceState(null, "", location.pathname);</script>';
  await shopper.land(tag('defer') + router, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  await shopper.land(tag() + router, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('a second copy changes nothing: no setting, no click, no word on the console', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  const first = '<script>first = { ...ServiceCapture };</script>';
  const route = '<script>history.pushState(null, "", "?rm_click=rmc_b");</script>';
  await shopper.land(
    tag('data-rm-consent-mode="explicit"') + first + route + tag('data-rm-max-age-days="nonsense"', '?second'),
    '?rm_click=rmc_a',
  );
  expect(await shopper.run('ServiceCapture.getClick === first.getClick && ServiceCapture.grantConsent === first.grantConsent')).toBe(true);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect((await shopper.watched()).writes).toEqual(['_service_click=rmc_a; Path=/; Max-Age=2592000; SameSite=Lax']);
});

test('what a shop put in the place of window.ServiceCapture, methods and all, is left alone', async () => {
  const shopper = await newShopper();
  await shopper.land(`<script>ServiceCapture = { getClick: () => 'mine', grantConsent() {} };</script>${tag()}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe('mine');
  expect(await shopper.stored()).toBe(undefined);
});

const squatters = [
  ['an element named like it', '<form id="ServiceCapture"><input name="getClick"></form>'],
  ['an object without our methods', '<script>ServiceCapture = { queue: [] };</script>'],
  ['a null', '<script>ServiceCapture = null;</script>'],
] as const;

for (const [what, html] of squatters) {
  test(`${what} in the place of window.ServiceCapture does not keep the script from working`, async () => {
    const shopper = await newShopper();
    await shopper.land(html + tag(), '?rm_click=rmc_a');
    expect(await shopper.getClick()).toBe('rmc_a');
  });
}

test('a window that cannot take ServiceCapture stores nothing and hears nothing', async () => {
  const shopper = await newShopper();
  await shopper.land(
    `<script>Object.defineProperty(window, 'ServiceCapture', { set() { throw new Error('no'); } });</script>${tag()}`,
    '?rm_click=rmc_a',
  );
  expect(await shopper.stored()).toBe(undefined);
});

test('an element that takes the name of document.currentScript cannot take away the asking for consent', async () => {
  const shopper = await newShopper();
  await shopper.land(`<img name="currentScript">${tag('data-rm-consent-mode="explicit"')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  await shopper.land(`<img name="querySelector"><img name="currentScript">${tag('data-rm-consent-mode="explicit"')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
});

test('nothing comes onto window but ServiceCapture, and onto that but two methods', async () => {
  const shopper = await newShopper();
  const names = 'Object.getOwnPropertyNames(window)';
  await shopper.land(`<script>var before; before = ${names};</script>${tag('data-rm-consent-mode="maybe"')}`, '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.getClick();
  expect(await shopper.run(`${names}.filter((name) => !before.includes(name))`)).toEqual(['ServiceCapture']);
  expect(await shopper.run('Object.keys(ServiceCapture).sort()')).toEqual(['getClick', 'grantConsent']);
  expect(shopper.noise.splice(0)).toHaveLength(1);
});

test('beside the page and the script itself nothing is asked of any server', async () => {
  const shopper = await newShopper();
  shopper.shop.requests.length = 0;
  const url = await shopper.land(tag('data-rm-consent-mode="explicit"'), '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.getClick();
  expect(shopper.shop.requests).toEqual([`GET ${url.slice(shopper.shop.origin.length)}`, `GET ${captureScript().path}`]);
  const resources = 'performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)';
  expect((await shopper.run<string[]>(resources)).filter((path) => path !== '/favicon.ico')).toEqual([captureScript().path]);
});

test('it works under a policy of nonces, without network and with Trusted Types, and breaks no rule of it', async () => {
  const shopper = await newShopper();
  const policy =
    "default-src 'none'; script-src 'nonce-n0nce'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report";
  shopper.shop.requests.length = 0;
  const headers = { 'content-security-policy': policy };
  await shopper.land(tag('nonce="n0nce" data-rm-consent-mode="explicit"'), '?rm_click=rmc_a', { headers });
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
  expect(shopper.shop.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('in a page of XHTML it works as in one of HTML', async () => {
  const shopper = await newShopper();
  const html = `<html xmlns="http://www.w3.org/1999/xhtml"><head>${tag('data-rm-consent-mode="explicit"')}</head><body/></html>`;
  const path = shopper.shop.page(html, { headers: { 'content-type': 'application/xhtml+xml' } });
  await shopper.page.goto(`${shopper.shop.origin}${path}?rm_click=rmc_a`);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
});

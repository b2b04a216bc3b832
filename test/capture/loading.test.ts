import { expect, test } from 'vitest';
import { captureScript } from '../../src/capture/serve.ts';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

/** A page that loads the script in some manner; `set` marks the place where a setting can be passed. */
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
    manner: 'inserted by code and removed immediately',
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
  test(`loaded ${manner} it captures the click, and applies a setting from its tag or its URL`, async () => {
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

test('applies the settings in its URL when a tag manager inserts it and strips data attributes', async () => {
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

test('applies the settings of the first tag when there is no current script', async () => {
  const shopper = await newShopper();
  await shopper.land(`${tag('type="module" data-rm-consent-mode="explicit"')}${tag('type="module"', '?second')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
});

test('stores the click with default settings when no tag is found', async () => {
  const shopper = await newShopper();
  await shopper.land(
    '<script>fetch("{script}").then((answer) => answer.text()).then((text) => (0, eval)(text));</script>',
    '?rm_click=rmc_a',
  );
  await shopper.page.waitForFunction('window.ServiceCapture');
  expect(await shopper.stored()).toBe('rmc_a');
});

test('without defer it captures the click before a router rewrites the URL; with defer it runs too late', async () => {
  const shopper = await newShopper();
  const router = '<script>history.replaceState(null, "", location.pathname);</script>';
  await shopper.land(tag('defer') + router, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  await shopper.land(tag() + router, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('a second copy changes no setting, stores no click, and logs nothing', async () => {
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

test('leaves an object that a page assigned to window.ServiceCapture unchanged, including its methods', async () => {
  const shopper = await newShopper();
  await shopper.land(`<script>ServiceCapture = { getClick: () => 'mine', grantConsent() {} };</script>${tag()}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe('mine');
  expect(await shopper.stored()).toBe(undefined);
});

const squatters = [
  ['an element of the same name', '<form id="ServiceCapture"><input name="getClick"></form>'],
  ['an object without our methods', '<script>ServiceCapture = { queue: [] };</script>'],
  ['a null', '<script>ServiceCapture = null;</script>'],
] as const;

for (const [what, html] of squatters) {
  test(`${what} as window.ServiceCapture does not stop the script from working`, async () => {
    const shopper = await newShopper();
    await shopper.land(html + tag(), '?rm_click=rmc_a');
    expect(await shopper.getClick()).toBe('rmc_a');
  });
}

test('stores nothing and throws nothing on a window that cannot take ServiceCapture', async () => {
  const shopper = await newShopper();
  await shopper.land(
    `<script>Object.defineProperty(window, 'ServiceCapture', { set() { throw new Error('no'); } });</script>${tag()}`,
    '?rm_click=rmc_a',
  );
  expect(await shopper.stored()).toBe(undefined);
});

test('an element that shadows document.currentScript cannot disable the consent requirement', async () => {
  const shopper = await newShopper();
  await shopper.land(`<img name="currentScript">${tag('data-rm-consent-mode="explicit"')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  await shopper.land(`<img name="querySelector"><img name="currentScript">${tag('data-rm-consent-mode="explicit"')}`, '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
});

test('adds only ServiceCapture to window, with two methods', async () => {
  const shopper = await newShopper();
  const names = 'Object.getOwnPropertyNames(window)';
  await shopper.land(`<script>var before; before = ${names};</script>${tag('data-rm-consent-mode="maybe"')}`, '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.getClick();
  expect(await shopper.run(`${names}.filter((name) => !before.includes(name))`)).toEqual(['ServiceCapture']);
  expect(await shopper.run('Object.keys(ServiceCapture).sort()')).toEqual(['getClick', 'grantConsent']);
  expect(shopper.noise.splice(0)).toHaveLength(1);
});

test('sends no request other than those for the page and the script', async () => {
  const shopper = await newShopper();
  shopper.site.requests.length = 0;
  const url = await shopper.land(tag('data-rm-consent-mode="explicit"'), '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.getClick();
  expect(shopper.site.requests).toEqual([`GET ${url.slice(shopper.site.origin.length)}`, `GET ${captureScript().path}`]);
  const resources = 'performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)';
  expect((await shopper.run<string[]>(resources)).filter((path) => path !== '/favicon.ico')).toEqual([captureScript().path]);
});

test('runs under a nonce policy without network access and with Trusted Types, and violates no rule', async () => {
  const shopper = await newShopper();
  const policy =
    "default-src 'none'; script-src 'nonce-n0nce'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report";
  shopper.site.requests.length = 0;
  const headers = { 'content-security-policy': policy };
  await shopper.land(tag('nonce="n0nce" data-rm-consent-mode="explicit"'), '?rm_click=rmc_a', { headers });
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
  expect(shopper.site.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('works in an XHTML page', async () => {
  const shopper = await newShopper();
  const html = `<html xmlns="http://www.w3.org/1999/xhtml"><head>${tag('data-rm-consent-mode="explicit"')}</head><body/></html>`;
  const path = shopper.site.page(html, { headers: { 'content-type': 'application/xhtml+xml' } });
  await shopper.page.goto(`${shopper.site.origin}${path}?rm_click=rmc_a`);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
});

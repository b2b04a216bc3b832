import { expect, test } from 'vitest';
import { captureScript } from '../../src/capture/serve.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openForBusiness } from '../capture/shopper.ts';
import { blocksOf } from './blocks.ts';

const newShopper = openForBusiness();

/** Every recipe of docs/capture.md in a page, unchanged except for the URL of the service. */
const service = 'https://partners.example';
const { path, immutablePath, integrity } = captureScript();
const blocks = blocksOf('docs/capture.md');

function recipe(section: string, place = 0, language = 'html'): string {
  const block = blocks.filter((one) => one.section === section && one.language === language)[place];
  invariant(block, `there is a block ${place} under "${section}"`);
  return block.text.replaceAll(service + immutablePath, '{pinned}').replaceAll(service + path, '{script}');
}

const click = 'rmc_a';
const landing = `?rm_click=${click}`;

test('every block of the page is one that is tried here', () => {
  const tried = {
    'The tag': 2,
    'Read the click at the checkout': 1,
    'Content Security Policy': 2,
    'Consent managers': 1,
    'Google Consent Mode': 2,
    TCF: 1,
    OneTrust: 2,
    Cookiebot: 1,
    Shopify: 1,
    'Withdraw consent': 1,
  };
  const counted = Object.fromEntries([...Map.groupBy(blocks, ({ section }) => section)].map(([section, own]) => [section, own.length]));
  expect(counted).toEqual(tried);
});

test('the plain tag stores the click, and the one with settings in its address waits for consent', async () => {
  const shopper = await newShopper();
  await shopper.land(recipe('The tag'), landing);
  expect(await shopper.getClick()).toBe(click);
  await shopper.context.clearCookies();
  await shopper.land(recipe('The tag', 1), landing);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  const [cookie] = await shopper.context.cookies();
  expect(Math.round(((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400)).toBe(14);
});

test('the form sends the click, and omits the field without one', async () => {
  const shopper = await newShopper();
  for (const [query, sent] of [
    ['', 'rm_click='],
    [landing, `rm_click=${click}`],
  ] as const) {
    await shopper.land(recipe('The tag') + recipe('Read the click at the checkout'), query);
    const requested = shopper.page.waitForRequest(/\/pay$/);
    await shopper.page.click('button');
    expect((await requested).postData()).toBe(sent);
  }
});

test('the documented policy allows the script on a page that allows nothing else', async () => {
  const shopper = await newShopper();
  await shopper.land(recipe('The tag'));
  const origin = await shopper.run<string>('new URL(document.scripts[0].src).origin');
  const allowed = recipe('Content Security Policy', 0, 'csp').replace(service, origin);
  const policy = `default-src 'none'; require-trusted-types-for 'script'; ${allowed}`;
  await shopper.land(recipe('The tag'), landing, { headers: { 'content-security-policy': policy } });
  expect(await shopper.getClick()).toBe(click);
});

test('the pinned tag names the bytes that are served, and loads by its hash alone', async () => {
  const shopper = await newShopper();
  const tag = recipe('Content Security Policy');
  expect(tag).toContain('{pinned}');
  expect(tag).toContain(integrity);
  await shopper.land(tag, landing, { headers: { 'content-security-policy': `default-src 'none'; script-src '${integrity}'` } });
  expect(await shopper.getClick()).toBe(click);
});

const oneTrust = (call: string) => `
  window.OneTrust = { changed: [], OnConsentChanged: function (hear) { this.changed.push(hear); } };
  window.tell = function (groups) { window.OnetrustActiveGroups = ',' + groups.join(',') + ','; ${call} };`;
const byEvent = oneTrust("window.dispatchEvent(new CustomEvent('OneTrustGroupsUpdated', { detail: groups }));");
const byWrapper = oneTrust(
  'if (window.isLoaded) OneTrust.changed.forEach(function (hear) { hear(); }); else OptanonWrapper(); isLoaded = true;',
);
const later = (call: string): string => `window.addEventListener('load', function () { ${call} });`;

const cookiebot = `
  window.Cookiebot = { consent: { marketing: false } };
  window.tell = function (word) {
    Cookiebot.consent.marketing = word;
    window.dispatchEvent(new Event(word ? 'CookiebotOnAccept' : 'CookiebotOnDecline'));
  };`;
const shopify = (isAllowed: boolean) => `
  var isAllowed = ${isAllowed};
  window.Shopify = { loadFeatures: function (features, ready) {
    if (features[0].name !== 'consent-tracking-api' || features[0].version !== '0.1') return ready(new Error('unknown'));
    setTimeout(function () { Shopify.customerPrivacy = { marketingAllowed: function () { return isAllowed; } }; ready(); }, 20);
  } };
  window.tell = function (word) {
    isAllowed = word;
    document.dispatchEvent(new CustomEvent('visitorConsentCollected', { detail: { marketingAllowed: word, analyticsAllowed: true } }));
  };`;
const tcf = (data: string) => `
  var listeners = [];
  window.__tcfapi = function (command, version, hear) {
    if (command !== 'addEventListener' || version !== 2) return hear(null, false);
    listeners.push(hear);
    setTimeout(function () { hear(${data}, true); }, 20);
  };
  window.tell = function (word) {
    listeners.forEach(function (hear) {
      hear({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 1: word } } }, true);
    });
  };`;
const gtag = 'window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments); }';
const google = `${gtag}
  gtag('consent', 'default', { ad_storage: 'granted', region: ['US'] });
  window.tell = function (word) { gtag('consent', 'update', { ad_storage: word ? 'granted' : 'denied', analytics_storage: 'granted' }); };`;

/** Fakes that behave as the tools document. `asks`: the visitor has not decided yet. `knows`: the visitor consented on an earlier page. */
const managers = [
  {
    name: 'Google Consent Mode',
    place: 0,
    asks: google,
    knows: `${gtag} gtag('consent', 'update', { ad_storage: 'granted' });`,
    calls: ['tell(false)', 'tell(true)'],
  },
  {
    name: 'TCF',
    place: 0,
    asks: tcf("{ eventStatus: 'cmpuishown', gdprApplies: true, purpose: { consents: { 1: true } } }"),
    knows: tcf("{ eventStatus: 'tcloaded', gdprApplies: true, purpose: { consents: { 1: true } } }"),
    calls: ['tell(false)', 'tell(true)'],
  },
  {
    name: 'OneTrust',
    place: 0,
    asks: byEvent + later("tell(['C0001'])"),
    knows: byEvent + later("tell(['C0001', 'C0004'])"),
    calls: ["tell(['C0001', 'C0002'])", "tell(['C0001', 'C0004'])"],
  },
  {
    name: 'OneTrust',
    place: 1,
    asks: byWrapper + later("tell(['C0001'])"),
    knows: byWrapper + later("tell(['C0001', 'C0004'])"),
    calls: ["tell(['C0001', 'C0002'])", "tell(['C0001', 'C0004'])"],
  },
  { name: 'Cookiebot', place: 0, asks: cookiebot, knows: `${cookiebot} tell(true);`, calls: ['tell(false)', 'tell(true)'] },
  { name: 'Shopify', place: 0, asks: shopify(false), knows: shopify(true), calls: ['tell(false)', 'tell(true)'] },
] as const;

const page = (stub: string, { name, place }: (typeof managers)[number]): string =>
  `<script>${stub}</script>${recipe('Consent managers')}${recipe(name, place)}`;

test.each(managers)(
  '$name ($place): nothing before the yes, nothing after a no, and the click of this page after a yes',
  async (manager) => {
    const shopper = await newShopper();
    await shopper.watch();
    await shopper.land(page(manager.asks, manager), landing);
    await shopper.run('new Promise((resolve) => setTimeout(resolve, 100))');
    const [no, yes] = manager.calls;
    for (const [word, got] of [
      ['0', null],
      [no, null],
      [yes, click],
    ] as const) {
      await shopper.run(word);
      expect([word, await shopper.getClick()]).toEqual([word, got]);
    }
    expect((await shopper.watched()).writes).toHaveLength(1);
  },
);

test.each(managers)('$name ($place): who said yes before is captured on landing, and read on every later page', async (manager) => {
  const shopper = await newShopper();
  for (const query of [landing, '']) {
    await shopper.land(page(manager.knows, manager), query);
    await expect.poll(() => shopper.getClick()).toBe(click);
  }
});

/** Google Tag Manager with its two tags: it keeps no attributes but the address, and does not fire later what it once stopped. */
const tagManager = (isGranted: boolean): string => {
  const [script, grant] = [recipe('The tag', 1), recipe('Google Consent Mode', 1)].map((html) =>
    JSON.stringify(html).replaceAll('</', '<\\/'),
  );
  return `<script>
    var isGranted = ${isGranted};
    function fire(html) {
      var scripts = Array.from(new DOMParser().parseFromString(html, 'text/html').scripts);
      (function next() {
        var one = scripts.shift();
        if (!one) return;
        var made = document.createElement('script');
        made.text = one.text;
        if (one.src) { made.onload = next; made.src = one.getAttribute('src'); }
        document.head.append(made);
        if (!one.src) next();
      })();
    }
    function fireGrant() { if (isGranted) fire(${grant}); }
    window.tell = function (word) { isGranted = word; fireGrant(); };
    fire(${script});
    fireGrant();
  </script>`;
};

test('Tag Manager: nothing before the yes, nothing after a no, and the click of a first visit after a yes', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tagManager(false), landing);
  await shopper.page.waitForFunction('window.ServiceCapture');
  for (const [word, got] of [
    ['0', null],
    ['tell(false)', null],
    ['tell(true)', click],
  ] as const) {
    await shopper.run(word);
    expect([word, await shopper.getClick()]).toEqual([word, got]);
  }
  expect((await shopper.watched()).writes).toHaveLength(1);
});

test('Tag Manager: who said yes before is captured on landing, and read on every later page', async () => {
  const shopper = await newShopper();
  for (const query of [landing, '']) {
    await shopper.land(tagManager(true), query);
    await shopper.page.waitForFunction('window.ServiceCapture');
    await expect.poll(() => shopper.getClick()).toBe(click);
  }
});

test('the grant function works before the tag is loaded, and fires the page event once per grant', async () => {
  const shopper = await newShopper();
  const [, grant = ''] = recipe('Consent managers').split(/(?<=<\/script>)\n(?=<script>)/);
  const count = "var grants = 0; document.addEventListener('capture-granted', function () { grants += 1; }); grantCapture();";
  const image = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAIBAAA=">';
  await shopper.land(`${grant}<script>${count}</script>${image}${recipe('The tag', 1)}${image}`, landing);
  expect([await shopper.getClick(), await shopper.run('grants')]).toEqual([click, 1]);
  await shopper.run('grantCapture()');
  expect(await shopper.run('grants')).toBe(2);
});

test('under the TCF a visitor outside the GDPR needs no consent', async () => {
  const shopper = await newShopper();
  const manager = managers[1];
  await shopper.land(page(tcf("{ eventStatus: 'tcloaded', gdprApplies: false }"), manager), landing);
  await expect.poll(() => shopper.getClick()).toBe(click);
});

test('a decision before the script has loaded is handed over when it has', async () => {
  const shopper = await newShopper();
  await shopper.land(`${recipe('Consent managers')}<script>grantCapture();</script>`, landing);
  expect(await shopper.getClick()).toBe(click);
});

test('consent taken back removes the cookie, and the landing page does not capture again', async () => {
  const shopper = await newShopper();
  await shopper.land(recipe('The tag') + recipe('Withdraw consent'), landing);
  expect(await shopper.stored()).toBe(click);
  await Promise.all([shopper.page.waitForURL((url) => url.search === ''), shopper.run('withdrawCapture()')]);
  await shopper.page.waitForLoadState('load');
  expect([await shopper.stored(), await shopper.getClick()]).toEqual([undefined, null]);
});

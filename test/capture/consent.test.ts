import { expect, test } from 'vitest';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

const explicit = 'data-rm-consent-mode="explicit"';
const nextRoute = 'history.pushState(null, "", "/shoes")';

type Mode = { readonly attribute?: string; readonly query?: string; readonly granted: boolean; readonly warnings?: readonly string[] };

const modes: readonly Mode[] = [
  { granted: true },
  { attribute: 'explicit', granted: false },
  { attribute: 'EXPLICIT', granted: false },
  { attribute: ' Explicit\n', granted: false },
  { attribute: '', granted: false, warnings: [''] },
  { attribute: 'implicit', granted: false, warnings: ['implicit'] },
  { attribute: 'granted', granted: false, warnings: ['granted'] },
  { attribute: 'false', granted: false, warnings: ['false'] },
  { attribute: 'explicit,', granted: false, warnings: ['explicit,'] },
  { query: '?consent-mode=explicit', granted: false },
  { query: '?consent-mode=%20eXplicit+', granted: false },
  { query: '?v=7&consent-mode=explicit&gtm=1', granted: false },
  { query: '?v=https://cdn?x&consent-mode=explicit#top', granted: false },
  { query: '?consent-mode', granted: false, warnings: [''] },
  { query: '?consent-mode=off', granted: false, warnings: ['off'] },
  { query: '?max-age-days=7', granted: true },
  { query: '#?consent-mode=explicit', granted: true },
  { attribute: 'explicit', query: '?consent-mode=explicit', granted: false },
  { attribute: 'no', query: '?consent-mode=explicit', granted: false, warnings: ['no'] },
  { attribute: 'explicit', query: '?consent-mode=granted', granted: false, warnings: ['granted'] },
];

test('consent is granted by default, required by "explicit", and required with one warning by any other value', async () => {
  const shopper = await newShopper();
  for (const { attribute, query, granted, warnings = [] } of modes) {
    const html = tag(attribute === undefined ? '' : `data-rm-consent-mode="${attribute}"`, query);
    await shopper.context.clearCookies();
    await shopper.land(html, '?rm_click=rmc_a');
    const expected = warnings.map((value) => `warning: ServiceCapture: consent-mode="${value}" is not valid, explicit is used`);
    expect([await shopper.getClick(), shopper.noise.splice(0)], html).toEqual([granted ? 'rmc_a' : null, expected]);
  }
});

test('reads and writes no cookie and stores nothing before consent, even if the URL has a click', async () => {
  const shopper = await newShopper();
  await shopper.store('rmc_old');
  await shopper.watch();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe(null);
  expect(await shopper.watched()).toEqual({ reads: 0, writes: [] });
  expect(await shopper.run('[localStorage.length, sessionStorage.length, window.name]')).toEqual([0, 0, '']);
  expect(await shopper.run('Promise.all([indexedDB.databases(), caches.keys()])')).toEqual([[], []]);
  expect(await shopper.stored()).toBe('rmc_old');
});

test('consent makes a click readable that an earlier page stored', async () => {
  const shopper = await newShopper();
  await shopper.store('rmc_old');
  await shopper.land(tag(explicit));
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_old');
});

test('consent in the landing document stores its click, also after a client-side route change', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.run(nextRoute);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('consent after a full navigation is too late: the click of the landing page is lost', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.land(tag(explicit));
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe(null);
  expect(await shopper.stored()).toBe(undefined);
});

test('a grant applies to one page, and is not stored', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.grantConsent();
  expect((await shopper.context.cookies()).map(({ name }) => name)).toEqual(['_service_click']);
  expect(await shopper.run('[localStorage.length, sessionStorage.length, window.name]')).toEqual([0, 0, '']);
  await shopper.page.reload();
  expect(await shopper.getClick()).toBe(null);
  await shopper.land(tag(explicit));
  expect(await shopper.getClick()).toBe(null);
  expect(await shopper.stored()).toBe('rmc_a');
});

test('consent may be granted repeatedly, and only the first grant writes', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  for (let time = 0; time < 3; time += 1) await shopper.grantConsent();
  expect((await shopper.watched()).writes).toHaveLength(1);

  await shopper.land(tag(), '?rm_click=rmc_b');
  await shopper.grantConsent();
  expect((await shopper.watched()).writes).toHaveLength(1);
});

test('a second grant does not restore the click of this page over one that another tab stored since', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.store('rmc_b');
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_b');
});

test('a decision made before the script loads is applied in the load event of its tag', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(`async ${explicit} onload="ServiceCapture.grantConsent()"`), '?rm_click=rmc_a');
  await shopper.page.waitForLoadState('load');
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('both methods work when detached from the object', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  const detached = 'const { getClick, grantConsent } = ServiceCapture;';
  expect(await shopper.run(`(() => { ${detached} return [getClick(), grantConsent(), getClick.call(null)]; })()`)).toEqual([
    null,
    undefined,
    'rmc_a',
  ]);
});

const missing = [
  ['URLSearchParams', 'delete window.URLSearchParams'],
  ['querySelector', 'Document.prototype.querySelector = null; Object.defineProperty(document, "currentScript", { value: null })'],
] as const;

for (const [name, removal] of missing) {
  test(`requires consent when the settings cannot be read because ${name} is missing`, async () => {
    const shopper = await newShopper();
    await shopper.store('rmc_old');
    await shopper.land(`<script>${removal};</script>${tag()}`, '?rm_click=rmc_a');
    expect(await shopper.getClick()).toBe(null);
    expect(await shopper.stored()).toBe('rmc_old');
    await shopper.grantConsent();
    expect(await shopper.getClick()).toMatch(/^rmc_/);
  });
}

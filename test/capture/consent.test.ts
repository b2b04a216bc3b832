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

test('consent is granted where nothing is said, asked for by "explicit", and by any other word too, with one warning', async () => {
  const shopper = await newShopper();
  for (const { attribute, query, granted, warnings = [] } of modes) {
    const html = tag(attribute === undefined ? '' : `data-rm-consent-mode="${attribute}"`, query);
    await shopper.context.clearCookies();
    await shopper.land(html, '?rm_click=rmc_a');
    const expected = warnings.map((value) => `warning: ServiceCapture: consent-mode="${value}" is not valid, explicit is used`);
    expect([await shopper.getClick(), shopper.noise.splice(0)], html).toEqual([granted ? 'rmc_a' : null, expected]);
  }
});

test('until consent is granted no cookie is read or written and nothing is stored, even if a click is there', async () => {
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

test('consent in the landing document stores its click, also after a client-side change of route', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.run(nextRoute);
  expect(await shopper.getClick()).toBe(null);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('consent after a full navigation comes too late: the click of the landing page is gone', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.land(tag(explicit));
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe(null);
  expect(await shopper.stored()).toBe(undefined);
});

test('a grant is good for one page: it is stored nowhere, and the next page asks again', async () => {
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

test('consent may be granted any number of times, and only the first writes', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  for (let time = 0; time < 3; time += 1) await shopper.grantConsent();
  expect((await shopper.watched()).writes).toHaveLength(1);

  await shopper.land(tag(), '?rm_click=rmc_b');
  await shopper.grantConsent();
  expect((await shopper.watched()).writes).toHaveLength(1);
});

test('a second grant does not bring back the click of this page over one that another tab has stored since', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(explicit), '?rm_click=rmc_a');
  await shopper.grantConsent();
  await shopper.store('rmc_b');
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_b');
});

test('a decision made before the script was there is told on the load event of its tag', async () => {
  const shopper = await newShopper();
  await shopper.land(tag(`async ${explicit} onload="ServiceCapture.grantConsent()"`), '?rm_click=rmc_a');
  await shopper.page.waitForLoadState('load');
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('both methods work when they are taken off the object', async () => {
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
  test(`where the settings cannot be read, for want of ${name}, consent is not taken for granted`, async () => {
    const shopper = await newShopper();
    await shopper.store('rmc_old');
    await shopper.land(`<script>${removal};</script>${tag()}`, '?rm_click=rmc_a');
    expect(await shopper.getClick()).toBe(null);
    expect(await shopper.stored()).toBe('rmc_old');
    await shopper.grantConsent();
    expect(await shopper.getClick()).toMatch(/^rmc_/);
  });
}

import { expect, test } from 'vitest';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

const dayS = 86_400;

test('writes the cookie for every path, for 30 days, and with SameSite=Lax', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tag(), '?rm_click=rmc_a');
  expect((await shopper.watched()).writes).toEqual(['_service_click=rmc_a; Path=/; Max-Age=2592000; SameSite=Lax']);
  const [cookie, ...others] = await shopper.context.cookies();
  expect(cookie).toMatchObject({ value: 'rmc_a', path: '/', sameSite: 'Lax', secure: false, httpOnly: false });
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 30 * dayS)).toBeLessThan(60);
  expect(others).toEqual([]);
});

test('adds Secure over https, and only there', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tag(), '?rm_click=rmc_a', { secure: true });
  expect((await shopper.watched()).writes).toEqual(['_service_click=rmc_a; Path=/; Max-Age=2592000; SameSite=Lax; Secure']);
  expect((await shopper.context.cookies())[0]).toMatchObject({ secure: true });
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('omits Secure on http://localhost, although browsers treat it as secure', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  const path = shopper.site.page(tag());
  await shopper.page.goto(`${shopper.site.origin.replace('127.0.0.1', 'localhost')}${path}?rm_click=rmc_a`);
  expect(await shopper.run('isSecureContext')).toBe(true);
  expect((await shopper.watched()).writes).toEqual(['_service_click=rmc_a; Path=/; Max-Age=2592000; SameSite=Lax']);
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('sets a host-only cookie that no subdomain receives', async () => {
  const shopper = await newShopper();
  const at = (host: string) => shopper.site.origin.replace('127.0.0.1', host) + shopper.site.page(tag());
  await shopper.page.goto(`${at('shop.localhost')}?rm_click=rmc_a`);
  expect((await shopper.context.cookies()).map(({ domain }) => domain)).toEqual(['shop.localhost']);
  await shopper.page.goto(at('checkout.shop.localhost'));
  expect(await shopper.getClick()).toBe(null);
  await shopper.page.goto(at('shop.localhost'));
  expect(await shopper.getClick()).toBe('rmc_a');
});

type Age = { readonly attribute?: string; readonly query?: string; readonly days: number; readonly warnings?: readonly string[] };

const invalid = [
  '0',
  '00',
  '366',
  '-5',
  '+5',
  ' 30 ',
  '45 ',
  '30.0',
  '1e2',
  '0x10',
  '',
  'abc',
  '30 days',
  '٣٠',
  '9'.repeat(400),
  'NaN',
  'Infinity',
];
const ages: readonly Age[] = [
  { days: 30 },
  { attribute: '1', days: 1 },
  { attribute: '365', days: 365 },
  { attribute: '0045', days: 45 },
  { query: '7', days: 7 },
  ...invalid.map((value) => ({ attribute: value, days: 30, warnings: [value] })),
  { query: '366', days: 30, warnings: ['366'] },
  { attribute: '7', query: '90', days: 7 },
  { attribute: '90', query: '7', days: 7 },
  { attribute: '90', query: '90', days: 90 },
  { attribute: '9', query: '10', days: 9 },
  { attribute: '90', query: 'soon', days: 30, warnings: ['soon'] },
  { attribute: '0', query: '7', days: 7, warnings: ['0'] },
  { attribute: '0', query: '90', days: 30, warnings: ['0'] },
  { attribute: '-1', query: '0', days: 30, warnings: ['-1', '0'] },
];

test('accepts 1 to 365 days in digits, uses 30 with one warning for other values, and applies the shorter of two settings', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  for (const { attribute, query, days, warnings = [] } of ages) {
    const html = tag(
      attribute === undefined ? '' : `data-rm-max-age-days="${attribute}"`,
      query === undefined ? '' : `?max-age-days=${query}`,
    );
    await shopper.land(html, '?rm_click=rmc_a');
    const written = `_service_click=rmc_a; Path=/; Max-Age=${days * dayS}; SameSite=Lax`;
    const expected = warnings.map((value) => `warning: ServiceCapture: max-age-days="${value}" is not valid, 30 is used`);
    expect([(await shopper.watched()).writes, shopper.noise.splice(0)], html).toEqual([[written], expected]);
  }
});

const jars: readonly (readonly [cookies: Readonly<Record<string, string>>, click: string | null])[] = [
  [{ _service_click: 'rmc_a' }, 'rmc_a'],
  [{ a: '1', _service_click: 'rmc_a', b: '2' }, 'rmc_a'],
  [{ a: '1', b: '2', _service_click: 'rmc_a' }, 'rmc_a'],
  [{ _service_click: 'a'.repeat(200) }, 'a'.repeat(200)],
  [{}, null],
  [{ _service_click: '' }, null],
  [{ _service_click: 'a'.repeat(201) }, null],
  [{ _service_click: '"rmc_a"' }, null],
  [{ _service_click: 'rmc_a b' }, null],
  [{ _service_click: 'rmc%5Fa' }, null],
  [{ _service_click: 'rmc_a=b' }, null],
  [{ _service_click: 'rmc_é' }, null],
  [{ my_service_click: 'rmc_b' }, null],
  [{ _service_click2: 'rmc_b' }, null],
  [{ _Service_Click: 'rmc_b' }, null],
  [{ other: '_service_click=rmc_b' }, null],
];

test('getClick returns a cookie value that has the shape of a click, and null for any other value', async () => {
  const shopper = await newShopper();
  for (const [cookies, click] of jars) {
    await shopper.context.clearCookies();
    const lines = Object.entries(cookies).map(([name, value]) => `document.cookie = ${JSON.stringify(`${name}=${value}; Path=/`)};`);
    await shopper.land(`<script>${lines.join('')}</script>${tag()}`);
    expect(await shopper.getClick(), JSON.stringify(cookies)).toBe(click);
  }
});

test('a foreign cookie of the same name for a deeper path does not hide the click', async () => {
  const shopper = await newShopper();
  await shopper.land('<script>document.cookie = "_service_click=not a click; Path=/page";</script>' + tag(), '?rm_click=rmc_a');
  expect(await shopper.run('document.cookie.split("; ").length')).toBe(2);
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('returns null for an expired click', async () => {
  const shopper = await newShopper();
  await shopper.land(tag('data-rm-max-age-days="1"'), '?rm_click=rmc_a');
  expect(await shopper.getClick()).toBe('rmc_a');
  await shopper.run('document.cookie = "_service_click=rmc_a; Path=/; Max-Age=1"');
  await expect.poll(() => shopper.getClick()).toBe(null);
});

test('getClick returns null in a sandboxed frame, where reading cookies throws', async () => {
  const shopper = await newShopper();
  const inside = shopper.site.page(`${tag()}<script>
    let word = 'cookies are readable';
    try { document.cookie; } catch { word = 'cookies throw'; }
    ServiceCapture.grantConsent();
    parent.postMessage([word, ServiceCapture.getClick()], '*');
  </script>`);
  await shopper.land(`<script>
    received = new Promise((resolve) => addEventListener('message', (event) => resolve(event.data)));
  </script><iframe sandbox="allow-scripts" src="${inside}?rm_click=rmc_a"></iframe>`);
  expect(await shopper.run('received')).toEqual(['cookies throw', null]);
});

test('getClick returns null when cookies are disabled', async () => {
  const shopper = await newShopper();
  const session = await shopper.context.newCDPSession(shopper.page);
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true });
  await shopper.land(tag(), '?rm_click=rmc_a');
  expect(await shopper.run('navigator.cookieEnabled')).toBe(false);
  await shopper.grantConsent();
  expect([await shopper.getClick(), await shopper.stored()]).toEqual([null, undefined]);
});

test('getClick returns null on a page whose element shadows document.cookie', async () => {
  const shopper = await newShopper();
  await shopper.land(`<img name="cookie"><img name="addEventListener">${tag()}`, '?rm_click=rmc_a');
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe(null);
});

test('stores the click on a page whose element shadows document.prerendering', async () => {
  const shopper = await newShopper();
  await shopper.land(`<img name="prerendering">${tag()}`, '?rm_click=rmc_a');
  expect(await shopper.run('typeof document.prerendering')).toBe('object');
  expect(await shopper.getClick()).toBe('rmc_a');
});

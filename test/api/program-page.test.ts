import { afterAll, expect, test } from 'vitest';
import { openMerchant } from '../support/merchant.ts';
import { anonymousClient } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const url = `/p/${merchant.world.program.id}`;
const page = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/page`;

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${merchant.service.url}${path}`, { headers });
const content = { description: '', accent_color: '#0d6475', faq: [], is_listed: false };
const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');

test('a page says the terms and earnings of the program, without a script, and is not listed by default', async () => {
  const response = await get(url);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(text).toContain('Friends of the shop');
  expect(text).toContain('10% of each order');
  expect(text).toContain('A sale counts if the customer buys within 30 days of clicking your link.');
  expect(text).not.toContain('<script');
  expect(text).toContain(`<meta property="og:url" content="${merchant.service.platform.config.baseUrl}${url}"`);
});

test('the earnings example is what the simulator answers for the same order, and follows a change of the terms', async () => {
  const program = page.slice(0, -'/page'.length);
  const { json } = await merchant.api('POST', `${program}/simulate`, { order: { order_subtotal_cents: 250_00 } });
  expect(json.commission_cents).toBe(25_00);
  expect(await (await get(url)).text()).toMatch(/Order of 250\.00 USD<\/th>\s*<td>25\.00 USD/);
  await merchant.moveClock('1h');
  const order_rules = [{ flat_cents: 500, conditions: { min_order_cents: 500_00 } }, { flat_cents: 300 }];
  const terms = { order_rules, subscription_rules: [{ basis_points: 2_000 }], pays: 'order' };
  expect((await merchant.api('POST', `${program}/terms`, terms)).status).toBe(201);
  const next = await (await get(url)).text();
  expect(next).toContain('5.00 USD for each order, for orders of at least 500.00 USD');
  expect(next).toContain('3.00 USD for each other order');
});

test('the language is the one of the browser, or the chosen one, and caches keep them apart', async () => {
  const german = await get(url, { 'accept-language': 'de-AT,de;q=0.9' });
  expect(german.headers.get('vary')).toContain('Accept-Language');
  expect(await german.text()).toMatch(/<html lang="de">[\s\S]*Verdienstbeispiel/);
  expect(await (await get(`${url}?lang=ja`, { 'accept-language': 'de' })).text()).toContain('報酬の例');
  expect(await (await get(`${url}?lang=xx&lang=de`)).text()).toContain('<html lang="en">');
});

test('an unchanged page is answered with 304', async () => {
  const etag = (await get(url)).headers.get('etag') ?? '';
  const again = await get(url, { 'if-none-match': etag });
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=60']);
});

test('a draft, an unknown program, and another text are answered alike', async () => {
  const { world, api } = merchant;
  const draft = await api('POST', `/stores/${world.store.id}/programs`, { name: 'Secret plans', landing_url: world.store.site_url });
  const answers = await Promise.all(
    [draft.json.id, `${world.program.id.slice(0, -6)}000000`, 'x', '..%2f'].map(async (id) => {
      const response = await get(`/p/${id}`);
      return [response.status, await response.text()];
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.[0]).toBe(404);
  expect(answers[0]?.[1]).not.toContain('Secret plans');
});

test('a merchant sets the content of the page; a listed page may be indexed, and the audit log names the change', async () => {
  const before = await merchant.api('GET', page);
  expect(before.json).toMatchObject({ ...content, logo: null });
  expect(before.json.url).toMatch(new RegExp(`${url}$`));
  const faq = [{ question: 'Who can join?', answer: 'Anyone with **boots**.' }];
  const saved = await merchant.api('PUT', page, {
    description: 'We sell [boots](https://boots.example/).',
    accent_color: '#FFEE00',
    faq,
    is_listed: true,
  });
  expect(saved.json).toMatchObject({ accent_color: '#ffee00', faq, is_listed: true });
  const response = await get(url);
  const text = await response.text();
  expect(response.headers.get('x-robots-tag')).toBeNull();
  expect(text).toContain('--accent: #ffee00; --on-accent: #000000');
  expect(text).toContain('<a href="https://boots.example/">boots</a> (boots.example)');
  expect(text).toMatch(/<h3>Who can join\?<\/h3>\s*<p>Anyone with <strong>boots<\/strong>\.<\/p>/);
  expect(text).toContain('content="We sell boots."');
  const log = await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`);
  expect(log.json.data[0]).toMatchObject({ action: 'program.page' });
});

test('text of a merchant is never HTML, and a color is nothing but a color', async () => {
  const attack = '</style><script>alert(1)</script>"><img src=x onerror=alert(1)> [x](javascript:alert(1)) **<b>**';
  const hostile = { ...content, description: attack, faq: [{ question: attack, answer: attack }] };
  expect((await merchant.api('PUT', page, hostile)).status).toBe(200);
  const text = await (await get(url)).text();
  expect(text).not.toMatch(/<script|<img|<b>|href="javascript/);
  for (const color of ['#fff', 'red', '#00000g', '#000000;}body{display:none', '#000000\n', 'url(https://evil.example)']) {
    const refused = await merchant.api('PUT', page, { ...content, accent_color: color });
    expect([color, refused.status]).toEqual([color, 400]);
  }
  expect((await merchant.api('PUT', page, { ...content, faq: Array.from({ length: 21 }, () => hostile.faq[0]) })).status).toBe(400);
  await merchant.api('PUT', page, content);
});

test('a logo is served as the image that its first bytes say, and runs nothing, also with HTML inside', async () => {
  const bytes = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]);
  const saved = await merchant.api('PUT', `${page}/logo`, { image_data: bytes.toString('base64') });
  expect(saved.json.logo).toEqual({ type: 'image/png', image_data: bytes.toString('base64') });
  const [path = ''] = /\/p\/[^"]*\/logo\/[0-9a-f]+/.exec(await (await get(url)).text()) ?? [];
  const response = await get(path, { accept: 'text/html' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=86400',
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect((await get(`${path}0`)).status).toBe(404);
  const log = await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`);
  expect(log.json.data[0]).toMatchObject({ action: 'program.logo', details: { image_data: '(not kept)' } });

  expect((await merchant.api('DELETE', `${page}/logo`)).status).toBe(204);
  expect((await get(path)).status).toBe(404);
});

test('a logo of another type, or a large one, is refused', async () => {
  const refused = async (bytes: Buffer) => (await merchant.api('PUT', `${page}/logo`, { image_data: bytes.toString('base64') })).status;
  expect(await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))).toBe(422);
  expect(await refused(Buffer.from('GIF89a<html>'))).toBe(422);
  expect(await refused(Buffer.concat([png, Buffer.alloc(200_001)]))).toBe(400);
  expect((await merchant.api('PUT', `${page}/logo`, { image_data: 'not base64!' })).status).toBe(400);
});

test('the image of link previews may be cached, and follows the page’s color', async () => {
  const [, image = ''] = /og:image" content="([^"]+)"/.exec(await (await get(url)).text()) ?? [];
  const first = await get(new URL(image).pathname);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
  const again = await get(new URL(image).pathname, { 'if-none-match': first.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  await merchant.api('PUT', page, { ...content, accent_color: '#00ff00' });
  expect((await get(new URL(image).pathname)).headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect((await get(`/p/${merchant.world.program.id.slice(0, -6)}000000/preview.png`)).status).toBe(404);
});

test('only the store’s people with the permission read and change the page', async () => {
  const anonymous = anonymousClient(merchant.service);
  expect((await anonymous('GET', page)).status).toBe(401);
  expect((await anonymous('PUT', page, content)).status).toBe(401);
  const foreign = page.replace(merchant.world.store.id, `${merchant.world.store.id.slice(0, -6)}000000`);
  expect((await merchant.api('GET', foreign)).status).toBe(404);
});

test('a paused program has a page that takes no applications, and an archived store has none', async () => {
  const { world, api } = merchant;
  await api('PUT', page, { ...content, is_listed: true });
  await api('POST', `/stores/${world.store.id}/programs/${world.program.id}/pause`);
  const paused = await get(url);
  expect([paused.status, paused.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
  expect(await paused.text()).toContain('isn’t accepting applications');
  const archived = await api('POST', `/stores/${world.store.id}/archive`);
  expect(archived.status, archived.text).toBe(200);
  expect((await get(url)).status).toBe(404);
});

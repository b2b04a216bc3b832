import { beforeAll, expect, test } from 'vitest';
import { openMerchant, openSharedMerchantAlone, type Merchant } from '../support/merchant.ts';
import { visit } from '../support/link-visitor.ts';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openSharedMerchantAlone();
});
const go = (path: string, coming: Parameters<typeof visit>[2] = {}) => visit(merchant.service.url, path, coming);

const oddCodes = [
  ['unknown', 'nobody-made-this'],
  ['with an encoded slash', 'a%2Fb'],
  ['with a null byte', 'abc%00def'],
  ['of 10 kB', 'a'.repeat(10_000)],
  ['in another alphabet', '%E3%83%AA%E3%83%B3%E3%82%AF'],
  ['of dots', '...'],
  ['that spells a query', "a'%20or%201=1--"],
] as const;
test.each(oddCodes)('answers a code %s with a page for browsers and JSON for programs', async (_what, code) => {
  const page = await go(`/r/${code}`);
  expect(page.status).toBe(404);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  expect(page.text).toContain('This link leads nowhere');
  expect(page.text).not.toContain('<script');
  const json = await go(`/r/${code}`, { headers: { accept: 'application/json' } });
  expect(json.status).toBe(404);
  expect(JSON.parse(json.text)).toMatchObject({ ok: false, reason: 'unknown_link' });
  const head = await go(`/r/${code}`, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([404, '']);
});

test.each(['/r/', '/r', '/r/%', '/r/%ff', '/r/a/b'])('%s is not a link, and gets a status below 500', async (path) => {
  const { status } = await go(path, { headers: { accept: '*/*' } });
  expect([400, 404]).toContain(status);
});

test('rejects other methods with Allow', async () => {
  const refused = await go(`/r/${merchant.world.link.code}`, { method: 'POST', headers: { accept: '*/*' } });
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test('codes that PostgreSQL cannot store do not affect concurrent requests', async () => {
  // One after another: twenty seeds at the same time wait for connections longer than a request may.
  const codes: string[] = [];
  for (let count = 0; count < 20; count += 1) codes.push((await openMerchant(merchant.service)).world.link.code);
  const bad = Array.from({ length: 100 }, (_none, place) => go(`/r/x%00${place}`));
  const fresh = codes.map((code) => go(`/r/${code}`));
  expect(new Set((await Promise.all(fresh)).map(({ status }) => status))).toEqual(new Set([302]));
  expect(new Set((await Promise.all(bad)).map(({ status }) => status))).toEqual(new Set([404]));
});

test('a code works immediately after it is created, even if it was requested before', async () => {
  const { world } = merchant;
  expect((await go('/r/soon-taken')).status).toBe(404);
  const made = await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/links`, {
    creator_id: world.creator.id,
    code: 'soon-taken',
  });
  expect(made.status).toBe(201);
  expect((await go('/r/soon-taken')).status).toBe(302);
});

import { afterAll, expect, test } from 'vitest';
import { codes } from '../../cli/codes.ts';
import { doctor } from '../../cli/doctor.ts';
import { lint } from '../../cli/lint.ts';
import { reconcile } from '../../cli/reconcile.ts';
import { replay } from '../../cli/replay.ts';
import { send } from '../../cli/send.ts';
import { tail } from '../../cli/tail.ts';
import { terms } from '../../cli/terms.ts';
import { verify } from '../../cli/verify.ts';
import { dayMs } from '../../src/core/time.ts';
import { takeUndescribed } from '../support/checked-fetch.ts';
import { openMerchant } from '../support/merchant.ts';
import { answeringServer, recorded, refusal } from '../sdk/answering-server.ts';
import { commandLineOf, startStoreSite } from './run-command.ts';

const merchant = await openMerchant();
const type = commandLineOf(merchant);
const { url } = merchant.service;
const tag = `<script src="${url}/api/pn/sdk/v1.js" defer></script>`;
const site = await startStoreSite({
  '/good': `<html><head>${tag}</head>`,
  '/bare': '<html><head></head>',
  '/keeps': '/good{query}',
  '/drops': '/good',
});
afterAll(async () => {
  site.close();
  await merchant.service.stop();
});
const allow = [site.host];

test('send posts a file byte for byte, prints the response, and reports the result as its exit code', async () => {
  const body = `{ "order_id": "cli 1", "click_id": "${await merchant.click()}", "currency": "USD", "order_subtotal_cents": 50, "occurred_at": "${merchant.at()}" }`;
  const { code, lines } = await type(send, ['conversion', 'order.json'], { files: { 'order.json': body } });
  expect([code, lines]).toEqual([
    0,
    [expect.stringContaining('note  /order_subtotal_cents'), expect.stringMatching(/^good {2}200 recorded/)],
  ]);
  expect((await merchant.logEntryOf('cli 1')).body.toString()).toBe(body);
  const again = await type(send, ['conversion', 'order.json'], { files: { 'order.json': body }, flags: { json: true } });
  expect(again.lines.map((line) => JSON.parse(line))).toMatchObject([{ ok: true, reason: 'duplicate_order' }]);
  const conflict = await type(send, ['conversion', '-'], { files: { '-': body.replace('50', '60') } });
  expect([conflict.code, conflict.lines.at(-1)]).toEqual([1, expect.stringMatching(/^WRONG 409 duplicate_order_conflict/)]);
  expect((await type(send, ['order', 'order.json'])).code).toContain('name the operation');
});

test('replay delivers what send could not deliver: in order, byte for byte, up to the first outage', async () => {
  const server = await answeringServer(refusal(500, 'active_hold'));
  const settings = { TRIBUTARY_URL: server.url };
  const kept = await type(send, ['reversal', '-'], { files: { '-': '{"order_id":"1"}' }, flags: { failed: 'failed.jsonl' }, settings });
  server.close();
  expect([kept.code, kept.files.get('failed.jsonl')]).toEqual([75, '{"operation":"reversal","body":"{\\"order_id\\":\\"1\\"}"}\n']);

  const lines = ['1', '2', '3', '4', '5'].map((id) => `{"operation":"reversal","body":"{\\"order_id\\":\\"${id}\\"}","reason":"kept"}\n`);
  const next = await answeringServer(recorded, refusal(404, 'unknown_order'), refusal(500, 'active_hold'), {
    status: 503,
    json: {},
    headers: { 'retry-after': '3600' },
  });
  const replayed = await type(replay, ['a.jsonl'], { files: { 'a.jsonl': lines.join('') }, settings: { TRIBUTARY_URL: next.url } });
  next.close();
  expect(replayed.code).toBe(75);
  // None of them twice: an hour is too long to wait for here.
  expect(next.received.map(({ body }) => body)).toEqual(['1', '2', '3', '4'].map((id) => `{"order_id":"${id}"}`));
  expect(replayed.lines.at(-2)).toBe('1 accepted, 1 rejected, 3 to send later');
  const left = replayed.files.get('a.left.jsonl')?.matchAll(/order_id\\":\\"(\d)/g) ?? [];
  expect([...left].map(([, id]) => id)).toEqual(['3', '4', '5']);
  expect((await type(replay, ['a.jsonl'], { files: { 'a.jsonl': `${lines[0]}{"half":` } })).code).toContain('line 2');
  // These answers are of a server of this test.
  takeUndescribed();
});

test('verify walks the whole way: it makes a link, opens it, posts the order, and tracking is on', async () => {
  const test_link = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const there = `${site.url}/good?rm_click=${test_link.json.click_id}`;
  const { code, lines } = await type(verify, [], { allow, flags: { 'test-link': there } });
  expect([code, lines]).toMatchObject([
    0,
    expect.arrayContaining([expect.stringMatching(/^good {2}200 test_verified/), expect.stringContaining('the click arrives')]),
  ]);
  // The seed's store has no website: the link is created, the order is verified, and the page is reported as unreachable.
  const made = await type(verify, []);
  expect([made.code, made.lines]).toMatchObject([
    1,
    expect.arrayContaining([expect.stringMatching(/^1\. The test link: https:\/\/shop-/), expect.stringMatching(/test_verified/)]),
  ]);
  expect((await type(verify, [], { flags: { 'test-link': `${site.url}/good?rm_click=rmc_x` } })).code).toContain('not a test link');
});

test('doctor reports whether the tag exists and may load, and which redirect drops the click', async () => {
  expect(await type(doctor, [`${site.url}/keeps`], { allow })).toMatchObject({
    code: 0,
    lines: [
      expect.stringContaining('redirects (302)'),
      expect.stringContaining('the click arrives'),
      expect.stringContaining('in the head, loads defer'),
      expect.stringContaining('<script src='),
    ],
  });
  expect(await type(doctor, [`${site.url}/drops`], { allow })).toMatchObject({
    code: 1,
    lines: expect.arrayContaining([expect.stringMatching(/removes the click: .*\/good has no rm_click/)]),
  });
  expect(await type(doctor, [`${site.url}/bare`], { allow })).toMatchObject({
    code: 1,
    lines: expect.arrayContaining([expect.stringContaining('The page has no <script')]),
  });
  expect(await type(doctor, [`${site.url}/good`])).toMatchObject({ code: 1, lines: [expect.stringContaining('OUTGOING_ALLOW')] });
  expect((await type(doctor, ['shop'])).code).toContain('name a page');
});

test('lint judges without sending, and shows the corrected body', async () => {
  const wrong = '{"order_id":1,"click_id":"","currency":"usd","order_subtotal_cents":"$10.05","occurred_at":"2026-03-01T12:00:00Z"}';
  const { code, lines } = await type(lint, ['-'], { files: { '-': wrong } });
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/WRONG 400 invalid_payload \/order_id.*"order_subtotal_cents": 1005.*STILL WRONG \/click_id/s);
  expect((await type(lint, ['-'], { files: { '-': '{"order_id":"1"}' } })).lines).toEqual(['good  reversal']);
});

test('tail prints each postback with its reason when it is answered', async () => {
  const shown = type(tail, [], { flags: { count: '2' } });
  for (let sent = 0, isDone = false; !isDone && sent < 100; sent += 1) {
    await merchant.reverse({ order_id: `tail ${sent}` });
    isDone = await Promise.race([shown.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 100))]);
  }
  const { code, lines } = await shown;
  expect([code, lines.length]).toEqual([0, 2]);
  expect(lines[0]).toMatch(/^WRONG \S+Z 404 reversal unknown_order tail \d+ \(.* ms\)\n {6}\S/);
});

test('reconcile finds missing, rejected, different and unrefunded orders, and writes the missing ones for replay', async () => {
  const at = merchant.at();
  const row = async (id: string, { total = '100.05', refunded = '', click = '' } = {}) =>
    `${id},${click || (await merchant.click())},${total},USD,${at},${refunded}`;
  const used = await merchant.click();
  const post = (order_id: string, fields: object = {}) => merchant.order({ order_id, ...fields }).then((order) => merchant.convert(order));
  await post('r-matched');
  await post('r-first', { click_id: used });
  await post('r-refused', { click_id: used });
  await post('r-mended', { currency: 'EUR' });
  await post('r-misspelled', { currency: 7 });
  await post('r-mended');
  await post('r-differs', { order_subtotal_cents: 99 });
  await post('r-unrefunded');
  await post('r-refunded');
  await merchant.reverse({ order_id: 'r-refunded' });
  const table = [
    'order_id,click_id,total,currency,occurred_at,refunded_at',
    await row('r-matched'),
    await row('r-refused'),
    await row('r-mended'),
    await row('r-differs'),
    await row('r-unrefunded', { refunded: at }),
    await row('r-refunded', { refunded: at }),
    await row('"r-missing, ""the third"""'),
    await row('r-misspelled'),
    `r-nobody,,5,USD,${at},`,
  ].join('\r\n');
  const { code, lines, files } = await type(reconcile, ['orders.csv'], { files: { 'orders.csv': `\uFEFF${table}\r\n` } });
  expect(code).toBe(1);
  expect(lines.slice(0, 5)).toEqual([
    expect.stringMatching(/^refused: r-refused \(referral_click_already_converted: .*already used for another order/),
    'amount differs: r-differs (10005 cents in your file, 99 recorded)',
    'refund missing: r-unrefunded',
    'never posted: r-missing, "the third"',
    'never posted: r-misspelled',
  ]);
  expect(lines).toEqual(expect.arrayContaining(['3 matched', '1 no click']));
  const replayed = await type(replay, ['m.jsonl'], { files: { 'm.jsonl': files.get('orders.missing.jsonl') ?? '' } });
  expect([replayed.code, replayed.lines.at(-1)]).toEqual([0, '3 accepted, 0 rejected, 0 to send later']);
  const again = await type(reconcile, ['orders.csv'], { files: { 'orders.csv': table } });
  expect(again.lines).toEqual(expect.arrayContaining(['6 matched', '1 no click', '1 refused', '1 amount differs']));
  expect(again.files.has('orders.missing.jsonl')).toBe(false);
});

test('reconcile finds orders with a discount code and no click, and counts reported orders without a creator as such', async () => {
  const at = merchant.at();
  await merchant.convert(await merchant.order({ order_id: 'r-plain', click_id: null, discount_codes: [] }));
  const table = [
    'order_id,click_id,discount_codes,customer_id,total,occurred_at',
    `r-plain,,,,5,${at}`,
    `r-code,,ADA 10 | SPRING,cus_1,5,${at}`,
    `r-returning,,,cus_2,5,${at}`,
  ].join('\n');
  const { lines, files } = await type(reconcile, ['o.csv'], { files: { 'o.csv': table } });
  expect(lines.slice(0, 4)).toEqual(['never posted: r-code', 'never posted: r-returning', '1 no click', '2 never posted']);
  const bodies = (files.get('o.missing.jsonl') ?? '').trim().split('\n');
  expect(bodies.map((line) => JSON.parse(JSON.parse(line).body))).toMatchObject([
    { order_id: 'r-code', discount_codes: ['ADA 10', 'SPRING'], customer_id: 'cus_1' },
    { order_id: 'r-returning', discount_codes: [], customer_id: 'cus_2' },
  ]);
});

test('reconcile compares the largest amount of an order to the cent', async () => {
  const [exact, wrong] = [await merchant.order({ order_id: 'r-largest' }), await merchant.order({ order_id: 'r-largest-differs' })];
  await merchant.convert({ ...exact, order_subtotal_cents: 9_007_199_254_740_991 });
  await merchant.convert({ ...wrong, order_subtotal_cents: 9_007_199_254_740_990 });
  const row = (order: object) =>
    `${Reflect.get(order, 'order_id')},${Reflect.get(order, 'click_id')},9007199254740991,USD,${merchant.at()}`;
  const table = ['order_id,click_id,total_cents,currency,occurred_at', row(exact), row(wrong)].join('\n');
  const { lines } = await type(reconcile, ['o.csv'], { files: { 'o.csv': table } });
  expect(lines).toEqual([
    'amount differs: r-largest-differs (9007199254740991 cents in your file, 9007199254740990 recorded)',
    '1 matched',
    '1 amount differs',
  ]);
  // A larger amount is refused, not rounded.
  const beyond = table.replaceAll('9007199254740991', '9007199254740993');
  expect((await type(reconcile, ['o.csv'], { files: { 'o.csv': beyond } })).code).toContain(
    'line 2: total (such as 10.05) or total_cents is missing',
  );
});

test.each([
  [
    'a total that is none',
    'order_id,total,occurred_at\n1,"10,05",2026-03-01T12:00:00Z',
    'line 2: total (such as 10.05) or total_cents is missing',
  ],
  ['a time that is none', 'order_id,total,occurred_at\n1,10.05,yesterday', 'line 2: occurred_at must be a time'],
  ['a row that is too short', 'order_id,total,occurred_at\n1,10.05', 'line 2 has 2 columns, but the header has 3'],
  ['a quote that never ends', 'order_id,total,occurred_at\n"1,10.05', 'is not closed'],
])('reconcile names the line of %s', async (_what, table, message) => {
  expect((await type(reconcile, ['o.csv'], { files: { 'o.csv': table } })).code).toContain(message);
});

test('codes lists, creates, pauses, resumes, and ends discount codes by the name that customers type', async () => {
  expect((await type(codes, ['list'])).lines).toEqual(['no discount codes yet']);
  const flags = { program: merchant.world.program.id, creator: merchant.world.creator.id };
  const made = await type(codes, ['create', 'Spring 10%'], {
    flags: { ...flags, 'valid-until': '2999-01-01T00:00:00Z', 'per-customer': '1' },
  });
  expect([made.code, made.lines]).toEqual([0, [expect.stringMatching(/^Spring 10% {2}active, until 2999-.* 0 orders$/)]]);
  expect((await type(codes, ['create', 'EVERYONE'], { flags: { ...flags, shared: true } })).lines[0]).toContain('active, shared');
  expect((await type(codes, ['create', 'spring 10%'], { flags })).code).toContain('HTTP 409');
  expect((await type(codes, ['pause', 'SPRING 10%'])).lines[0]).toContain('Spring 10%  paused');
  expect((await type(codes, ['resume', 'spring 10%'])).lines[0]).toContain('active');
  expect((await type(codes, ['end', 'spring 10%'])).lines[0]).toContain('ended');
  expect((await type(codes, ['pause', 'spring 10%'])).code).toContain('HTTP 409');
  const listed = await type(codes, ['list'], { flags: { json: true } });
  expect(listed.lines.map((line) => JSON.parse(line).code)).toEqual(['EVERYONE', 'Spring 10%']);
});

test('codes names what is missing', async () => {
  expect((await type(codes, ['pause', 'SPRING'])).code).toBe('the store has no discount code SPRING');
  expect((await type(codes, ['create', 'X'])).code).toContain('name the owner');
  expect((await type(codes, ['delete', 'X'])).code).toContain('codes list');
  expect((await type(codes, [])).code).toContain('codes list');
  const flags = { program: 'prog_x', creator: 'crt_x', 'per-customer': 'many' };
  expect((await type(codes, ['create', 'X'], { flags })).code).toContain('--per-customer');
});

test('terms exports a version, compares a file with what it would replace, and creates a version from it once', async () => {
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  const group = (await merchant.api('POST', `${program}/groups`, { name: 'Stars' })).json.id;
  const own_rates = [{ group_id: group, order_rules: [{ basis_points: 1_500 }] }];
  await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], own_rates });
  const flags = { program: merchant.world.program.id };
  const exported = await type(terms, ['export'], { flags: { ...flags, out: 'terms.json' } });
  expect([exported.code, exported.lines]).toEqual([0, ['Wrote terms.json']]);
  const file = JSON.parse(exported.files.get('terms.json') ?? '');
  expect(file).toMatchObject({ format: 'tributary.terms/1', own_rates: [{ group_id: group, order_rules: [{ basis_points: 1_500 }] }] });
  const without = JSON.parse((await type(terms, ['export'], { flags: { ...flags, 'without-own-rates': true } })).lines.join('\n'));
  expect(without).toEqual(Object.fromEntries(Object.entries(file).filter(([name]) => name !== 'own_rates')));

  const files = {
    'same.json': JSON.stringify(file),
    'lower.json': JSON.stringify({ ...file, order_rules: [{ basis_points: 800 }] }),
    'without.json': JSON.stringify(without),
  };
  const versions = async (): Promise<number> => (await merchant.api('GET', `${program}/terms`)).json.data.length;
  const before = await versions();
  const changes = ['worse    Commission of one-time orders: 8%, before: 10%.'];
  const compared = `Version ${before + 1}, compared with version ${before}: worse for creators`;
  expect((await type(terms, ['diff', 'lower.json'], { files, flags })).lines).toEqual([compared, ...changes]);
  expect((await type(terms, ['import', 'same.json'], { files, flags })).lines).toEqual([
    `Version ${before + 1}, compared with version ${before}: nothing changed`,
  ]);
  expect((await type(terms, ['diff', '-'], { files: { '-': files['without.json'] }, flags })).lines.join()).toContain('Rate for one group');
  expect(await versions()).toBe(before);
  const created = await type(terms, ['import', 'lower.json'], { files, flags });
  expect([created.code, created.lines]).toEqual([
    0,
    [compared, ...changes, expect.stringMatching(`^Created version ${before + 1}, effective from 20`)],
  ]);
  expect((await type(terms, ['diff'], { flags })).lines).toEqual([compared, ...changes]);
  const back = await type(terms, ['diff'], { flags: { ...flags, from: String(before + 1), version: String(before), json: true } });
  expect(back.lines.map((line) => JSON.parse(line))).toMatchObject([{ effect: 'better', changes: [{ field: 'order_rule' }] }]);
  const from = merchant.at(30 * dayMs);
  const scheduled = { ...flags, 'effective-from': from, json: true };
  const later = await type(terms, ['import', 'same.json'], { files, flags: scheduled });
  expect(JSON.parse(later.lines[0] ?? '')).toMatchObject({
    created: true,
    version: before + 2,
    effective_from: from,
  });
  const again = await type(terms, ['import', 'same.json'], { files, flags: scheduled });
  expect(JSON.parse(again.lines[0] ?? '')).toMatchObject({ created: false, changes: [] });
});

test('terms names what is missing', async () => {
  const flags = { program: merchant.world.program.id };
  expect((await type(terms, ['export'])).code).toBe('name the program: --program prog_…');
  expect((await type(terms, ['import'], { flags })).code).toContain('terms export');
  expect((await type(terms, [], { flags })).code).toContain('terms export');
  expect((await type(terms, ['export'], { flags: { ...flags, version: 'last' } })).code).toContain('--version');
  expect((await type(terms, ['diff', '-'], { flags, files: { '-': '[]' } })).code).toContain('not a JSON object');
  expect((await type(terms, ['import', '-'], { flags, files: { '-': '{ "order_rules": [{}] }' } })).code).toContain('HTTP 422');
  expect((await type(terms, ['export'], { flags: { program: 'prog_x' } })).code).toContain('HTTP 404');
});

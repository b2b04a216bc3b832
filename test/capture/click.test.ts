import { expect, test } from 'vitest';
import { clickIdAt } from './click-id.ts';
import { openForBusiness, tag } from './shopper.ts';

const newShopper = openForBusiness();

const longest = 'a'.repeat(200);

const taken: readonly (readonly [search: string, click: string])[] = [
  ['?rm_click=rmc_a', 'rmc_a'],
  ['?utm_source=x&rm_click=rmc_a&utm_medium=y', 'rmc_a'],
  ['?rm_click=rmc_a&rm_click=rmc_b', 'rmc_a'],
  ['?rm_click=rmc_a#rm_click=rmc_b', 'rmc_a'],
  ['?RM_CLICK=rmc_b&xrm_click=rmc_c&rm_click=rmc_a', 'rmc_a'],
  ['?rm_click=.~-_09AZaz', '.~-_09AZaz'],
  ['?rm_click=null', 'null'],
  [`?rm_click=${longest}`, longest],
  ['?rm_click=rmc%5Fa', 'rmc_a'],
  ['?rm%5Fclick=rmc_a', 'rmc_a'],
];

test('reads the click from the first rm_click in the query, decoded like any query parameter', async () => {
  const shopper = await newShopper();
  for (const [search, click] of taken) {
    await shopper.context.clearCookies();
    await shopper.land(tag(), search);
    expect([await shopper.getClick(), await shopper.stored()], search).toEqual([click, click]);
  }
});

const refused: readonly string[] = [
  '',
  '?',
  '?rm_click',
  '?rm_click=',
  '?rm_click=&rm_click=rmc_b',
  '?rm_click=a%20b&rm_click=rmc_b',
  '?rm_Click=rmc_b',
  '?rm_click[]=rmc_b',
  '#rm_click=rmc_b',
  '#?rm_click=rmc_b',
  `?rm_click=${longest}a`,
  '?rm_click=x;%20Max-Age=0',
  '?rm_click=x;+Domain=127.0.0.1;+Max-Age=0',
  '?rm_click=%3B%20Max-Age%3D0',
  '?rm_click=rmc_b%0A',
  '?rm_click=rmc_b%0D%0ASet-Cookie:%20a=b',
  '?rm_click=rmc_b%00',
  '?rm_click=rmc_b+',
  '?rm_click=%20rmc_b',
  '?rm_click=a,b',
  '?rm_click=a=b',
  '?rm_click="a"',
  '?rm_click=a/b',
  '?rm_click=a%25b',
  '?rm_click=%E0%A4%A',
  '?rm_click=rmc_é',
  '?rm_click=rmc_%C3%A9',
  '?rm_click=rmc_%EF%BC%A1',
  '?rm_click=%C5%BFhoes',
  '?rm_click=<script>',
];

test('ignores a value of another format, and keeps the stored click', async () => {
  const shopper = await newShopper();
  await shopper.store('rmc_old');
  await shopper.watch();
  for (const search of refused) {
    await shopper.land(tag(), search);
    expect([await shopper.getClick(), (await shopper.watched()).writes], search).toEqual(['rmc_old', []]);
  }
  expect(await shopper.context.cookies()).toHaveLength(1);
});

test('changes neither the URL nor the history', async () => {
  const shopper = await newShopper();
  const length = '<script>lengthBefore = history.length; history.replaceState("mine", "");</script>';
  const url = await shopper.land(length + tag(), '?a=1&rm_click=rmc_a&b=%2F#top');
  expect(await shopper.run('[location.href, history.length - lengthBefore, history.state]')).toEqual([url, 0, 'mine']);
});

test('ignores a click in the URL of a later route of the same document, before and after consent', async () => {
  const shopper = await newShopper();
  const route = 'history.pushState(null, "", "?rm_click=rmc_b"); dispatchEvent(new PopStateEvent("popstate"));';
  await shopper.land(tag('data-rm-consent-mode="explicit"'), '?rm_click=rmc_a');
  await shopper.run(route);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');
  await shopper.run(`${route} location.hash = "rm_click=rmc_b";`);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe('rmc_a');

  await shopper.context.clearCookies();
  await shopper.land(tag());
  await shopper.run(route);
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe(null);
});

test('the last click wins, regardless of the times of both', async () => {
  const shopper = await newShopper();
  const visits = [];
  for (const click of [clickIdAt(2), clickIdAt(1), 'rmv_test', 'anything', clickIdAt(1)]) {
    await shopper.land(tag(), `?rm_click=${click}`);
    visits.push([await shopper.getClick(), click]);
  }
  for (const [kept, clicked] of visits) expect(kept).toBe(clicked);
});

type Return = { readonly why: string; readonly stored?: string; readonly address: string; readonly kept: 'stored' | 'address' };

// These times make every step of the base64url alphabet (A–Z, a–z, 0–9, -, _) compare against ASCII order.
const hour = 3_600_000;
const returns: readonly Return[] = [
  { why: 'nothing is stored', address: clickIdAt(0), kept: 'address' },
  { why: 'nothing is stored, and the ID shows no time', address: 'anything', kept: 'address' },
  { why: 'the page is of a later click', stored: clickIdAt(0), address: clickIdAt(hour), kept: 'address' },
  { why: 'the page is of an earlier click', stored: clickIdAt(hour), address: clickIdAt(0), kept: 'stored' },
  ...[25, 51, 61, 62].flatMap((last): Return[] => [
    { why: `later by a millisecond, at ${last}`, stored: clickIdAt(last), address: clickIdAt(last + 1), kept: 'address' },
    { why: `earlier by a millisecond, at ${last}`, stored: clickIdAt(last + 1), address: clickIdAt(last), kept: 'stored' },
  ]),
  { why: 'both are of the same moment', stored: `${clickIdAt(0)}x`, address: clickIdAt(0), kept: 'stored' },
  { why: 'the test click is the later one', stored: clickIdAt(0), address: clickIdAt(1, 'rmv_'), kept: 'address' },
  { why: 'the test click is the earlier one', stored: clickIdAt(1), address: clickIdAt(0, 'rmv_'), kept: 'stored' },
  { why: 'the stored one shows no time', stored: 'anything', address: clickIdAt(0), kept: 'stored' },
  { why: 'the stored one is too short for a time', stored: 'rmc_AAAAAAA', address: clickIdAt(0), kept: 'stored' },
  { why: 'the stored one holds what is no base64url', stored: 'rmc_AAAA.AAAAA', address: clickIdAt(0), kept: 'stored' },
  { why: "the page's shows no time", stored: clickIdAt(0), address: '~~~', kept: 'stored' },
  { why: "the page's has another beginning", stored: clickIdAt(0), address: clickIdAt(1, 'rmx_'), kept: 'stored' },
  { why: 'neither shows a time', stored: 'one', address: 'two', kept: 'stored' },
];

// The comparison does not depend on the kind of navigation, so the second kind covers only the first rows.
for (const [way, rows] of [
  ['reload', returns],
  ['step back', returns.slice(0, 4)],
] as const) {
  test(`after a ${way} a stored click is replaced only by one that is known to be later`, async () => {
    const shopper = await newShopper();
    for (const { why, stored, address, kept } of rows) {
      await shopper.land(tag(), `?rm_click=${address}`);
      if (way === 'step back') await shopper.land('');
      await shopper.context.clearCookies();
      if (stored !== undefined) await shopper.store(stored);
      await (way === 'reload' ? shopper.page.reload() : shopper.page.goBack());
      expect(await shopper.getClick(), why).toBe(kept === 'stored' ? stored : address);
    }
  });
}

test('a browser without navigation entries falls back to the older numeric codes for reload and back', async () => {
  const shopper = await newShopper();
  const old = '<script>performance.getEntriesByType = () => [];</script>';
  await shopper.land(old + tag(), `?rm_click=${clickIdAt(0)}`);
  await shopper.store(clickIdAt(1));
  await shopper.page.reload();
  expect(await shopper.getClick()).toBe(clickIdAt(1));
  await shopper.land(old + tag(), `?rm_click=${clickIdAt(0)}`);
  expect(await shopper.getClick()).toBe(clickIdAt(0));
  await shopper.store(clickIdAt(1));
  await shopper.land('');
  await shopper.page.goBack();
  expect(await shopper.getClick()).toBe(clickIdAt(1));
});

test('the last click wins when the kind of navigation is unknown', async () => {
  const shopper = await newShopper();
  await shopper.land(`<script>Object.defineProperty(window, 'performance', { value: undefined });</script>${tag()}`, '?rm_click=rmc_a');
  await shopper.store('rmc_b');
  await shopper.page.reload();
  expect(await shopper.getClick()).toBe('rmc_a');
});

test('a reload by a consent manager keeps the new click, whether the page or the shopper granted consent', async () => {
  const shopper = await newShopper();
  const asking = tag('data-rm-consent-mode="explicit"');
  await shopper.store(clickIdAt(0));
  await shopper.land(asking, `?rm_click=${clickIdAt(1)}`);
  await shopper.page.reload();
  await shopper.grantConsent();
  expect(await shopper.getClick()).toBe(clickIdAt(1));
});

test('neither a page without the parameter nor a reload extends the life of the cookie', async () => {
  const shopper = await newShopper();
  await shopper.watch();
  await shopper.land(tag(), `?rm_click=${clickIdAt(0)}`);
  await shopper.page.reload();
  expect((await shopper.watched()).writes).toEqual([]);
  await shopper.land(tag());
  await shopper.getClick();
  await shopper.grantConsent();
  expect((await shopper.watched()).writes).toEqual([]);
  expect(await shopper.stored()).toBe(clickIdAt(0));
});

import { afterEach, expect, test } from 'vitest';
import { openPageInspector, pageLimits, type PageInspector } from './page-inspector.ts';
import type { ThreadPoolLimits } from '../processes/thread-pool.ts';

const baseUrl = 'https://partners.example';
const src = `${baseUrl}/api/pn/sdk/v1.js`;
const opened: PageInspector[] = [];
afterEach(async () => {
  for (const inspector of opened.splice(0)) await inspector.close();
});

function open(limits: Partial<ThreadPoolLimits> = {}): PageInspector {
  const inspector = openPageInspector({ ...pageLimits, timeoutMs: 60_000, ...limits });
  opened.push(inspector);
  return inspector;
}

const pageOf = (html: string) => ({
  page: {
    url: 'https://shop.example/',
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(html),
    isCut: false,
  },
  baseUrl,
});
const tag = `<script src="${src}" defer></script>`;

test('finds the tag of an ordinary page, and replaces what the database could not store', async () => {
  const { inspect } = open();
  expect(await inspect(pageOf(`<head>${tag}</head>`))).toMatchObject({ is: 'inspected', inspection: { isWorking: true, findings: [] } });
  const found = await inspect(pageOf(`<head><script src="${src}" defer data-x="a\0b"></script></head>`));
  expect(found).toMatchObject({ inspection: { tag: { attributes: { 'data-x': 'a\ufffdb' } } } });
});

const large = 1_900_000;

test.each([
  ['a base of 1.9 MB and 200 scripts', `<base href="https://x.example/${'a'.repeat(large)}">${'<script src=a></script>'.repeat(200)}`],
  ['a base of 1.9 MB and 700 scripts', `<base href="https://x.example/${'a'.repeat(large)}">${'<script src=a></script>'.repeat(700)}`],
  ['nothing but scripts', `<base href="https://x.example/${'a'.repeat(2_000)}/">${'<script src=a></script>'.repeat(80_000)}`],
  ['a script of a hundred thousand attributes', `<script ${Array.from({ length: 100_000 }, (_, n) => `a${n}=b`).join(' ')} src=a>`],
  ['an attribute of 1.9 MB', `<script src=a data-x="${'&amp;'.repeat(large / 5)}"></script>`],
  ['beginnings of tags', '<a'.repeat(large / 2)],
  ['ends of heads', '</head'.repeat(large / 6)],
  ['comments that never end', '<!--'.repeat(large / 4)],
  ['NULs', '\0'.repeat(large)],
  ['white space', `<script${' '.repeat(large)}src=a>`],
  ['policies', `<meta http-equiv=content-security-policy content="script-src ${'a.b '.repeat(4_000)}">`.repeat(110)],
])('inspects %s within its limits and says that the tag is missing', async (_what, html) => {
  const startedAt = performance.now();
  const found = await open().inspect(pageOf(html.slice(0, 2_000_000)));
  expect(found).toMatchObject({ is: 'inspected', inspection: { tag: null, isWorking: false } });
  expect(JSON.stringify(found).length).toBeLessThan(20_000);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('limits the size of its result for every page', async () => {
  const long = 'x'.repeat(2_000);
  const attributes = Array.from({ length: 1_000 }, (_, n) => `data-${n}="${long}"`).join(' ');
  const found = await open().inspect(pageOf(`<head><script src="${src}" type="${long}" ${attributes}></script>`));
  if (found.is !== 'inspected') throw new Error(found.message);
  const { tag: shown, findings } = found.inspection;
  expect(Object.keys(shown?.attributes ?? {})).toHaveLength(40);
  for (const { message } of findings) expect(message.length).toBeLessThan(500);
});

test('terminates a thread that takes too long, and says what the merchant can do', async () => {
  const inspector = open({ timeoutMs: 1 });
  const found = await inspector.inspect(pageOf(tag));
  expect(found).toEqual({ is: 'stopped', message: expect.stringContaining('could not be inspected within 0.001 seconds') });
});

test('limits running and waiting inspections, and rejects the next one', async () => {
  const inspector = open({ atOnce: 1, waitingMax: 1 });
  const ends = await Promise.all([1, 2, 3].map(() => inspector.inspect(pageOf(tag))));
  expect(ends.map(({ is }) => is)).toEqual(['inspected', 'inspected', 'stopped']);
  expect(ends[2]).toMatchObject({ message: expect.stringContaining('Too many pages') });
});

test('ends running and waiting inspections immediately when the service closes', async () => {
  const inspector = open({ atOnce: 1, waitingMax: 5 });
  const ends = Promise.all([1, 2, 3].map(() => inspector.inspect(pageOf('<a'.repeat(900_000)))));
  await inspector.close();
  expect((await ends).map(({ is }) => is)).toEqual(['stopped', 'stopped', 'stopped']);
  expect(await inspector.inspect(pageOf(tag))).toMatchObject({ is: 'stopped', message: expect.stringContaining('restarted') });
});

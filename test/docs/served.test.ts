import { globSync } from 'node:fs';
import axe from 'axe-core';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { registerDocs } from '../../src/http/api-docs.ts';
import { guidePage, readGuides } from '../../src/http/guide-pages.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { describedApi } from '../support/described-routes.ts';
import { isFull } from '../support/size.ts';

const app = Fastify();
registerDocs(app, describedApi);
const guides = readGuides();
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
const browser = await sharedBrowser();
afterAll(async () => {
  await closePages(browser);
  await app.close();
});

test('every page of docs/ is a guide in the list of guides and on the API page', async () => {
  expect(
    guides
      .map(({ file }) => file)
      .filter((file) => file.startsWith('docs/'))
      .sort(),
  ).toEqual(globSync('docs/*.md').sort());
  for (const at of ['/docs', '/docs/guides']) {
    const { body } = await app.inject(at);
    for (const { path } of guides.slice(1)) expect(body).toContain(`href="${path}"`);
  }
});

/** `npm test` checks the width at which contents overflow first. */
const looks = isFull ? [['dark', 360] as const, ['light', 1440] as const] : [['dark', 360] as const];

test.each(
  guides.flatMap(({ path }) => looks.map(([scheme, width]) => [path, scheme, width])) as ReadonlyArray<
    readonly [string, 'light' | 'dark', number]
  >,
)('%s in %s at %i pixels has no accessibility violation and no horizontal scrolling', async (path, colorScheme, width) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  await page.goto(origin + path);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.addScriptTag({ content: axe.source });
  const query = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
  const violations = await page.evaluate<axe.Result[]>(query);
  expect(violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`)).toEqual([]);
  await page.close();
});

test('every link within the guides leads to an existing heading', async () => {
  const pages = new Map(await Promise.all(guides.map(async ({ path }) => [path, (await app.inject(path)).body] as const)));
  const lost = [...pages].flatMap(([path, body]) =>
    [...body.matchAll(/href="(\/docs\/[^"#]*|\/docs)?(?:#([^"]+))?"/g)].flatMap(([, to = path, id]) => {
      if (to === '/docs') return [];
      const target = pages.get(to);
      return target !== undefined && (id === undefined || target.includes(`id="${id}"`)) ? [] : [`${path}: ${to}#${id ?? ''}`];
    }),
  );
  expect(lost).toEqual([]);
});

test('a page has its sections beside it, runs no script, wears its own style, and is kept only until it changes', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${origin}/docs/wire`);
  expect(await page.evaluate('getComputedStyle(document.querySelector("nav")).position')).toBe('sticky');
  expect(said.filter((text) => /policy/i.test(text))).toEqual([]);
  await page.click('nav a:text-is("Request checks")');
  expect(await page.evaluate('location.hash')).toBe('#request-checks');
  await page.close();
  const first = await app.inject('/docs/wire');
  expect(first.headers['content-security-policy']).toMatch(/^default-src 'none'; img-src 'self'; style-src 'sha256-/);
  const again = await app.inject({ url: '/docs/wire', headers: { 'if-none-match': String(first.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('HTML in a guide is shown as text and never executed', () => {
  const text = '# Title\n\nBefore <b onclick="x()">bold</b>.\n\n<script>alert(1)</script>\n\n| a |\n| --- |\n| <i>b</i> |\n';
  const { html } = guidePage({ file: 'docs/x.md', path: '/docs/x', title: 'Title', text }, []);
  expect(html).not.toMatch(/<script|<b |<i>/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('a part of a guide can be folded, and its summary is text only', () => {
  const render = (text: string) => guidePage({ file: 'docs/x.md', path: '/docs/x', title: 'Title', text }, []).html;
  const folded = '<details>\n<summary>All rows</summary>\n\n| a |\n| --- |\n| b |\n\n</details>\n';
  expect(render(`# Title\n\n${folded}`)).toMatch(
    /<details><summary>All rows<\/summary>\s*<div class="wide"[^]*<\/table>\s*<\/div>\s*<\/details>/,
  );
  for (const hostile of [folded.replace('<details>', '<details ontoggle="x()">'), folded.replace('All rows', '<img src=x onerror=x()>')])
    expect(render(`# Title\n\n${hostile}`)).not.toMatch(/<details |<img /);
});

test('the chart of the proof is served as an image that the page may load', async () => {
  const page = await app.inject('/docs/proof');
  expect(page.body).toContain('<img src="/docs/proof.svg" alt="Ratios of the benchmark');
  expect(page.headers['content-security-policy']).toContain("img-src 'self'");
  const image = await app.inject('/docs/proof.svg');
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect(image.body).toMatch(/<title id="title">.+<\/title>\n<desc id="desc">.+<\/desc>/);
});

test('comments in a guide are not rendered', () => {
  const text = '# Title\n\n<!-- made by a command -->\n\nAfter.\n\n<!-- one --> <b>bold</b>\n';
  const { html } = guidePage({ file: 'docs/x.md', path: '/docs/x', title: 'Title', text }, []);
  expect(html).not.toContain('made by a command');
  expect(html).toContain('After.');
  expect(html).toContain('&lt;b&gt;');
  const shown = guides.filter((guide) =>
    guidePage(guide, guides)
      .html.replace(/<pre.*?<\/pre>|<code>.*?<\/code>/gs, '')
      .includes('&lt;!--'),
  );
  expect(shown.map(({ file }) => file)).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import { lexer, walkTokens } from 'marked';
import { afterAll, expect, test } from 'vitest';
import { headingId, servedUrl, fileOf, readGuides } from '../../src/http/guide-pages.ts';
import { startTestService } from '../support/service.ts';
import { pathsOfRoutes } from '../support/web-routes.ts';
import { allPages } from './blocks.ts';

const pages = allPages();
/** Replaces the placeholder of an ID in a path. */
const plain = (path: string): string => path.replace(/\{\w+\}|<[\w ]+>|:\w+|\$\w+|(?<=\/)[a-z]+_…/g, '*');

function headingsOf(file: string): readonly string[] {
  const ids: string[] = [];
  void walkTokens(lexer(readFileSync(file, 'utf8')), (token) => {
    if (token.type === 'heading') ids.push(headingId(String(token['text']).replaceAll('`', '')));
  });
  return ids.map((id, place) => {
    const before = ids.slice(0, place).filter((earlier) => earlier === id).length;
    return before === 0 ? id : `${id}-${before}`;
  });
}

/** The targets of all links; text in code blocks is not a link. */
function linksOf(text: string): readonly string[] {
  const found: string[] = [];
  void walkTokens(lexer(text), (token) => {
    if (token.type === 'link') found.push(String(token['href']));
  });
  return found;
}

/** The service and the demo shop that `npm run demo` starts (test/demo/start.test.ts). */
const demo = ['http://localhost:3100', 'http://localhost:3200'];

/** The error of a link, or null if it resolves. External sites are not requested. */
async function brokenLink(page: string, href: string): Promise<string | null> {
  const own = /^http:\/\/localhost:3000(\/.*)?$/.exec(href);
  if (own) return brokenAddress(own[1] ?? '/');
  if (demo.includes(href)) return null;
  if (/^https:\/\/[\w.-]+(\/\S*)?$/.test(href)) return null;
  if (href.startsWith('/')) return `${href} leads nowhere but in the service`;
  const file = fileOf(page, href) ?? page;
  if (/^[a-z]+:/i.test(href)) return `${href} is no address that a page should have`;
  if (!existsSync(file)) return `there is no ${file}`;
  const [, id] = href.split('#');
  return id === undefined || headingsOf(file).includes(id) ? null : `${file} has no heading "${id}"`;
}

async function brokenAddress(path: string): Promise<string | null> {
  if (routes.has(plain(path)) || pathsOfRoutes().includes(path)) return null;
  const [own = ''] = path.split('#');
  return (await fetch(service.url + own)).status === 404 ? `the service has nothing at ${path}` : null;
}

const service = await startTestService();
afterAll(() => service.stop());
const document: { readonly paths: Readonly<Record<string, object>> } = JSON.parse(
  await (await fetch(`${service.url}/openapi.json`)).text(),
);
const routes = new Set(
  Object.entries(document.paths).flatMap(([path, methods]) => [
    plain(path),
    ...Object.keys(methods).map((method) => `${method.toUpperCase()} ${plain(path)}`),
  ]),
);

test.each(pages)('every link of %s leads somewhere', async (page) => {
  const errors = await Promise.all(linksOf(readFileSync(page, 'utf8')).map((href) => brokenLink(page, href)));
  expect(errors.filter((problem) => problem !== null)).toEqual([]);
});

test('a link that leads nowhere is seen, of each kind', async () => {
  const bad = ['gone.md', 'wire.md#gone', '#gone', 'http://localhost:3000/docs/gone', '/docs/wire', 'ftp://a.example/b'];
  for (const href of bad) expect([href, await brokenLink('docs/README.md', href)]).toEqual([href, expect.any(String)]);
});

const ownAddress = /`((?:[A-Z]+ )?\/(?:api\/v1|docs|openapi\.json|healthz|readyz|operator|metrics)[^`\s]*)`/g;

test('every address of the service that a page names is one of its addresses', async () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(ownAddress)].map(([, address = '']) => ({ page, address })),
  );
  expect(named.length).toBeGreaterThan(15);
  const unknown = await Promise.all(
    named.map(async ({ page, address }) => {
      if (/…|\/$|<its name>/.test(address.replace(/[a-z]+_…/g, ''))) return [];
      if (address.includes(' ')) return routes.has(plain(address)) ? [] : [`${page}: ${address}`];
      return (await brokenAddress(address)) === null ? [] : [`${page}: ${address}`];
    }),
  );
  expect(unknown.flat()).toEqual([]);
});

test('a guide that is served keeps its links: to other guides as pages, and where a file is not served, none', () => {
  const guides = readGuides();
  const [list] = guides;
  if (list === undefined) return expect.fail('there are guides');
  expect(servedUrl(list, 'wire.md#every-reason', guides)).toBe('/docs/wire#every-reason');
  expect(servedUrl(list, '../sdk/README.md', guides)).toBe('/docs/sdk');
  expect(servedUrl(list, '#guides', guides)).toBe('#guides');
  expect(servedUrl(list, 'https://a.example/b', guides)).toBe('https://a.example/b');
  expect(servedUrl(list, '../ARCHITECTURE.md', guides)).toBe(null);
  const table = /^\|[^]*?(?=\n\n)/m.exec(list.text)?.[0] ?? '';
  expect(guides.slice(1).map(({ file }) => file)).toEqual(linksOf(table).map((href) => fileOf(list.file, href)));
});

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describedApi } from '../../test/support/described-routes.ts';
import { docsPage } from './api-docs-page.ts';

const api = describedApi();
const { html, contentSecurityPolicy } = docsPage(api);
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
const all = (pattern: RegExp): readonly string[] => [...html.matchAll(pattern)].map(([, found = '']) => found);

test('the page lists every operation once, with its summary, and the contents link to it', () => {
  const anchors = all(/<article id="([^"]+)"/g);
  expect(anchors.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  for (const { operationId, summary } of operations) expect(html.split(`href="#${operationId}"`).length, summary).toBe(3);
});

test('every link within the page leads somewhere, and no id is there twice', () => {
  const ids = all(/\sid="([^"]+)"/g);
  expect(new Set(ids).size).toBe(ids.length);
  expect(all(/href="#([^"]+)"/g).filter((id) => !ids.includes(id))).toEqual([]);
});

test('the page holds no script, and its policy allows none: only its own style', () => {
  expect(html).not.toMatch(/<script|\son\w+=|javascript:|\sstyle=/i);
  const [style = ''] = all(/<style>(.*?)<\/style>/gs);
  expect(contentSecurityPolicy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(contentSecurityPolicy).toContain("default-src 'none'");
});

test('what a schema says is text on the page, never markup', () => {
  expect(html).toContain('<code>&lt;b&gt;</code> and &#39;quotes&#39; are text.');
  expect(html).not.toContain('<b>');
});

test('the page shows the constraints of every field, also in lists', () => {
  const text = html.replace(/<wbr \/>/g, '');
  expect(text).toMatch(/<code>name<\/code> <span class="type">text<\/span> <span class="required">required<\/span>/);
  expect(text).toMatch(/<code>rules\[\]\.basis_points<\/code> <span class="type">whole number<\/span>/);
  expect(text).toContain('1 to 200 characters.');
  expect(text).toContain('0 to 10,000.');
  expect(text).toContain('One of <code>manual</code>, <code>auto</code>, <code>null</code>.');
});

test('the example of a request is one that the API would read', () => {
  const [curl = ''] = all(/aria-label="Example request"><code>(curl -X POST[^<]*programs[^<]*)</g);
  const body = /-d '(.*)'$/s.exec(curl.replaceAll('&#39;', "'").replaceAll('&quot;', '"'))?.[1] ?? '';
  expect(JSON.parse(body)).toEqual({ name: 'Riverside Books', rules: [{ product_id: expect.any(String), basis_points: 1_000 }] });
  expect(curl).toMatch(/\$BASE\/api\/v1\/stores\/store_[0-9a-z]{26}\/programs/);
});

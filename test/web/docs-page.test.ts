import axe from 'axe-core';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { registerDocs } from '../../src/http/api-docs.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { describedApi } from '../support/described-routes.ts';
import { looks } from '../support/size.ts';

const app = Fastify();
registerDocs(app, describedApi);
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/docs`;
const browser = await sharedBrowser();
afterAll(async () => {
  await closePages(browser);
  await app.close();
});

test.each(looks)(
  'the API page in %s at %i pixels has no serious accessibility violation, and nothing overflows the screen',
  async (colorScheme, width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    await page.goto(url);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    await page.addScriptTag({ content: axe.source });
    const script = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
    const violations = await page.evaluate<axe.Result[]>(script);
    expect(violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`)).toEqual([]);
    await page.close();
  },
);

test('the page applies its own styles under its strict policy', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(url);
  expect(await page.evaluate('getComputedStyle(document.querySelector("nav")).position')).toBe('sticky');
  expect(refused.filter((text) => /policy/i.test(text))).toEqual([]);
  await page.close();
});

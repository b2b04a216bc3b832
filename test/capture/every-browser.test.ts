import { describe, expect, test } from 'vitest';
import { chromiumProgram, otherBrowsers } from '../support/browser.ts';
import { clickIdAt } from './click-id.ts';
import { tag } from './shopper.ts';
import { openVisitor, type Visitor } from './visitor.ts';

type Situation = {
  readonly guarantee: string;
  readonly sees: readonly unknown[];
  readonly play: (visitor: Visitor) => Promise<readonly unknown[]>;
};

const explicit = 'data-rm-consent-mode="explicit"';
const [early, late] = [clickIdAt(51), clickIdAt(52)];

const loadedWith = (manner: string): Situation => ({
  guarantee: `loaded ${manner === '' ? 'without defer' : `with ${manner}`}, the click is captured, and waits for consent where it must`,
  sees: ['rmc_a', null, 'rmc_b'],
  play: async ({ page, go, run, getClick }) => {
    await go(`${page(tag(manner))}?rm_click=rmc_a`);
    const granted = await getClick();
    await go(`${page(tag(`${manner} ${explicit}`))}?rm_click=rmc_b`);
    const asking = await getClick();
    await run('ServiceCapture.grantConsent()');
    return [granted, asking, await getClick()];
  },
});

// Covers what differs between engines: how a script finds its tag, what a frame may read, which cookies are stored, and how reload and
// back are reported. The other tests of this folder run in Chromium only.
const situations: readonly Situation[] = [
  loadedWith(''),
  loadedWith('defer'),
  loadedWith('async'),
  loadedWith('type="module"'),
  {
    guarantee: 'applies a setting in the URL of the script when code inserts it without attributes',
    sees: [null],
    play: async ({ page, go, getClick }) => {
      const insert =
        'var made = document.createElement("script"); made.src = "{script}?consent-mode=explicit"; document.head.append(made);';
      await go(`${page(`<script>${insert}</script>`)}?rm_click=rmc_a`);
      return [await getClick()];
    },
  },
  {
    guarantee: 'keeps the click from page to page on http://localhost, although the pages are a secure context',
    sees: ['rmc_a', 'rmc_a'],
    play: async ({ origin, page, go, getClick }) => {
      const local = origin.replace('127.0.0.1', 'localhost');
      await go(`${local}${page(tag())}?rm_click=rmc_a`);
      const landed = await getClick();
      await go(`${local}${page(tag())}`);
      const later = await getClick();
      await go(origin + page(''));
      return [landed, later];
    },
  },
  {
    guarantee: 'a value that would end the cookie, or widen its scope, does not change the stored click',
    sees: ['rmc_a', 'rmc_a', 'rmc_a', 'rmc_a'],
    play: async ({ page, go, getClick }) => {
      await go(`${page(tag())}?rm_click=rmc_a`);
      const kept = [];
      for (const value of ['x;%20Max-Age=0', 'x;%20Domain=127.0.0.1;%20Max-Age=0', 'rmc_%C3%A9', 'a'.repeat(201)]) {
        await go(`${page(tag())}?rm_click=${value}`);
        kept.push(await getClick());
      }
      return kept;
    },
  },
  {
    guarantee: 'a reload of an old tab, or a step back to it, does not replace a later click',
    sees: [late, late],
    play: async ({ page, go, back, reload, run, getClick }) => {
      await go(`${page(tag())}?rm_click=${early}`);
      await run(`document.cookie = '_service_click=${late}; Path=/'`);
      await reload();
      const reloaded = await getClick();
      await go(`${page(tag())}?rm_click=${late}`);
      await back();
      return [reloaded, await getClick()];
    },
  },
  {
    guarantee: 'a reload by a consent manager does not lose the new click',
    sees: [late],
    play: async ({ page, go, reload, run, getClick }) => {
      await go(`${page(tag())}?rm_click=${early}`);
      await go(`${page(tag(explicit))}?rm_click=${late}`);
      await reload();
      await run('ServiceCapture.grantConsent()');
      return [await getClick()];
    },
  },
  {
    guarantee: 'getClick returns null in a sandboxed frame, where reading cookies throws',
    sees: [['throws', null, []]],
    play: async ({ page, go, run }) => {
      const inside = page(`${tag()}<script>
        let word = 'readable';
        try { document.cookie; } catch { word = 'throws'; }
        ServiceCapture.grantConsent();
        parent.postMessage([word, ServiceCapture.getClick(), thrown], '*');
      </script>`);
      const listen = 'received = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data)));';
      await go(page(`<script>${listen}</script><iframe sandbox="allow-scripts" src="${inside}?rm_click=rmc_a"></iframe>`));
      return [await run('received')];
    },
  },
];

// Only Chromium prerenders, and only without a debugger. The activation time shows that the page was prerendered.
const prerendered = (guarantee: string, html: string): Situation => ({
  guarantee,
  sees: ['prerendered=true', true, 'rmc_a'],
  play: async ({ page, go, run, getClick }) => {
    await run('document.cookie = "prerendered=; Path=/; Max-Age=0"');
    const url = `${page(`${html}<script>document.cookie = 'prerendered=' + document.prerendering + '; Path=/';</script>`)}?rm_click=rmc_a`;
    const rules = JSON.stringify({ prerender: [{ urls: [url], eagerness: 'immediate' }] });
    await go(page(`<script type="speculationrules">${rules}</script>`));
    await run('new Promise((done) => { const look = () => document.cookie ? done() : setTimeout(look, 20); look(); })');
    const before = await run('document.cookie');
    await go(url);
    return [before, await run('performance.getEntriesByType("navigation")[0].activationStart > 0'), await getClick()];
  },
});

const prerendering = [
  prerendered('a page that is prerendered stores its click when it is shown, and not before', tag()),
  prerendered(
    'consent that is granted while a page is prerendered stores its click when it is shown, and not before',
    `${tag(explicit)}<script>ServiceCapture.grantConsent();</script>`,
  ),
];

const browsers = [
  { name: 'Chromium', find: chromiumProgram, rows: [...situations, ...prerendering] },
  ...otherBrowsers().map((program) => ({ name: program.name, find: async () => program, rows: situations })),
];

for (const { name, find, rows } of browsers) {
  describe(`with ${name}`, () => {
    const visitor = openVisitor(find);
    for (const { guarantee, sees, play } of rows) test(`${guarantee}, in ${name}`, async () => expect(await play(visitor())).toEqual(sees));
  });
}

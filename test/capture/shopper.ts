import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { openStoreSite, type PageOptions, type StoreSite } from './store-site.ts';

/** A visitor with a separate browser profile: no cookies at first, and all console output is recorded. */
type Shopper = {
  readonly site: StoreSite;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console output and errors of the pages. A test that expects an entry removes it; remaining entries fail the test. */
  readonly noise: string[];
  /** Opens a new page with this content and this query or hash, and returns its address. */
  readonly land: (html: string, query?: string, options?: PageOptions) => Promise<string>;
  readonly run: <Result>(expression: string) => Promise<Result>;
  readonly getClick: () => Promise<unknown>;
  readonly grantConsent: () => Promise<void>;
  /** The cookie as the browser stores it, whether or not a page may read it. */
  readonly stored: () => Promise<string | undefined>;
  readonly store: (click: string) => Promise<void>;
  /** Records what pages do with document.cookie, from the next page on. */
  readonly watch: () => Promise<void>;
  /** What the current page did with document.cookie. */
  readonly watched: () => Promise<{ readonly reads: number; readonly writes: readonly string[] }>;
};

/** Starts one browser and one store for the calling file, and returns a function that gives a test its shopper. */
export function openForBusiness(): (options?: BrowserContextOptions) => Promise<Shopper> {
  let browser: Browser | undefined;
  let site: StoreSite | undefined;
  const shoppers: Shopper[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([sharedBrowser(), openStoreSite()]);
  });
  afterEach(async () => {
    const noise = shoppers.flatMap((shopper) => shopper.noise);
    await Promise.all(shoppers.splice(0).map((shopper) => shopper.context.close()));
    expect(noise, 'said on the console, or thrown').toEqual([]);
  });
  afterAll(async () => {
    await closePages(browser);
    await site?.close();
  });

  return async (options = {}) => {
    invariant(browser && site, 'the beforeAll hook ran');
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
    const shopper = arrive(site, context, await context.newPage());
    shoppers.push(shopper);
    return shopper;
  };
}

export const tag = (attributes = '', query = '') => `<script src="{script}${query}" ${attributes}></script>`;

function arrive(site: StoreSite, context: BrowserContext, page: Page): Shopper {
  const noise: string[] = [];
  page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`thrown: ${error.message}`));
  const name = '_service_click';
  return {
    site,
    context,
    page,
    noise,
    land: async (html, query = '', options = {}) => {
      const url =
        (options.secure ? site.secureOrigin : site.origin) + site.page(`<!doctype html><title>A store</title>${html}`, options) + query;
      await page.goto(url);
      return url;
    },
    run: (expression) => page.evaluate(expression),
    getClick: () => page.evaluate('ServiceCapture.getClick()'),
    grantConsent: () => page.evaluate('ServiceCapture.grantConsent()'),
    stored: async () => (await context.cookies()).find((cookie) => cookie.name === name)?.value,
    store: (value) => context.addCookies([{ name, value, url: site.origin }]),
    watch: async () => {
      await page.addInitScript({ content: watcher });
    },
    watched: () => page.evaluate('({ reads: jar.reads, writes: jar.writes })'),
  };
}

const watcher = `
  globalThis.jar = { reads: 0, writes: [] };
  const real = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(Document.prototype, 'cookie', {
    configurable: true,
    get() { jar.reads += 1; return real.get.call(this); },
    set(value) { jar.writes.push(value); real.set.call(this, value); },
  });`;

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { steer, type BrowserProgram, type Steered } from '../support/drive-browser.ts';
import { openStoreSite, type StoreSite } from './store-site.ts';

/** A visitor with any browser, driven by its own pages: without a debugger, the test sees only what pages can see. */
export type Visitor = {
  readonly origin: string;
  /** Adds a page and returns its path. */
  readonly page: (html: string) => string;
  readonly go: (url: string) => Promise<void>;
  readonly back: () => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly run: Steered['run'];
  readonly getClick: () => Promise<unknown>;
};

/** One browser for the tests of a block, with no stored click at the start of each test. An error in any page fails the test. */
export function openVisitor(find: () => Promise<BrowserProgram>): () => Visitor {
  let site: StoreSite | undefined;
  let steered: Steered | undefined;
  const visitor = () => {
    invariant(site && steered, 'the beforeAll hook ran');
    return visit(site, steered);
  };

  beforeAll(async () => {
    [site, steered] = await Promise.all([openStoreSite(), steer()]);
    await steered.open(await find(), site.origin + visitor().page(''));
  });
  beforeEach(async () => void (await visitor().run('document.cookie = "_service_click=; Path=/; Max-Age=0"')));
  afterEach(async () => expect(await visitor().run('thrown'), 'thrown').toEqual([]));
  afterAll(async () => {
    await steered?.close();
    await site?.close();
  });
  return visitor;
}

function visit(site: StoreSite, { run, leave, wheel }: Steered): Visitor {
  const leaveBy = async (expression: string) => {
    await leave(expression);
    await run('document.readyState === "complete" || new Promise((loaded) => addEventListener("load", loaded))');
  };
  return {
    origin: site.origin,
    page: (html) => site.page(`<!doctype html><title>A store</title>${listener}${html}${wheel}`),
    go: (url) => leaveBy(`location.href = '${url}'`),
    back: () => leaveBy('history.back()'),
    reload: () => leaveBy('location.reload()'),
    run,
    getClick: () => run('ServiceCapture.getClick()'),
  };
}

const listener = '<script>thrown = []; addEventListener("error", ({ message }) => thrown.push(message));</script>';

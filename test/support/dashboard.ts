import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { ensureBuilt } from '../../src/build/ensure-built.ts';
import { closePages, sharedBrowser } from './browser.ts';
import { openMerchant, type Merchant } from './merchant.ts';
import { startTestService, type TestService } from './service.ts';

/** The whole service with its dashboards, and a browser. */
export type Dashboard = {
  readonly service: TestService;
  readonly browser: Browser;
  /** A person with a separate browser profile. `complaints` contains the console errors and content-security-policy violations. */
  readonly visitor: (options?: VisitorOptions) => Promise<Visitor>;
  readonly stop: () => Promise<void>;
};

export type VisitorOptions = {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** The deadline of each step. */
  readonly stepMsMax?: number;
  readonly timeZone?: string;
  /** The browser's language, such as `de-AT`. */
  readonly locale?: string;
  /** A headless browser identifies itself, and counts as a robot in click statistics. */
  readonly userAgent?: string;
  /** For a service with a certificate that a test signed. */
  readonly trustsAnyCertificate?: boolean;
};
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
  /** Opens an address of the dashboards, and waits until the page is idle. */
  readonly open: (path: string) => Promise<void>;
  /** Waits until the page has received and rendered everything that it requested. */
  readonly settled: () => Promise<void>;
  /** Waits until the focused element matches: an element gets the focus shortly after it is rendered, and earlier key presses are lost. */
  readonly focused: (so: string) => Promise<void>;
  readonly signIn: (person: { readonly email: string; readonly password: string }) => Promise<void>;
  /** Closes the open dialog or drawer by the keyboard, and waits until it is gone. */
  readonly closeDialog: () => Promise<void>;
};

/** Shorter than the limit of a test, so that a failure names the step that hung; far longer than any step takes on a busy machine. */
const stepMsUsual = 30_000;
/** Requests that a page makes without user action, except event streams, which do not end. */
const awaitedTypes = ['script', 'stylesheet', 'fetch', 'xhr'];
/** After a response the page renders, and may send more requests. */
const nextFrame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
/** A dialog that was just rendered may not handle a key yet, and a person would press it again. */
const closeTriesMax = 3;
const closeTryMs = 3_000;

export async function openDashboard(environment: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const service = await startTestService(environment, await ensureBuilt('web'));
  const browser = await sharedBrowser();
  return {
    service,
    browser,
    visitor: (options) => newVisitor(browser, service.url, options),
    stop: async () => {
      await closePages(browser);
      await service.stop();
    },
  };
}

/** With a seeded store. */
export async function openMerchantDashboard(
  environment?: Readonly<Record<string, string>>,
): Promise<{ readonly dashboard: Dashboard; readonly merchant: Merchant }> {
  const dashboard = await openDashboard(environment);
  return { dashboard, merchant: await openMerchant(dashboard.service) };
}

export async function newVisitor(browser: Browser, url: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { scheme = 'light', width = 1440, height = 900, stepMsMax = stepMsUsual, timeZone = 'UTC', locale, userAgent } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    baseURL: url,
    timezoneId: timeZone,
    ...(locale !== undefined && { locale }),
    ...(userAgent !== undefined && { userAgent }),
    ignoreHTTPSErrors: options.trustsAnyCertificate === true,
  });
  context.setDefaultTimeout(stepMsMax);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The page reports an error response, so the browser's console line about it is not an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  const pending = trackPendingRequests(page);
  const settled = async () => {
    const isQuiet = async () => (await isRendered(page)) && pending.size === 0;
    const until = performance.now() + stepMsMax;
    for (;;) {
      await page.locator('main h1').waitFor();
      if ((await isQuiet()) && (await isQuiet())) return;
      if (performance.now() > until) throw new Error(`${page.url()} still waits for ${[...pending].map((one) => one.url()).join()}`);
    }
  };
  const open = async (path: string) => {
    await page.goto(path);
    await settled();
  };
  const signIn: Visitor['signIn'] = async ({ email, password }) => {
    await open('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((address) => address.pathname !== '/sign-in');
    await settled();
  };
  const focused = async (so: string) => void (await page.waitForFunction(`document.activeElement.${so}`));
  // Two exist while one fades out.
  const dialog = page.getByRole('dialog').first();
  const closeDialog = async (tries = closeTriesMax): Promise<void> => {
    await page.keyboard.press('Escape');
    if (tries === 1) return dialog.waitFor({ state: 'detached' });
    const isGone = await dialog.waitFor({ state: 'detached', timeout: closeTryMs }).then(
      () => true,
      () => false,
    );
    if (!isGone) await closeDialog(tries - 1);
  };
  return { page, context, complaints, open, signIn, settled, focused, closeDialog: () => closeDialog() };
}

/** After the next frame. False also if the document was left meanwhile, such as for the same page in another language. */
async function isRendered(page: Page): Promise<boolean> {
  try {
    return await page.evaluate<boolean>(`${nextFrame}.then(() => document.querySelector('[data-pending]') === null)`);
  } catch (error) {
    if (error instanceof Error && error.message.includes('Execution context was destroyed')) return false;
    throw error;
  }
}

/** Waits for the element, so that a failure names it. */
export const expectShown = (part: Locator): Promise<void> => part.waitFor();

/** The pending requests of the page. */
function trackPendingRequests(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    // A new page does not wait for requests of the previous one.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear();
    // A test may delay a review request: a page is idle while it is pending.
    if (awaitedTypes.includes(request.resourceType()) && request.method() === 'GET') pending.add(request);
  });
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));
  return pending;
}

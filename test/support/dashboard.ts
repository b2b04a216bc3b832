import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { ensureWebBuilt } from '../../src/platform/http/ensure-web.ts';
import { launchBrowser } from './browser.ts';
import { startTestService, type TestService } from './service.ts';

/** The whole service with its dashboards, and a browser before it. */
export type Dashboard = {
  readonly service: TestService;
  readonly browser: Browser;
  /** A person with a browser of their own. What its console and its policy complained about stands in `complaints`. */
  readonly visitor: (options?: VisitorOptions) => Promise<Visitor>;
  readonly stop: () => Promise<void>;
};

export type VisitorOptions = {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** How long each step may take. */
  readonly stepMsMax?: number;
  readonly timeZone?: string;
  /** A browser without a screen says so, and counts as a robot where visits are counted. */
  readonly userAgent?: string;
  /** For a service behind a certificate that a test signed itself. */
  readonly trustsAnyCertificate?: boolean;
};
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
  /** Opens an address of the dashboards, and waits until the page says that it waits for nothing any more. */
  readonly open: (path: string) => Promise<void>;
  /** Waits until the page has all that it asked for, and has drawn it. */
  readonly settled: () => Promise<void>;
  /** Waits until what has the focus is so: a part takes the focus a moment after it is drawn, and keys pressed before are lost. */
  readonly focused: (so: string) => Promise<void>;
  readonly signIn: (person: { readonly email: string; readonly password: string }) => Promise<void>;
  /** Closes the dialog or drawer that is open by the keyboard, and waits until it is gone. */
  readonly closeDialog: () => Promise<void>;
};

/** Shorter than a test may take, so that a failure names the step that hung; far longer than any takes on a busy machine. */
const stepMsUsual = 30_000;
/** What a page asks for of itself. A stream of events is not among them: it goes on. */
const asking = ['script', 'stylesheet', 'fetch', 'xhr'];
/** After an answer the page draws, and may ask for more. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
/** A dialog that was just drawn may not hear a key yet, and a person would press it again. */
const closeTriesMax = 3;
const closeTryMs = 3_000;

export async function openDashboard(environment: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const service = await startTestService(environment, await ensureWebBuilt());
  const browser = await launchBrowser();
  return {
    service,
    browser,
    visitor: (options) => newVisitor(browser, service.url, options),
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

export async function newVisitor(browser: Browser, url: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { scheme = 'light', width = 1440, height = 900, stepMsMax = stepMsUsual, timeZone = 'UTC', userAgent } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    baseURL: url,
    timezoneId: timeZone,
    ...(userAgent !== undefined && { userAgent }),
    ignoreHTTPSErrors: options.trustsAnyCertificate === true,
  });
  context.setDefaultTimeout(stepMsMax);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal of the service is told in the page; the browser's own line about it is no fault.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  const asked = whatIsAskedBy(page);
  const waiting = page.locator('[data-waiting]');
  const settled = async () => {
    await page.locator('main h1').waitFor();
    const isQuiet = async () => asked.size === 0 && (await waiting.count()) === 0;
    const until = performance.now() + stepMsMax;
    for (;;) {
      await page.evaluate(drawn);
      if (await isQuiet()) {
        await page.evaluate(drawn);
        if (await isQuiet()) return;
      }
      if (performance.now() > until) throw new Error(`${page.url()} still waits for ${[...asked].map((one) => one.url()).join()}`);
    }
  };
  const open = async (path: string) => {
    await page.goto(path);
    await settled();
  };
  const signIn: Visitor['signIn'] = async ({ email, password }) => {
    await open('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((address) => address.pathname !== '/sign-in');
    await settled();
  };
  const focused = async (so: string) => void (await page.waitForFunction(`document.activeElement.${so}`));
  // Two, while one fades out.
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

/** What the page has asked for and has no answer to yet. */
function whatIsAskedBy(page: Page): ReadonlySet<Request> {
  const asked = new Set<Request>();
  page.on('request', (request) => {
    // A new page does not wait for what the one before it asked.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked.clear();
    // A decision may be held back by a test: a page is settled with it under way.
    if (asking.includes(request.resourceType()) && request.method() === 'GET') asked.add(request);
  });
  page.on('requestfinished', (request) => void asked.delete(request));
  page.on('requestfailed', (request) => void asked.delete(request));
  return asked;
}

import type { Browser, BrowserContext, Page } from 'playwright-core';
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
};
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
  /** Opens an address of the dashboards, and waits until the page says that it waits for nothing any more. */
  readonly open: (path: string) => Promise<void>;
  readonly signIn: (person: { readonly email: string; readonly password: string }) => Promise<void>;
  /** Closes the dialog or drawer that is open by the keyboard, and waits until it is gone. */
  readonly closeDialog: () => Promise<void>;
};

/** Shorter than a test may take, so that a failure names the step that hung. */
const stepMsUsual = 15_000;
/** More parts than this no page waits for. */
const waitsMax = 20;
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
  });
  context.setDefaultTimeout(stepMsMax);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal of the service is told in the page; the browser's own line about it is no fault.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  const waiting = page.locator('[data-waiting]');
  const settled = async () => {
    await page.locator('main h1').waitFor();
    for (let tries = 0; tries < waitsMax && (await waiting.count()) > 0; tries++) await waiting.first().waitFor({ state: 'detached' });
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
  const dialog = page.getByRole('dialog');
  const closeDialog = async (tries = closeTriesMax): Promise<void> => {
    await page.keyboard.press('Escape');
    if (tries === 1) return dialog.waitFor({ state: 'detached' });
    const isGone = await dialog.waitFor({ state: 'detached', timeout: closeTryMs }).then(
      () => true,
      () => false,
    );
    if (!isGone) await closeDialog(tries - 1);
  };
  return { page, context, complaints, open, signIn, closeDialog: () => closeDialog() };
}

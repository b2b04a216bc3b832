import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { invariant } from '../../src/core/invariant.ts';
import type { BrowserProgram } from './drive-browser.ts';

/**
 * A real Chromium: only the one in CHROMIUM_PATH if set; else the system's; else the one in the package @sparticuz/chromium, so that a
 * machine with only Node runs every test. CHROMIUM=npm skips the system's, to test that fallback anywhere.
 */
export async function launchBrowser(options: Pick<LaunchOptions, 'handleSIGTERM'> = {}): Promise<Browser> {
  const failures: string[] = [];
  for (const { from, find } of chromiums()) {
    try {
      const found = await find();
      return await chromium.launch({
        ...options,
        executablePath: found.path,
        env: { ...env, ...found.env },
        args: [...quiet],
        headless: true,
        chromiumSandbox: false,
      });
    } catch (error) {
      failures.push(`${from}: ${firstLine(error)}`);
    }
  }
  throw new Error(`no Chromium for the tests: install one, or name one in CHROMIUM_PATH (${failures.join('; ')})`);
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, for all of its test files: a start takes more than a second of CPU time. A file that is done closes its
 * pages (`closePages`). The browser ends with the process, because the pipe to it closes.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared ??= launchBrowser({ handleSIGTERM: false }));
  if (browser.isConnected()) return browser;
  // It crashed in an earlier file.
  shared = undefined;
  return sharedBrowser();
}

/** Undefined: the browser could not be started. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Chromium as a program, without the debugger that `launchBrowser` attaches. */
export async function chromiumProgram(): Promise<BrowserProgram> {
  const [first] = chromiums();
  invariant(first, 'the package is always the last candidate');
  const args: BrowserProgram['args'] = ({ profile, url }) => ['--headless', '--no-sandbox', ...quiet, `--user-data-dir=${profile}`, url];
  return { name: 'Chromium', ...(await first.find()), args };
}

/** Firefox and WebKit, if the system has them. Playwright does not drive these: it needs its own builds, which no package contains. */
export function otherBrowsers(): readonly BrowserProgram[] {
  const browsers: BrowserProgram[] = [];
  const firefox = installed(['firefox-esr', 'firefox'], ['/Applications/Firefox.app/Contents/MacOS/firefox']);
  if (firefox) {
    const args: BrowserProgram['args'] = ({ profile, url }) => ['--headless', '--no-remote', '--profile', profile, url];
    browsers.push({ name: 'Firefox', path: firefox, args, env: {}, preferences: quietFirefox });
  }
  const [webkit] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
  const screen = installed(['xvfb-run'], []);
  if (webkit && (screen || env['DISPLAY'])) {
    const args: BrowserProgram['args'] = ({ url }) => [...(screen ? ['--auto-servernum', webkit] : []), '--private', url];
    browsers.push({ name: 'WebKit', path: screen ?? webkit, args, env: {} });
  }
  return browsers;
}

type Found = { readonly path: string; readonly env: Readonly<Record<string, string>> };

function chromiums(): readonly { readonly from: string; readonly find: () => Promise<Found> }[] {
  const named = env['CHROMIUM_PATH'];
  if (named) return [{ from: 'CHROMIUM_PATH', find: async () => ({ path: named, env: {} }) }];
  const packaged = { from: '@sparticuz/chromium', find: fromPackage };
  const path = installed(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], applications);
  if (!path || env['CHROMIUM'] === 'npm') return [packaged];
  return [{ from: path, find: async () => ({ path, env: {} }) }, packaged];
}

const applications = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

function installed(names: readonly string[], elsewhere: readonly string[]): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(existsSync);
}

// Only the pages under test may use the network: on a closed network, other requests cost time and fill logs with errors. The sandbox is
// off at both launches: root cannot use it, nor can other users on many servers, and all pages are our own.
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const quietFirefox = `
user_pref('app.update.disabledForTesting', true);
user_pref('browser.aboutwelcome.enabled', false);
user_pref('browser.preonboarding.enabled', false);
user_pref('browser.safebrowsing.update.enabled', false);
user_pref('browser.shell.checkDefaultBrowser', false);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('extensions.systemAddon.update.enabled', false);
user_pref('network.captive-portal-service.enabled', false);
user_pref('network.connectivity-service.enabled', false);
user_pref('services.settings.server', 'data:,none');
user_pref('termsofuse.bypassNotification', true);
user_pref('toolkit.telemetry.enabled', false);
`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const unpackMsMax = 120_000;

// The package would unpack to the shared temporary folder, under names that another user of the machine may have planted.
async function fromPackage(): Promise<Found> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('holds a browser for Linux on x64 only');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8'));
  const home = join(root, 'node_modules', '.cache', 'chromium', String(version));
  if (!existsSync(home)) await unpackTo(home);
  const libraries = [join(home, 'al2023', 'lib'), env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(home, 'fonts') };
  return { path: join(home, 'chromium'), env: { LD_LIBRARY_PATH: libraries, ...fonts } };
}

// Unpacked next to the destination, then renamed: two test files may unpack concurrently, and a run may be killed halfway.
async function unpackTo(home: string): Promise<void> {
  await mkdir(join(home, '..'), { recursive: true });
  const draft = await mkdtemp(`${home}-`);
  try {
    const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
    // This environment makes it also unpack libnss3 and related libraries, which minimal systems lack.
    const place = { TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
    const options = { cwd: root, env: { ...env, ...place }, timeout: unpackMsMax };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options);
    // Files that root unpacked in a shared tree must be readable by all users.
    for (const path of [draft, join(draft, 'chromium')]) await chmod(path, 0o755);
    await rename(draft, home).catch((error) => (existsSync(home) ? undefined : Promise.reject(error)));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}

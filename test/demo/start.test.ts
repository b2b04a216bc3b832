import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { isFull } from '../support/size.ts';
import { launchBrowser } from '../support/browser.ts';
import { newDataDir } from '../support/embedded.ts';
import { freePort } from '../support/main-process.ts';
import type { Json } from '../support/merchant.ts';

const startMsMax = 120_000;
const endMsMax = 20_000;

type Printed = {
  readonly dashboards: string;
  readonly shop: string;
  readonly link: string;
  readonly merchant: { readonly email: string; readonly password: string };
};
type Demo = { readonly printed: Printed; readonly end: () => Promise<number | null> };

/** As `npm run demo` runs it, with a world that has no year behind it: that one takes a minute. */
function spawnDemo(words: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/demo.ts', '--days', '0', ...words], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]: readonly (number | null)[]) => code ?? null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, exited };
}

async function startDemo(words: readonly string[]): Promise<Demo> {
  const { child, exited } = spawnDemo(words);
  let said = '';
  let hasEnded = false;
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  void exited.then(() => (hasEnded = true));
  await expect.poll(() => said.includes('Ctrl-C stops everything') || hasEnded, { timeout: startMsMax }).toBe(true);
  const line = (name: string): string => {
    const found = new RegExp(`^ *${name} +(.+)$`, 'm').exec(said)?.[1];
    invariant(found, `the output has ${name}: ${said}`);
    return found;
  };
  const [email = '', password = ''] = line('merchant').split(/ +/);
  const printed = {
    dashboards: line('The dashboards'),
    shop: line('The shop'),
    link: line("A creator's link"),
    merchant: { email, password },
  };
  const end = async () => {
    child.kill('SIGINT');
    return exited;
  };
  return { printed, end };
}

/** A page of the shop's store, as its merchant reads it. */
async function seenByMerchant({ dashboards, merchant }: Printed, page: string): Promise<Json> {
  const api = `${dashboards}/api/v1`;
  const headers = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${api}/session`, { method: 'POST', headers, body: JSON.stringify(merchant) });
  expect(signedIn.ok).toBe(true);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const get = async (path: string): Promise<Json> => (await fetch(`${api}${path}`, { headers: { cookie } })).json();
  const stores: readonly Json[] = (await get('/stores')).data;
  const { id } = stores.find(({ name }: Json) => name === 'Kettle & Leaf');
  return get(`/stores/${id}/${page}`);
}

const commissionsSeenBy = async (printed: Printed): Promise<readonly Json[]> => (await seenByMerchant(printed, 'commissions')).data;

test(
  'the demo starts, prints its URLs and logins, sells through a creator’s link, stops gracefully, and restarts',
  { timeout: 2 * startMsMax + 60_000 },
  async () => {
    const [port, shopPort] = [await freePort(), await freePort()];
    const words = ['--folder', newDataDir(), '--port', String(port), '--shop-port', String(shopPort)];
    const demo = await startDemo(words);
    expect([demo.printed.dashboards, demo.printed.shop]).toEqual([`http://localhost:${port}`, `http://localhost:${shopPort}`]);
    expect((await fetch(`${demo.printed.dashboards}/sign-in`, { headers: { accept: 'text/html' } })).status).toBe(200);

    const { lights, go_live: goLive } = await seenByMerchant(demo.printed, 'integration');
    expect(lights.filter((light: Json) => !light.is_on)).toEqual([]);
    expect(goLive.filter((item: Json) => !item.is_done)).toEqual([]);

    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    // A browser without a screen says so, and would count as a robot.
    const page = await browser.newPage({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });
    await page.goto(demo.printed.link);
    expect(new URL(page.url()).origin).toBe(demo.printed.shop);
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await page.goto(demo.printed.shop);
    await page.getByRole('button', { name: 'Buy River mug', exact: true }).click();
    await expect.poll(() => page.locator('.answer').allInnerTexts()).toEqual(['recorded']);
    const commissions = await commissionsSeenBy(demo.printed);
    expect(commissions).toMatchObject([{ state: 'pending', amount_cents: 185 }]);

    const endedBy = performance.now() + endMsMax;
    expect(await demo.end()).toBe(0);
    expect(performance.now()).toBeLessThan(endedBy);
    await expect(fetch(demo.printed.dashboards)).rejects.toThrow('fetch failed');

    const again = await startDemo(words);
    expect(again.printed).toEqual(demo.printed);
    expect(await commissionsSeenBy(again.printed)).toEqual(commissions);
    expect(await again.end()).toBe(0);
  },
);

// Generates the demo's year three times more; `npm run test:full` runs it.
test.runIf(isFull)(
  'at another port its link and its shop lead to where it is now; afresh it forgets what it made and nothing else, and not while it runs',
  { timeout: 4 * startMsMax },
  async () => {
    const folder = newDataDir();
    const fixed = ['--folder', folder, '--shop-port', String(await freePort())];
    const somewhere = async (...words: readonly string[]) => [...fixed, '--port', String(await freePort()), ...words];
    const first = await startDemo(await somewhere());
    await writeFile(join(folder, 'letter.txt'), 'mine');
    const beside = spawnDemo(await somewhere('--fresh'));
    const [said, code] = await Promise.all([text(beside.child.stderr), beside.exited]);
    expect([said, code]).toEqual([expect.stringContaining('already in use'), 1]);
    expect((await fetch(`${first.printed.dashboards}/readyz`)).status).toBe(200);
    expect(await first.end()).toBe(0);

    const moved = await startDemo(await somewhere());
    expect(moved.printed.merchant).toEqual(first.printed.merchant);
    expect(moved.printed.link).toBe(moved.printed.dashboards + new URL(first.printed.link).pathname);
    expect(await (await fetch(moved.printed.shop)).text()).toContain(`src="${moved.printed.dashboards}/api/pn/sdk/v1.js"`);
    expect(await moved.end()).toBe(0);

    const fresh = await startDemo(await somewhere('--fresh'));
    expect(fresh.printed.merchant).not.toEqual(first.printed.merchant);
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('mine');
    expect(await fresh.end()).toBe(0);
  },
);

test('reports an unknown option together with the known ones', async () => {
  const { child, exited } = spawnDemo(['--what']);
  const [said, code] = await Promise.all([text(child.stderr), exited]);
  expect([said, code]).toEqual([expect.stringMatching(/--what.*\n.*--fresh.*--shop-port/), 1]);
});

test('where its port is taken, it says so in a line and leaves nothing running', { timeout: startMsMax }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const address = taken.address();
  invariant(typeof address === 'object' && address !== null, 'it listens on a port');
  const words = ['--folder', newDataDir(), '--port', String(address.port), '--shop-port', String(await freePort())];
  const { child, exited } = spawnDemo(words);
  const [said, code] = await Promise.all([text(child.stderr), exited]);
  expect([said.trim().split('\n'), code]).toEqual([[expect.stringContaining(String(address.port))], 1]);
});

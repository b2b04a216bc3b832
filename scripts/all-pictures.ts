import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { seedHistory } from '../src/commands/seed/history.ts';
import { invariant } from '../src/core/invariant.ts';
import { newVisitor, type Visitor } from '../test/support/dashboard.ts';
import { addressOfPage, webPages, type PageSubjects, type WebRole } from '../test/support/web-pages.ts';

type World = Awaited<ReturnType<typeof seedHistory>>;
export type Api = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<unknown>;
type Scene = { readonly url: string; readonly world: World; readonly api: Api };

const views = [
  { name: 'light', scheme: 'light', width: 1440, height: 900 },
  { name: 'dark', scheme: 'dark', width: 1440, height: 900 },
  { name: 'phone', scheme: 'light', width: 390, height: 844 },
] as const;
const stepMsMax = 60_000;
/** How long an animation may last. */
const restMs = 400;

type Shots = {
  readonly folder: string;
  /** Takes only the pages whose path contains one of these, or all if there are none. */
  readonly parts: readonly string[];
};

/** Takes a screenshot of every page of every role: in light, in dark, and on a phone, in a folder for each. */
export async function takeEveryPage(browser: Browser, scene: Scene, { folder, parts }: Shots): Promise<void> {
  const subjects = await subjectsOf(scene);
  const pages = webPages.filter(([, path]) => parts.length === 0 || parts.some((part) => path.includes(part)));
  for (const { name, ...view } of views) {
    const visitors = new Map<WebRole, Visitor>();
    await mkdir(join(folder, name), { recursive: true });
    for (const [role, path] of pages) {
      const visitor = visitors.get(role) ?? (await newVisitor(browser, scene.url, { ...view, stepMsMax }));
      if (!visitors.has(role) && role !== 'nobody') await visitor.signIn(scene.world.logins[role]);
      visitors.set(role, visitor);
      await visitor.open(addressOfPage(path, subjects));
      await visitor.page.waitForTimeout(restMs);
      const file = `${role}${path.replaceAll(/[$/]+/g, '-')}.png`;
      await visitor.page.screenshot({ path: join(folder, name, file), fullPage: true, animations: 'disabled' });
      console.log(join(name, file));
    }
    for (const { context } of visitors.values()) await context.close();
  }
}

/** What the pages of a single thing show. An import and a webhook endpoint are created, because the history has none. */
async function subjectsOf({ world, api }: Scene): Promise<PageSubjects> {
  const store = `/stores/${world.store.id}`;
  const file = { file_name: 'creators.csv', csv: 'email,name\nann@roastery.example,Ann Lee\nnonsense,Bob', program_id: world.program.id };
  const endpoint = { url: 'https://hooks.example/orders', events: ['commission.recorded', 'invoice.issued'] };
  return {
    store: world.store.id,
    creator: world.creator.id,
    program: world.program.id,
    customer: await firstOf(api, `${store}/commissions?state=paid&limit=50`, 'customer_id'),
    emailId: await firstOf(api, '/mails', 'id'),
    payout: await firstOf(api, `/creators/${world.creator.id}/payouts`, 'id'),
    endpoint: textIn(await api('POST', `${store}/webhook-endpoints`, endpoint), 'id'),
    import: textIn(await api('POST', `${store}/creator-imports`, file), 'id'),
  };
}

/** A field of the first list entry that has it. */
export async function firstOf(api: Api, path: string, field: string): Promise<string> {
  const rows: unknown = Reflect.get(Object(await api('GET', path)), 'data');
  const found: unknown = Array.isArray(rows) ? rows.find((row: unknown) => typeof Reflect.get(Object(row), field) === 'string') : undefined;
  invariant(found !== undefined, `a year of history contains entries of ${path}`);
  return textIn(found, field);
}

export function textIn(answer: unknown, field: string): string {
  const value: unknown = Reflect.get(Object(answer), field);
  invariant(typeof value === 'string', `the response contains ${field}`);
  return value;
}

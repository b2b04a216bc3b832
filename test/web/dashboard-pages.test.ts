import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pageNames } from '../../src/http/dashboards.ts';
import { merchantIn } from '../support/merchant.ts';
import { payOutCreator } from '../support/portal.ts';
import { openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { axeViolations } from '../support/axe-violations.ts';
import type { World } from '../support/service.ts';
import { isFull, isHard, reportMeasurement } from '../support/size.ts';
import { createSilentEndpoint } from '../support/webhook-receiver.ts';
import { pathsOfRoutes, webRoutes } from '../support/web-routes.ts';

vi.setConfig({ testTimeout: 120_000 });

let dashboard: Dashboard;
let world: World;
let mailId = '';
let payoutId = '';
let endpointId = '';
let importId = '';
beforeAll(async () => {
  dashboard = await openDashboard();
  world = await dashboard.service.seed();
  mailId = await idOfSomeMail();
  const store = merchantIn(dashboard.service, world);
  payoutId = (await payOutCreator(store)).payout;
  endpointId = (await createSilentEndpoint(store)).id;
  const file = { file_name: 'creators.csv', csv: 'email,name\nann@import.example,Ann\nnonsense,Bob', program_id: world.program.id };
  importId = (await store.api('POST', `/stores/${world.store.id}/creator-imports`, file)).json.id;
});
afterAll(() => dashboard.stop());

type Role = 'nobody' | 'merchant' | 'creator' | 'operator';

/** Every URL of the routes in web/src/app/routes, and who opens it. */
const pages: ReadonlyArray<readonly [role: Role, path: string]> = [
  ['nobody', '/sign-in'],
  ['nobody', '/sign-up'],
  ['nobody', '/link'],
  ['nobody', '/forgot-password'],
  ['nobody', '/no-such-page'],
  ['merchant', '/account'],
  ['merchant', '/notifications'],
  ['merchant', '/stores'],
  ['merchant', '/new-store'],
  ['merchant', '/stores/$store'],
  ['merchant', '/stores/$store/conversions'],
  ['merchant', '/stores/$store/disputes'],
  ['merchant', '/stores/$store/subscriptions'],
  ['merchant', '/stores/$store/tracking-log'],
  ['merchant', '/stores/$store/integration'],
  ['merchant', '/stores/$store/programs'],
  ['merchant', '/stores/$store/new-program'],
  ['merchant', '/stores/$store/programs/$program'],
  ['merchant', '/stores/$store/programs/$program/settings'],
  ['merchant', '/stores/$store/programs/$program/new-terms'],
  ['merchant', '/stores/$store/creators'],
  ['merchant', '/stores/$store/creators/$creator'],
  ['merchant', '/stores/$store/creator-invitations'],
  ['merchant', '/stores/$store/creator-imports'],
  ['merchant', '/stores/$store/creator-messages'],
  ['merchant', '/stores/$store/creator-imports/$import'],
  ['merchant', '/stores/$store/customers/$customer'],
  ['merchant', '/stores/$store/billing'],
  ['merchant', '/stores/$store/statement'],
  ['merchant', '/stores/$store/customer-data'],
  ['merchant', '/stores/$store/settings'],
  ['merchant', '/stores/$store/team'],
  ['merchant', '/stores/$store/api-keys'],
  ['merchant', '/stores/$store/webhooks'],
  ['merchant', '/stores/$store/webhooks/$endpoint'],
  ['merchant', '/stores/$store/audit-log'],
  ['merchant', '/stores/$store/mails'],
  ['merchant', '/stores/store_00000000000000000000000000'],
  ['nobody', '/programs/$program'],
  ['creator', '/programs/$program'],
  ['merchant', '/programs/$program'],
  ['merchant', '/creator'],
  ['creator', '/creator'],
  ['creator', '/creator/programs'],
  ['creator', '/creator/links'],
  ['creator', '/creator/sales'],
  ['creator', '/creator/refused-orders'],
  ['creator', '/creator/subscriptions'],
  ['creator', '/creator/assets'],
  ['creator', '/creator/messages'],
  ['creator', '/creator/api-keys'],
  ['creator', '/creator/payouts'],
  ['creator', '/creator/payouts/$payout'],
  ['creator', '/creator/statement'],
  ['creator', '/creator/settings'],
  ['creator', '/stores'],
  ['operator', '/operator'],
  ['operator', '/operator/stores'],
  ['operator', '/operator/stores/$storeId'],
  ['operator', '/operator/creators'],
  ['operator', '/operator/creators/$creatorId'],
  ['operator', '/operator/billing-runs'],
  ['operator', '/operator/payouts'],
  ['operator', '/operator/charges'],
  ['operator', '/operator/review'],
  ['operator', '/operator/disputes'],
  ['operator', '/operator/risk'],
  ['operator', '/operator/ledger'],
  ['operator', '/operator/jobs'],
  ['operator', '/operator/tracking'],
  ['operator', '/operator/settings'],
  ['operator', '/operator/health'],
  ['operator', '/operator/operators'],
  ['operator', '/operator/api-keys'],
  ['operator', '/operator/audit-log'],
  // In the sandbox it redirects to the console.
  ['operator', '/second-factor'],
  ['operator', '/operator/mails'],
  ['operator', '/operator/mails/$emailId'],
  ['operator', '/operator/clock'],
];

/** Each page is opened at the first width, and then the window is widened. `npm test` checks the width at which contents overflow first. */
const widths = isHard ? [360, 768, 1024, 1440] : isFull ? [360, 1440] : [360];
/** The first color scheme is checked completely, the second only for its colors. */
const schemes = isFull ? (['dark', 'light'] as const) : (['dark'] as const);
const [narrow = 360] = widths;
/** Pages consist of the same components, so `npm test` runs axe on every third one. */
const axeStride = isFull ? 1 : 3;
const height = 900;

const addressOf = (path: string): string =>
  path
    .replace(/\$store(Id)?\b/, world.store.id)
    .replace(/\$creator(Id)?\b/, world.creator.id)
    .replace('$customer', 'customer-1')
    .replace('$program', world.program.id)
    .replace('$emailId', mailId)
    .replace('$payout', payoutId)
    .replace('$endpoint', endpointId)
    .replace('$import', importId);

describe('in light and in dark, from a narrow window to a wide one', () => {
  const visitors = new Map<Role, Visitor>();

  async function visitorOf(role: Role): Promise<Visitor> {
    const known = visitors.get(role);
    if (known) return known;
    const made = await dashboard.visitor({ width: narrow });
    if (role !== 'nobody') await made.signIn(world.logins[role]);
    visitors.set(role, made);
    return made;
  }

  test.each(pages.map(([role, path], place) => [role, path, place % axeStride === 0] as const))(
    'for the %s nothing on the page %s overflows the screen, or has a serious accessibility violation',
    async (role, path, isChecked) => {
      const visitor = await visitorOf(role);
      await visitor.open(addressOf(path));
      await atEachWidth(visitor, async (width) => {
        if (isChecked) expect(await violationsInBothSchemes(visitor), `at ${width} pixels`).toEqual([]);
        expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      });
    },
  );

  test.each(widths)(
    'the menu, a dialog and a key that is shown once have no serious accessibility violation at %i pixels',
    async (width) => {
      const merchant = await visitorOf('merchant');
      const { page } = merchant;
      await page.setViewportSize({ width, height });
      await merchant.open(`/stores/${world.store.id}/api-keys`);
      if (width < 768) {
        await page.getByRole('button', { name: 'Open menu' }).click();
        expect(await axeViolations(merchant)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Open menu' }).waitFor();
      }
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Nightly export');
      expect(await axeViolations(merchant)).toEqual([]);
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByText('It won’t be shown again').waitFor();
      expect(await axeViolations(merchant)).toEqual([]);
    },
  );

  test('no page logs an error or a policy violation', () => {
    expect([...visitors].flatMap(([role, { complaints }]) => complaints.map((complaint) => `${role}: ${complaint}`))).toEqual([]);
    for (const width of widths)
      reportMeasurement({
        what: `every page of the dashboards at ${width} pixels, light and dark`,
        measured: `${pages.length} pages, 0 serious accessibility violations (axe), 0 complaints`,
      });
  });
});

async function atEachWidth(visitor: Visitor, look: (width: number) => Promise<void>): Promise<void> {
  for (const width of widths) {
    await visitor.page.setViewportSize({ width, height });
    await visitor.settled();
    await look(width);
  }
  await visitor.page.setViewportSize({ width: narrow, height });
}

/** The colors follow the browser's preference without a reload, and nothing else changes. */
async function violationsInBothSchemes(visitor: Visitor): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await visitor.page.emulateMedia({ colorScheme });
    const violations = await axeViolations(visitor, { onlyColours: colorScheme === 'light' });
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

async function idOfSomeMail(): Promise<string> {
  const api = `${dashboard.service.url}/api/v1`;
  const body = JSON.stringify({ email: world.logins.merchant.email });
  await fetch(`${api}/password-resets`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = await fetch(`${api}/mails`, { headers: { authorization: `Bearer ${world.operator_key}` } });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return data[0]?.id ?? '';
}

test('every page of the dashboards is tested here', () => {
  const opened = new Set(pages.map(([, path]) => path));
  // The start page only redirects.
  expect(pathsOfRoutes().filter((path) => !opened.has(path) && path !== '/')).toEqual([]);
});

test('the server knows the first path segment of every page, and no others', () => {
  const names = webRoutes().flatMap(({ parent, path }) =>
    /^(rootRoute|signedInRoute)$/.test(parent) && path.startsWith('/') ? [path.split('/')[1] ?? ''] : [],
  );
  expect([...new Set(names)].sort()).toEqual([...pageNames].sort());
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pageNames } from '../../src/http/dashboards.ts';
import { merchantIn } from '../support/merchant.ts';
import { payOutCreator } from '../support/portal.ts';
import { openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { axeViolations } from '../support/axe-violations.ts';
import type { World } from '../support/service.ts';
import { isFull, isHard, reportMeasurement } from '../support/size.ts';
import { createSilentEndpoint } from '../support/webhook-receiver.ts';
import { addressOfPage, webPages, type WebRole } from '../support/web-pages.ts';
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

/** Each page is opened at the first width, and then the window is widened. `npm test` checks the width at which contents overflow first. */
const widths = isHard ? [360, 768, 1024, 1440] : isFull ? [360, 1440] : [360];
/** The first color scheme is checked completely, the second only for its colors. */
const schemes = isFull ? (['dark', 'light'] as const) : (['dark'] as const);
const [narrow = 360] = widths;
/** Pages consist of the same components, so `npm test` runs axe on every third one. */
const axeStride = isFull ? 1 : 3;
const height = 900;

const addressOf = (path: string): string =>
  addressOfPage(path, {
    store: world.store.id,
    creator: world.creator.id,
    customer: 'customer-1',
    program: world.program.id,
    emailId: mailId,
    payout: payoutId,
    endpoint: endpointId,
    import: importId,
  });

describe('in light and in dark, from a narrow window to a wide one', () => {
  const visitors: { readonly role: WebRole; readonly visitor: Visitor }[] = [];

  async function newVisitorOf(role: WebRole): Promise<Visitor> {
    const visitor = await dashboard.visitor({ width: narrow });
    if (role !== 'nobody') await visitor.signIn(world.logins[role]);
    visitors.push({ role, visitor });
    return visitor;
  }
  const visitorOf = async (role: WebRole): Promise<Visitor> =>
    visitors.find((known) => known.role === role)?.visitor ?? (await newVisitorOf(role));

  test.each(webPages.map(([role, path], place) => [role, path, place % axeStride === 0] as const))(
    'for the %s the page %s fits the screen, names creators, dates its cards, and has no serious accessibility violation',
    async (role, path, isChecked) => {
      const visitor = await visitorOf(role);
      await visitor.open(addressOf(path));
      await readContent(role, visitor);
      await atEachWidth(visitor, async (width) => {
        if (isChecked) expect(await violationsInBothSchemes(visitor), `at ${width} pixels`).toEqual([]);
        expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      });
    },
  );

  test.each(widths)(
    'the menu, a dialog and a key that is shown once have no serious accessibility violation at %i pixels',
    async (width) => {
      // A key requires a sign-in of the last ten minutes, and on a busy machine the pages take longer than that.
      const merchant = await newVisitorOf('merchant');
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
    expect(visitors.flatMap(({ role, visitor }) => visitor.complaints.map((complaint) => `${role}: ${complaint}`))).toEqual([]);
    for (const width of widths)
      reportMeasurement({
        what: `every page of the dashboards at ${width} pixels, light and dark`,
        measured: `${webPages.length} pages, 0 serious accessibility violations (axe), 0 errors in the console`,
      });
  });
});

test('every breadcrumb has the title of its page, after the breadcrumbs of that page', () => {
  const byAddress = new Map(trails.map((trail) => [trail.address, trail]));
  const expected = trails.flatMap(({ title, parents }) => {
    const parent = byAddress.get(parents.at(-1)?.address ?? '');
    return parents.length === 0 ? [] : [{ title, parents: parent && [...parent.parents, parent].map(crumbOf) }];
  });
  expect(expected.length).toBeGreaterThan(15);
  expect(trails.filter(({ parents }) => parents.length > 0).map(({ title, parents }) => ({ title, parents }))).toEqual(expected);
});

/** What the pages above showed, from the narrow window. */
const trails: Trail[] = [];

async function readContent(role: WebRole, visitor: Visitor): Promise<void> {
  trails.push(await readTrail(visitor));
  expect(await cardsWithoutDate(visitor), 'cards of a phone that hide the date of their row').toEqual([]);
  if (role === 'merchant') expect(await textOfTables(visitor), 'creators have names in tables, not IDs').not.toMatch(/\bcrt_\w/);
}

type Crumb = { readonly address: string; readonly title: string };
type Trail = Crumb & { readonly parents: readonly Crumb[] };

const crumbOf = ({ address, title }: Crumb): Crumb => ({ address, title });

async function readTrail({ page }: Visitor): Promise<Trail> {
  const links = await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').all();
  const parents = links.map(async (link) => ({ address: (await link.getAttribute('href')) ?? '', title: await link.innerText() }));
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  return { address: new URL(page.url()).pathname, title, parents: await Promise.all(parents) };
}

const textOfTables = async ({ page }: Visitor): Promise<string> => (await page.locator('table').allInnerTexts()).join('\n');

/** The tables whose rows have a date that their cards do not show. */
const cardsWithoutDate = ({ page }: Visitor): Promise<string[]> =>
  page.locator('table').evaluateAll((tables) =>
    tables
      .filter((table) => table.getClientRects().length > 0)
      .filter((table) =>
        [...table.querySelectorAll('tbody tr')].some((row) => {
          const times = [...row.querySelectorAll('time')];
          return times.length > 0 && times.every((time) => time.getClientRects().length === 0);
        }),
      )
      .map((table) => table.caption?.textContent ?? ''),
  );

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
  const opened = new Set(webPages.map(([, path]) => path));
  // The start page only redirects.
  expect(pathsOfRoutes().filter((path) => !opened.has(path) && path !== '/')).toEqual([]);
});

test('the server knows the first path segment of every page, and no others', () => {
  const names = webRoutes().flatMap(({ parent, path }) =>
    /^(rootRoute|signedInRoute)$/.test(parent) && path.startsWith('/') ? [path.split('/')[1] ?? ''] : [],
  );
  expect([...new Set(names)].sort()).toEqual([...pageNames].sort());
});

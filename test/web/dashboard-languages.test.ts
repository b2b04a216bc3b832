import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { languages, serviceAreas, translatedAreas, type Language } from '../../locales/languages.ts';
import { catalogsSource, type CatalogFile } from '../../web/messages-plugin.ts';
import { openDashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { emailsTo, payOutCreator } from '../support/portal.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const world = await dashboard.service.seed();
await payOutCreator(merchantIn(dashboard.service, world));

const publicPages = ['/sign-in', '/sign-up', '/forgot-password', '/programs/$program'];
const ownPages = [
  '/creator',
  '/creator/programs',
  '/creator/links',
  '/creator/codes',
  '/creator/sales',
  '/creator/refused-orders',
  '/creator/subscriptions',
  '/creator/assets',
  '/creator/messages',
  '/creator/payouts',
  '/creator/statement',
  '/creator/settings',
  '/account',
];
const addressOf = (path: string): string => path.replace('$program', world.program.id);
const widths = [360, 1440];
const pageAreas = translatedAreas.filter((area) => !serviceAreas.includes(area));

const catalogPath = (language: Language, area: string) => `locales/${language}/${area}.json`;
const readCatalog = (language: Language, area: string): CatalogFile => JSON.parse(readFileSync(catalogPath(language, area), 'utf8'));

/** The parts of a message between its arguments and tags that are long enough to be recognized on a page. */
const longPartsOf = (text: string): readonly string[] =>
  text
    .split(/<[^>]*>|\{[^{}]*\}|[{}#]/)
    .map((part) => part.trim())
    .filter((part) => part.length > 12);

/** English texts that a page in this language must not show. Languages may share a text, such as a product's name. */
function foreignTexts(language: Language): readonly string[] {
  const areas = [...pageAreas, 'api-explanations'].filter((area) => existsSync(catalogPath(language, area)));
  return areas.flatMap((area) => {
    const translated = JSON.stringify(readCatalog(language, area));
    return Object.values(readCatalog('en', area))
      .flatMap((group) => Object.values(group).flatMap(longPartsOf))
      .filter((part) => !translated.includes(JSON.stringify(part).slice(1, -1)));
  });
}

async function chooseOnDevice({ page }: Visitor, language: Language): Promise<void> {
  await page.evaluate(`localStorage.setItem('language', '${language}'); localStorage.setItem('language-chosen', 'yes')`);
}

const shownText = ({ page }: Visitor): Promise<string> => page.evaluate('document.body.innerText');
const pageLanguage = ({ page }: Visitor): Promise<string> => page.evaluate('document.documentElement.lang');

async function expectNoOverflow({ page, settled }: Visitor): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await settled();
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${page.url()} at ${width} pixels`).toBe(width);
  }
}

async function visitorsIn(language: Language): Promise<ReadonlyArray<readonly [visitor: Visitor, paths: readonly string[]]>> {
  const [signedOut, signedIn] = [await dashboard.visitor(), await dashboard.visitor()];
  await signedOut.open('/sign-in');
  await signedIn.signIn(world.logins.creator);
  await chooseOnDevice(signedOut, language);
  await chooseOnDevice(signedIn, language);
  return [
    [signedOut, publicPages],
    [signedIn, ownPages],
  ];
}

describe.each(languages)('in %s', (language) => {
  test('each page for visitors and creators shows its language, no English text, and nothing that overflows', async () => {
    const foreign = language === 'en' ? [] : foreignTexts(language);
    for (const [visitor, paths] of await visitorsIn(language)) {
      for (const path of paths) {
        await visitor.open(addressOf(path));
        expect(await pageLanguage(visitor), path).toBe(language);
        const shown = await shownText(visitor);
        expect(
          foreign.filter((text) => shown.includes(text)),
          path,
        ).toEqual([]);
        await expectNoOverflow(visitor);
      }
      expect(visitor.complaints).toEqual([]);
    }
  });
});

test('a creator reads in German what a sale earns, with a German day, amount, and percentage', async () => {
  const visitor = await dashboard.visitor();
  await visitor.signIn(world.logins.creator);
  await chooseOnDevice(visitor, 'de');
  const { json } = await merchantIn(dashboard.service, world).api('GET', `/creators/${world.creator.id}/commissions`);
  const sale = json.data.find(({ eligible_cents: cents }: { readonly eligible_cents: number }) => cents === 500_000);
  await visitor.open(`/creator/sales?open=${sale.id}`);
  const explanation = visitor.page.getByRole('dialog').getByText(/^Die Bestellung bringt /);
  await explanation.waitFor();
  expect(await explanation.innerText()).toMatch(
    /^Die Bestellung bringt 500,00 USD ein: 10\u00a0% von 5\.000,00 USD sind 500,00 USD\. Die Rückgabefrist endet am \d+\. \p{L}+ \d{4}\.$/u,
  );
  expect(visitor.complaints).toEqual([]);
});

/** Translations are up to 40% longer than English. */
const paddedTo = (text: string): string => `${text} ${'längere '.repeat(Math.ceil((text.length * 0.4) / 8)).trim()}`;

test('texts that are 40% longer than in English do not overflow', async () => {
  const catalogs = pageAreas.map((area): readonly [string, CatalogFile] => [
    area,
    Object.fromEntries(
      Object.entries(readCatalog('en', area)).map(([group, texts]) => [
        group,
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, paddedTo(text)])),
      ]),
    ),
  ]);
  for (const [visitor, paths] of await visitorsIn('de')) {
    const replaced: string[] = [];
    // The German texts are the only chunk that the pages load for the language.
    await visitor.page.route(/\/assets\/de-[^/]+\.js$/, (route) => {
      replaced.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: `export default ${catalogsSource(catalogs)};` });
    });
    for (const path of paths) {
      await visitor.open(addressOf(path));
      expect(await shownText(visitor), path).toContain('längere');
      await expectNoOverflow(visitor);
    }
    expect(replaced.length).toBeGreaterThan(0);
  }
});

test('a visitor chooses a language on the sign-in page, and it stays on this device', async () => {
  const visitor = await dashboard.visitor();
  await visitor.open('/sign-in');
  expect(await pageLanguage(visitor)).toBe('en');
  await visitor.page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect.poll(() => pageLanguage(visitor)).toBe('de');
  await visitor.open('/forgot-password');
  expect(await pageLanguage(visitor)).toBe('de');
});

test('a creator chooses a language in the account menu, which saves it to the profile', async () => {
  const visitor = await dashboard.visitor();
  await visitor.signIn(world.logins.creator);
  await visitor.open('/creator');
  await visitor.page.getByRole('button', { name: world.logins.creator.email }).click();
  await visitor.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect.poll(() => pageLanguage(visitor)).toBe('de');
  await visitor.settled();
  expect(await visitor.page.getByText(/\d,\d\d USD/).count()).toBeGreaterThan(0);

  const elsewhere = await dashboard.visitor();
  await elsewhere.signIn(world.logins.creator);
  await expect.poll(() => pageLanguage(elsewhere)).toBe('de');
  await elsewhere.page.goto('/creator');
  await elsewhere.settled();
  expect(await pageLanguage(elsewhere)).toBe('de');
});

test('a language that was chosen on the device outranks the profile', async () => {
  const visitor = await dashboard.visitor();
  await visitor.open('/sign-in');
  await chooseOnDevice(visitor, 'en');
  await visitor.signIn(world.logins.creator);
  await visitor.open('/creator');
  expect(await pageLanguage(visitor)).toBe('en');
});

test('a page without translations is loaded in English, and the next translated page in the chosen language', async () => {
  const visitor = await dashboard.visitor();
  await visitor.signIn(world.logins.creator);
  await chooseOnDevice(visitor, 'de');
  await visitor.open('/creator');
  expect(await pageLanguage(visitor)).toBe('de');
  await visitor.page.locator('nav a[href="/creator/api-keys"]').click();
  await expect.poll(() => pageLanguage(visitor)).toBe('en');
  await visitor.settled();
  await visitor.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await visitor.page.goBack();
  await expect.poll(() => pageLanguage(visitor)).toBe('de');
});

async function signUpInGerman({ page, open, settled }: Visitor, email: string): Promise<void> {
  await open(addressOf('/programs/$program'));
  await page.getByRole('link', { name: 'Konto erstellen' }).click();
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(email);
  await page.getByRole('button', { name: 'Link senden' }).click();
  // The test service records emails for operators instead of sending them.
  await page.getByRole('heading', { name: 'E-Mail nicht gesendet' }).waitFor();
  const [sent] = await emailsTo(dashboard.service, email);
  expect(sent?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Tributary');
  await open(/\/link\S*#\S+/.exec(sent?.text ?? '')?.[0] ?? '');
  await page.getByRole('textbox', { name: 'Ihr Name' }).fill('Nora Neumann');
  await page.getByRole('textbox', { name: 'Passwort' }).fill('ein langes und gutes Passwort');
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await page.waitForURL(({ pathname }) => pathname.startsWith('/programs/'));
  await settled();
}

test('a creator with a German browser signs up, applies, and creates the first link in German', async () => {
  const nora = await dashboard.visitor({ locale: 'de-AT' });
  const email = 'nora.neumann@people.example';
  await signUpInGerman(nora, email);
  await nora.page.getByRole('textbox', { name: 'Creator-Name' }).fill('Noras Notizen');
  await nora.page.getByRole('button', { name: 'Creator-Konto erstellen und bewerben' }).click();
  await nora.page.getByRole('button', { name: 'Beworben', exact: true }).waitFor();

  const { api } = merchantIn(dashboard.service, world);
  const members = `/stores/${world.store.id}/programs/${world.program.id}/members`;
  const { json } = await api('GET', members);
  const applied = json.data.find(({ status }: { readonly status: string }) => status === 'applied');
  await api('PATCH', `${members}/${applied.id}`, { status: 'approved' });
  expect((await emailsTo(dashboard.service, email))[0]?.subject).toMatch(/^Sie sind dabei: /);

  await nora.open('/creator/links');
  await nora.page.getByRole('button', { name: 'Link erstellen' }).click();
  await nora.page.getByRole('dialog').getByRole('button', { name: 'Link erstellen' }).click();
  await nora.page.getByRole('cell').filter({ hasText: '/r/' }).waitFor();
  expect(await pageLanguage(nora)).toBe('de');
  expect(nora.complaints).toEqual([]);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import { expect, test } from 'vitest';
import { flattenCatalog, listArguments } from '../../scripts/message-arguments.ts';
import { cents } from '../../src/core/money.ts';
import { explanationTexts, formatMessage, type EmailMessageId } from '../../src/messages/format-message.ts';
import { languages, translatedAreas, type Language } from '../../locales/languages.ts';
import { readSources } from '../architecture/source.ts';

const readCatalog = (language: Language, area: string) =>
  flattenCatalog(JSON.parse(readFileSync(`locales/${language}/${area}.json`, 'utf8')));
const english = readCatalog('en', 'emails');
const catalogs = languages.flatMap((language) => translatedAreas.map((area) => ({ language, area })));

test('each area that creators read is in English', () => {
  expect(translatedAreas.filter((area) => !existsSync(`locales/en/${area}.json`))).toEqual([]);
});

test('each language has a folder of catalogs, and each folder is a language', () => {
  const folders = readdirSync('locales', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(languages.toSorted());
});

test.each(catalogs)('the $area of $language have the messages and arguments of the English ones', ({ language, area }) => {
  const [catalog, original] = [readCatalog(language, area), readCatalog('en', area)];
  expect([...catalog.keys()]).toEqual([...original.keys()]);
  const argumentsIn = (texts: ReadonlyMap<string, string>) =>
    Object.fromEntries([...texts].map(([id, text]) => [id, Object.fromEntries([...listArguments(text)].toSorted())]));
  expect(argumentsIn(catalog)).toEqual(argumentsIn(original));
});

/** An ASCII apostrophe starts a quotation in ICU MessageFormat, so that an argument after it would not be replaced. */
test.each(catalogs)('no message in the $area of $language is empty or has an ASCII apostrophe', ({ language, area }) => {
  expect([...readCatalog(language, area)].filter(([, text]) => text.trim() === '' || text.includes("'"))).toEqual([]);
});

test('a day in an email or on the page of a program is in UTC, and says so, except in a subject', () => {
  const areas = languages.flatMap((language) => ['emails', 'program-page'].map((area) => ({ language, area })));
  const withoutZone = areas.flatMap(({ language, area }) =>
    [...readCatalog(language, area)].flatMap(([id, text]) =>
      /, day\}(?! ?[(（]UTC)/.test(text) && !id.endsWith('.subject') ? [`${language} ${id}`] : [],
    ),
  );
  expect(withoutZone).toEqual([]);
});

test.each(catalogs)('the plurals in the $area of $language have the categories of the language', ({ language, area }) => {
  const known = new Set<string>(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  const unknown = [...readCatalog(language, area)].flatMap(([id, text]) =>
    pluralKeys(parse(text)).flatMap((key) => (known.has(key) || /^=\d+$/.test(key) ? [] : [`${id}: ${key}`])),
  );
  expect(unknown).toEqual([]);
});

function pluralKeys(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) =>
    'cases' in token
      ? token.cases.flatMap(({ key, tokens: nested }) => [...(token.type === 'plural' ? [key] : []), ...pluralKeys(nested)])
      : [],
  );
}

test('the code uses every message', () => {
  const code = readSources('src/**/*.ts')
    .filter(({ path }) => path !== 'src/messages/email-messages.ts')
    .map(({ text }) => text)
    .join('\n');
  // Some IDs are composed, such as `dispute_answered.${answered}`.
  const prefixes = [...code.matchAll(/emailMessage\(`([a-z_.]+)\$\{/g)].map(([, prefix = '']) => prefix);
  expect([...english.keys()].filter((id) => !code.includes(`'${id}'`) && !prefixes.some((prefix) => id.startsWith(prefix)))).toEqual([]);
});

const glossary = /\b(whoever|whom|nobody|somebody|told|tells|stands|hears|bill|bills|shop|e-mail|mails?)\b|by itself|goes on|at once\b/i;

test('English messages use the words of the glossary', () => {
  expect([...english].filter(([, text]) => glossary.test(text))).toEqual([]);
});

const longName = `<b>${'A'.repeat(200)}</b> & “sons”`;
const extremeCounts = [0, 1, 2, 21, 1_000_000];
const extremeAmounts = [0, 1, 2, 100_000_000].map(cents);

/** Values of one type; the longest list decides how often a message is formatted. */
function extremesOf(type: string): readonly unknown[] {
  switch (type) {
    case 'number':
      return extremeCounts;
    case 'Cents':
      return extremeAmounts;
    case 'Date':
      return [new Date('2026-01-01T00:00:00Z'), new Date('2027-12-31T23:59:59Z')];
    default:
      return ['', longName];
  }
}

/** The types of the arguments are known only for a literal ID. */
type Format = (language: Language, id: string, args: Readonly<Record<string, unknown>>) => string;
const formatEmail: Format = (language, id, args) => formatMessage(language, { id: id as EmailMessageId, args });
const formatExplanation: Format = (language, id, args) => (explanationTexts(language) as (id: string, args: object) => string)(id, args);

const formatted = languages.flatMap((language) => [
  { language, area: 'emails', format: formatEmail },
  { language, area: 'api-explanations', format: formatExplanation },
]);

test.each(formatted)('every message in the $area of $language can be formatted with extreme values', ({ language, area, format }) => {
  for (const [id, text] of readCatalog('en', area)) {
    const values = [...listArguments(text)].map(([name, type]) => [name, extremesOf(type)] as const);
    for (const round of extremeCounts.keys()) {
      const args = Object.fromEntries(values.map(([name, extremes]) => [name, extremes[round % extremes.length]]));
      const said = format(language, id, args);
      expect(said, id).not.toMatch(/[{}]|undefined|NaN|Invalid|\[object/);
      expect(said.trim(), id).not.toBe('');
    }
  }
});

test('amounts, dates, and percentages are written as the language writes them, and amounts above 2^53 are exact', () => {
  const total = cents(900_719_925_474_099_399n);
  const of = (language: Language) => formatMessage(language, { id: 'invoice.subject', args: { store: 'Acme', number: 'INV-1', total } });
  expect(of('en')).toBe('Acme: invoice INV-1 for 9,007,199,254,740,993.99 USD');
  expect(of('de')).toBe('Acme: Rechnung INV-1 über 9.007.199.254.740.993,99 USD');
  const raise = { id: 'fee_raise_announced.subject', args: { fee: 525, date: new Date('2026-03-04T12:00:00Z') } } as const;
  expect(formatMessage('en', raise)).toBe('Platform fee changes to 5.25% on March 4, 2026');
  expect(formatMessage('de', raise)).toBe('Die Plattformgebühr beträgt ab 4. März 2026 5,25\u00a0%');
});

test('the image contains the catalogs', () => {
  expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain('!locales');
});

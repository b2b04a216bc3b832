import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { merchantSettings, settings } from '../../src/core/config.ts';
import { secretSettings } from '../../src/core/secret-files.ts';

/** Everything that the documents name exists, and every setting is documented. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'sdk/README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const operate = readFileSync('docs/operate.md', 'utf8');

type Package = { readonly scripts: Readonly<Record<string, string>> };
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** The entries of a list, or the keys of an object, in our own source. */
const wordsIn = (path: string, from: string, to: string): readonly string[] => {
  const text = readFileSync(path, 'utf8');
  const part = text.slice(text.indexOf(from) + from.length);
  return [...part.slice(0, part.indexOf(to)).matchAll(/'([a-z-]+)'|\b([a-z]+)\b/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
};
const commands = [
  ...wordsIn('cli/main.ts', 'Readonly<Record<string, Command>> = {', '}'),
  ...wordsIn('cli/main.ts', 'operatorCommands: readonly string[] = [', ']'),
];

test.each(pages)('every command that $path names exists', ({ text }) => {
  for (const [, script = ''] of text.matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)) expect(Object.keys(scripts)).toContain(script);
  const named = text.matchAll(/(?:npm run (?:--silent )?cli -- |cli\/main\.ts )([a-z][a-z-]*)/g);
  for (const [, command = ''] of named) expect(commands).toContain(command);
});

test.each(pages)('every file that $path names exists', ({ path, text }) => {
  const named = [...text.matchAll(/`((?:ops|src|test|scripts|migrations|bench|cli|docs)\/[\w./*-]+\.\w+)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !name.includes('*') && !existsSync(name))).toEqual([]);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, name = '']) => name);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  expect(links.filter((name) => !existsSync(folder + name))).toEqual([]);
});

/** Variables of the tests and of other programs, each named somewhere in our documents. */
const ofOthers = ['TEST_DATABASE_URL', 'CHROMIUM_PATH', 'CITUS_URL', 'CITUS_WORKERS'];
const known = new Set<string>([
  ...Object.keys(settings),
  ...merchantSettings,
  ...secretSettings.map((name) => `${name}_FILE`),
  ...ofOthers,
]);
/** Capitalized words that are not variables. */
const words = ['SIGTERM', 'SIGHUP', 'SIGKILL', 'HEAD', 'POST', 'PATCH', 'DELETE', 'COMMIT', 'COPY', 'FILE', 'NAME_FILE', 'CTRL'];

test('every variable that docs/operate.md names is read by the code', () => {
  const pieces = [...operate.matchAll(/`([^`\n]+)`|^```\w*\n([\s\S]*?)^```/gm)];
  const inCode = pieces.map(([, inline, block]) => inline ?? block ?? '').join('\n');
  const named = new Set([...inCode.matchAll(/(?<![\w.$/-])([A-Z][A-Z_]{3,})(?![\w-])/g)].map(([, name = '']) => name));
  expect([...named].filter((name) => !known.has(name) && !words.includes(name))).toEqual([]);
});

test('every variable that the code reads is documented in docs/operate.md or in the command-line page', () => {
  const commandLine = readFileSync('docs/command-line.md', 'utf8');
  const unnamed = (text: string, names: readonly string[]) => names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  expect(unnamed(operate, [...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`)])).toEqual([]);
  expect(unnamed(commandLine, merchantSettings)).toEqual([]);
});

test('every heading that docs/operate.md links to exists', () => {
  const titles = [...operate.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
  const anchors = titles.map((title) => title.replace(/[^\w -]/g, '').replaceAll(' ', '-'));
  const linkedAnchors = [...operate.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(linkedAnchors.length).toBeGreaterThan(5);
  expect(linkedAnchors.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
});

test('every operator page that docs/operate.md names is in the menu', () => {
  const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(readFileSync('locales/en/shell.json', 'utf8'));
  const menu = Object.values(messages['operator_navigation'] ?? {});
  const named = [...operate.matchAll(/Operator → (API keys|Billing runs|[A-Z]\w+)/g)].map(([, label = '']) => label);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((label) => ![...menu, 'Charges'].includes(label))).toEqual([]);
  expect(readFileSync('web/src/app/routes/operator.tsx', 'utf8')).toContain(`path: '/charges'`);
});

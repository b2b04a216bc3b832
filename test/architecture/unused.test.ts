import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources, type Source } from './source.ts';
import { unusedCode, unusedPackages } from './unused.ts';

const sources = readSources(
  '{src,cli,sdk,demo,scripts,test,bench}/**/*.{ts,tsx,mjs}',
  'web/{src/**/*.{ts,tsx},*.ts}',
  'locales/*.ts',
  '*.config.ts',
);
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

test('every file and every export is used', () => {
  expect(unusedCode(sources)).toEqual([]);
});

test('every dependency is imported, and every imported package is a dependency', () => {
  expect(unusedPackages(sources, Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))).toEqual([]);
});

const source = (path: string, text: string): Source => ({ path, text });
const main = (text: string): Source => source('src/app/main.mjs', text);

test('finds a file that no entry point reaches', () => {
  expect(unusedCode([main(''), source('src/core/lost.ts', '')])).toEqual(['src/core/lost.ts is imported by no entry point']);
});

test('finds a file that is started and does not exist', () => {
  expect(unusedCode([main("new URL('./worker.ts', import.meta.url);")])).toEqual(['src/app/worker.ts is started, and does not exist']);
});

test.each([
  ['a function', 'export function lost(): void {}'],
  ['a constant', 'export const lost = 1;'],
  ['a type', 'export type lost = number;'],
])('finds %s that is exported and not used', (_kind, text) => {
  const imports = [main("import { used } from '../core/a.ts'; used();"), source('src/core/a.ts', `export const used = () => {};\n${text}`)];
  expect(unusedCode(imports)).toEqual(['src/core/a.ts:2 exports lost, which nothing uses']);
});

test('a member of a namespace import is used, the others are not', () => {
  const imports = [
    main("import * as a from '../core/a.ts'; a.used();"),
    source('src/core/a.ts', 'export const used = () => {};\nexport const lost = 1;'),
  ];
  expect(unusedCode(imports)).toEqual(['src/core/a.ts:2 exports lost, which nothing uses']);
});

test('an export that its own file uses is not reported, and neither is a file that a worker thread runs', () => {
  const worker = source('src/app/worker-thread.ts', 'export const shared = 1;\nconsole.log(shared);');
  expect(unusedCode([main("new Worker(new URL('./worker-thread.ts', import.meta.url));"), worker])).toEqual([]);
});

test('finds a dependency without an import, and an import without a dependency', () => {
  expect(unusedPackages([main("import 'pg'; import 'left-pad/index.js';")], ['pg', '@a/b'])).toEqual([
    'no file imports the package @a/b',
    'src/app/main.mjs:1 imports left-pad, which package.json does not list',
  ]);
});

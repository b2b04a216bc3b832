import { expect, test } from 'vitest';
import { importsOf, lintKeys, shapeOf, type Seeing } from './lint-keys.ts';

type Files = Readonly<Record<string, string>>;

const seeingOf = (files: Files): Seeing => ({
  read: (path) => files[path] ?? null,
  imports: (path, text) => importsOf(path, text, (one) => files[one] !== undefined),
  shape: shapeOf,
});
const keysOf = (files: Files, settings = '') => lintKeys(Object.keys(files), settings, seeingOf(files));

/** The files that are linted again after a change. */
function changedBy(before: Files, change: Files): readonly string[] {
  const [one, other] = [keysOf(before), keysOf({ ...before, ...change })];
  return [...(other ?? [])].filter(([path, key]) => one?.get(path) !== key).map(([path]) => path);
}

const files = {
  'src/a.ts': 'import { b } from "./b.ts";\nexport const a = b();\n',
  'src/b.ts': "import { c } from './c.ts';\nexport function b(): number {\n  return c.length;\n}\n",
  'src/c.ts': "export const c = 'c';\n",
  'src/other.ts': "import type { x } from 'package';\nexport type Other = typeof x;\n",
  'web/src/page.tsx': 'export const page = 1;\n',
};

test('a changed body whose function has a result type, and a changed comment, are linted in their file only', () => {
  expect(changedBy(files, { 'src/b.ts': files['src/b.ts'].replace('c.length', '2 * c.length') })).toEqual(['src/b.ts']);
  expect(changedBy(files, { 'src/c.ts': `// A comment.\n${files['src/c.ts']}` })).toEqual(['src/c.ts']);
});

test.each([
  ['an exported value', "export const c = 'd';\n", ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['a function without a result type', 'export const c = { length: (() => 1)() };\n', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
])('%s that changed is linted with all files that import it, also indirectly', (_what, text, expected) => {
  expect(changedBy(files, { 'src/c.ts': text })).toEqual(expected);
});

test('a changed result type is linted with the importing files, and a missing file when it appears', () => {
  expect(changedBy(files, { 'src/b.ts': files['src/b.ts'].replace('number', 'unknown') })).toEqual(['src/a.ts', 'src/b.ts']);
  const { 'src/c.ts': c, ...without } = files;
  expect(changedBy(without, { 'src/c.ts': c })).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
});

test('an ambient declaration concerns all files of its program, and other settings all files', () => {
  const all = Object.keys(files);
  expect(changedBy(files, { 'src/d.d.ts': "declare module 'package';\n" })).toEqual([...all, 'src/d.d.ts']);
  expect(changedBy(files, { 'web/src/d.d.ts': 'declare const d: number;\n' })).toEqual(['web/src/page.tsx', 'web/src/d.d.ts']);
  const [one, other] = [keysOf(files), keysOf(files, 'another rule')];
  expect(all.filter((path) => one?.get(path) === other?.get(path))).toEqual([]);
});

test('there are no keys when imports form a cycle', () => {
  expect(keysOf({ 'a.ts': "import './b.ts';", 'b.ts': "export * from './a.ts';" })).toBeNull();
});

test.each([
  ["import { a } from './a.ts';", ['src/a.ts']],
  ["export type { A } from '../sdk/a.ts';", ['sdk/a.ts']],
  ["type A = import('./a').A;", ['src/a.ts']],
  ["const a = await import(\n  './a.js'\n);", ['src/a.ts']],
  ["import 'package';", []],
])('finds the imported files of %s', (text, expected) => {
  expect(importsOf('src/one.ts', text, (path) => ['src/a.ts', 'sdk/a.ts'].includes(path))).toEqual(expected);
});

test('a body is part of the shape where its type depends on it', () => {
  expect(shapeOf('a.ts', 'export const f = (): number => 1;')).toBe('export const f = (): number => {};');
  expect(shapeOf('a.ts', 'export const f = () => 1;')).toBe('export const f = () => 1;');
  expect(shapeOf('a.mjs', '/** @returns {number} */ export const f = () => 1;')).toContain('@returns');
});

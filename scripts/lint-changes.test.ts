import { expect, test } from 'vitest';
import { affectedFiles, importsOf, shapeOf } from './lint-changes.ts';

type Files = Readonly<Record<string, string>>;

const textsOf = (files: Files) => new Map(Object.entries(files));

/** The files that are checked again after a change. */
function affectedBy(before: Files, change: Files): readonly string[] {
  return [...affectedFiles(textsOf(before), textsOf({ ...before, ...change }))].toSorted();
}

const files = {
  'src/a.ts': 'import { b } from "./b.ts";\nexport const a = b();\n',
  'src/b.ts': "import { c } from './c.ts';\nexport function b(): number {\n  return c.length;\n}\n",
  'src/c.ts': "export const c = 'c';\n",
  'src/other.ts': "import type { x } from 'package';\nexport type Other = typeof x;\n",
  'web/src/page.tsx': 'export const page = 1;\n',
};

test('a changed body whose function has a result type, and a changed comment, are linted in their file only', () => {
  expect(affectedBy(files, { 'src/b.ts': files['src/b.ts'].replace('c.length', '2 * c.length') })).toEqual(['src/b.ts']);
  expect(affectedBy(files, { 'src/c.ts': `// A comment.\n${files['src/c.ts']}` })).toEqual(['src/c.ts']);
});

test.each([
  ['an exported value', "export const c = 'd';\n", ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['a function without a result type', 'export const c = { length: (() => 1)() };\n', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
])('%s that changed is linted with all files that import it, also indirectly', (_what, text, expected) => {
  expect(affectedBy(files, { 'src/c.ts': text })).toEqual(expected);
});

test('a changed result type is linted with the importing files, and so is a file that appears or disappears', () => {
  expect(affectedBy(files, { 'src/b.ts': files['src/b.ts'].replace('number', 'unknown') })).toEqual(['src/a.ts', 'src/b.ts']);
  const { 'src/c.ts': c, ...without } = files;
  expect(affectedBy(without, { 'src/c.ts': c })).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
  expect([...affectedFiles(textsOf(files), textsOf(without))].toSorted()).toEqual(['src/a.ts', 'src/b.ts']);
});

test('an ambient declaration that changed concerns all files', () => {
  expect(affectedBy(files, { 'src/d.d.ts': "declare module 'package';\n" })).toEqual([...Object.keys(files), 'src/d.d.ts'].toSorted());
});

test('files that import each other are found once', () => {
  const circle = { 'a.ts': "import './b.ts';", 'b.ts': "export * from './a.ts';" };
  expect(affectedBy(circle, { 'a.ts': "import './b.ts';\nexport const a = 1;" })).toEqual(['a.ts', 'b.ts']);
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

import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type * as Vite from 'vite';

const isTyped = (path: string): boolean => /\.tsx?$/.test(path);
/** Affects files that do not import it: a declaration file, one that adds to declarations of others, and one that is no module. */
const isAmbient = (path: string, text: string): boolean =>
  path.endsWith('.d.ts') || /^\s*declare (?:global|module)\b/m.test(text) || (isTyped(path) && !/^(?:import|export)\b/m.test(text));

/** The texts of files by path. */
export type Texts = ReadonlyMap<string, string>;

/**
 * The files whose findings may differ from those of an earlier run: those that changed, and those that import, directly or indirectly, a
 * file of which something changed that other files can see.
 */
export function affectedFiles(before: Texts, after: Texts): ReadonlySet<string> {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  const visible = changed.filter((path) => isVisible(path, before.get(path), after.get(path)));
  const isForAll = visible.some((path) => [before, after].some((texts) => isAmbient(path, texts.get(path) ?? 'export')));
  if (isForAll) return new Set(after.keys());
  return new Set([...changed.filter((path) => after.has(path)), ...importersOf(visible, after)]);
}

function isVisible(path: string, before: string | undefined, after: string | undefined): boolean {
  return before === undefined || after === undefined || shapeOf(path, before) !== shapeOf(path, after);
}

/** All files that import one of these, directly or indirectly. */
function importersOf(paths: readonly string[], texts: Texts): ReadonlySet<string> {
  if (paths.length === 0) return new Set();
  const importers = new Map<string, string[]>();
  for (const [path, text] of texts)
    for (const imported of importsOf(path, text, (one) => texts.has(one))) {
      const known = importers.get(imported);
      if (known === undefined) importers.set(imported, [path]);
      else known.push(path);
    }
  const found = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (const importer of importers.get(path) ?? [])
      if (!found.has(importer)) {
        found.add(importer);
        open.push(importer);
      }
  return found;
}

const importPattern = /(?:\bfrom|\bimport|<reference path=)[\s(]*(['"])([^'"\n]+)\1/g;
/** What a path without its ending may stand for. */
const endings = ['', '.ts', '.tsx', '.d.ts', '.js', '.mjs', '/index.ts', '/index.tsx'];

/** Text in comments and strings may look like an import. Such a file counts as imported, or as missing, which only costs time. */
export function importsOf(path: string, text: string, exists: (path: string) => boolean): readonly string[] {
  const places = [...text.matchAll(importPattern)].flatMap(([, , from = '']) =>
    from.startsWith('.') ? posix.join(posix.dirname(path), from) : [],
  );
  const resolve = (place: string): string => [...endings.map((ending) => place + ending), place.replace(/js$/, 'ts')].find(exists) ?? place;
  return [...new Set(places.map(resolve))].toSorted();
}

/** Loaded only to parse: without changes there is nothing to parse. */
const loadParser = (): typeof Vite => createRequire(import.meta.url)('vite') as typeof Vite;

/**
 * The text without comments and without the bodies of functions whose results have types: no type outside of the body depends on those.
 * JavaScript has types in its comments, and stays as it is.
 */
export function shapeOf(path: string, text: string): string {
  if (!isTyped(path)) return text;
  const { parseSync, Visitor } = loadParser();
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) return text;
  const hidden = comments.map(({ start, end }) => ({ start, end, instead: ' ' }));
  const hideBody = ({ returnType, body }: Vite.ESTree.Function | Vite.ESTree.ArrowFunctionExpression): void => {
    if (returnType && body) hidden.push({ start: body.start, end: body.end, instead: '{}' });
  };
  new Visitor({ FunctionDeclaration: hideBody, FunctionExpression: hideBody, ArrowFunctionExpression: hideBody }).visit(program);
  let shape = '';
  let end = 0;
  for (const span of hidden.toSorted((one, other) => one.start - other.start)) {
    if (span.start < end) continue;
    shape += text.slice(end, span.start) + span.instead;
    end = span.end;
  }
  return (shape + text.slice(end)).replaceAll(/\s+/g, ' ').trim();
}

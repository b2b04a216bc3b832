import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type * as Vite from 'vite';

const isTyped = (path: string): boolean => /\.tsx?$/.test(path);
/** Affects files that do not import it: a declaration file, one that adds to declarations of others, and one that is no module. */
const isAmbient = (path: string, text: string): boolean =>
  path.endsWith('.d.ts') || /^\s*declare (?:global|module)\b/m.test(text) || (isTyped(path) && !/^(?:import|export)\b/m.test(text));
/** The dashboards are a program of the compiler, and everything else is in others, which do not see the ambient files of the dashboards. */
const isOfDashboards = (path: string): boolean => path.startsWith('web/');

export const hashOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return hash.digest('base64url');
};

/**
 * A key for each file that the linter reads: everything that its findings depend on. Those are the file, the `settings` of the linter and
 * the compiler, what the file can see of all files that it imports directly or indirectly, and ambient declarations. Null: the imports form
 * a cycle, which `test/architecture` reports, and there are no keys.
 */
export function lintKeys(paths: readonly string[], settings: string, seeing: Seeing): ReadonlyMap<string, string> | null {
  const deep = deepHashes(seeing);
  const ambient = ambientHashes(paths, seeing);
  const keys = new Map<string, string>();
  for (const path of paths) {
    const text = seeing.read(path) ?? '';
    const below = seeing.imports(path, text).map(deep);
    if (below.includes(null)) return null;
    const seesDashboards = isOfDashboards(path) || below.some((one) => one?.seesDashboards === true);
    const visible = [ambient.outside, ...(seesDashboards ? [ambient.dashboards] : [])];
    keys.set(path, hashOf(settings, path, text, ...below.map((one) => one?.hash ?? ''), ...visible));
  }
  return keys;
}

/** `importsOf` and `shapeOf`, or what is remembered of them. */
export type Seeing = {
  /** Null if the file does not exist. */
  readonly read: (path: string) => string | null;
  readonly imports: (path: string, text: string) => readonly string[];
  readonly shape: (path: string, text: string) => string;
};

type Deep = { readonly hash: string; readonly seesDashboards: boolean };

/** What can be seen of a file and of everything that it imports. Null if its imports form a cycle. */
function deepHashes({ read, imports, shape }: Seeing): (path: string) => Deep | null {
  const known = new Map<string, Deep | null>();
  return function deep(path): Deep | null {
    const before = known.get(path);
    if (before !== undefined) return before;
    // While it is computed: a cycle meets it again.
    known.set(path, null);
    const text = read(path);
    const below = text === null ? [] : imports(path, text).map(deep);
    if (below.includes(null)) return null;
    const hashes = below.map((one) => one?.hash ?? '');
    const seesDashboards = isOfDashboards(path) || below.some((one) => one?.seesDashboards === true);
    const made = { hash: hashOf(path, text === null ? 'missing' : shape(path, text), ...hashes), seesDashboards };
    known.set(path, made);
    return made;
  };
}

function ambientHashes(paths: readonly string[], { read, shape }: Seeing) {
  const [dashboards, outside]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const text = read(path) ?? '';
    if (isAmbient(path, text)) (isOfDashboards(path) ? dashboards : outside).push(path, shape(path, text));
  }
  return { dashboards: hashOf(...dashboards), outside: hashOf(...outside) };
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

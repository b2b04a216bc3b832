import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor, type ESTree, type VisitorObject } from 'vite';

/** A file as the house rules see it: its path from the project's root, with `/` on every system, and its text. */
export type Source = { readonly path: string; readonly text: string };

export type Import = {
  readonly from: string;
  /** The file that is meant, from the project's root; null for packages. */
  readonly target: string | null;
  /** What is imported to run, `*` for all of it; types are left out. */
  readonly names: readonly string[];
  readonly isReExport: boolean;
  readonly place: string;
};

/** Made by a tool, not by hand: no rule on writing concerns them. */
const isMade = (path: string) => /\.min\.js$|(^|\/)(node_modules|dist|\.[^/]+)\//.test(path);

export function readSources(...patterns: readonly string[]): readonly Source[] {
  const paths = globSync([...patterns]).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => !isMade(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const programs = new WeakMap<Source, ESTree.Program>();

/** The rules look at what the parser understood, not at text: a comment or a string is no offence. */
export function look(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(programOf(source));
}

export function programOf(source: Source): ESTree.Program {
  const known = programs.get(source);
  if (known) return known;
  const { program, errors } = parseSync(source.path, source.text);
  const [error] = errors;
  if (error) throw new Error(`${source.path} cannot be parsed: ${error.message}`);
  programs.set(source, program);
  return program;
}

export function placeOf(source: Source, { start }: { readonly start: number }): string {
  return `${source.path}:${source.text.slice(0, start).split('\n').length}`;
}

export const isTest = (path: string) => /\.test\.tsx?$/.test(path);

export function importsOf(source: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (node: ESTree.Span, from: string, names: readonly string[], isReExport = false) => {
    const target = from.startsWith('.') ? posix.join(posix.dirname(source.path), from) : null;
    found.push({ from, target, names, isReExport, place: placeOf(source, node) });
  };
  look(source, {
    ImportDeclaration: (node) => add(node, node.source.value, valuesOf(node)),
    ExportNamedDeclaration: (node) => node.source && add(node, node.source.value, node.exportKind === 'type' ? [] : ['*'], true),
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === 'type' ? [] : ['*'], true),
    ImportExpression: (node) => add(node, textOf(node.source) ?? computed, ['*']),
    TSImportType: (node) => add(node, node.source.value, []),
  });
  return found;
}

/** An address that only running tells; no rule can follow it. */
export const computed = '(computed)';

function valuesOf(node: ESTree.ImportDeclaration): readonly string[] {
  if (node.importKind === 'type') return [];
  if (node.specifiers.length === 0) return ['*'];
  return node.specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ImportSpecifier') return ['*'];
    if (specifier.importKind === 'type') return [];
    return [specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value];
  });
}

export function textOf(node: ESTree.Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral' || node.quasis.length !== 1) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

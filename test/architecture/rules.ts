import type { ESTree } from 'vite';
import { computed, importsOf, isTest, inspect, locationOf, type Import, type Source } from './source.ts';

/** The layer table of ARCHITECTURE.md: each folder of `src/` with the number of its layer. A folder imports from lower layers only. */
export type Layers = ReadonlyMap<string, number>;

export function readLayers(architecture: string): Layers {
  return new Map(
    [...architecture.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].flatMap(([, layer = '', folders = '']) =>
      [...folders.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => [folder, Number(layer)] as const),
    ),
  );
}

/** The folders of `src/` are the folders of the layer table, and no file is outside a folder. */
export function folderViolations(layers: Layers, sources: readonly Source[]): readonly string[] {
  const inside = sources.filter(({ path }) => path.startsWith('src/'));
  const folders = new Set(inside.flatMap(({ path }) => folderOf(path) ?? []));
  return [
    ...inside
      .filter(({ path }) => folderOf(path) === null)
      .map(({ path }) => `${path} is a loose file: move it into the folder of its layer`),
    ...[...folders].filter((folder) => !layers.has(folder)).map((folder) => `src/${folder}/ has no layer in ARCHITECTURE.md`),
    ...[...layers.keys()]
      .filter((folder) => !folders.has(folder))
      .map((folder) => `ARCHITECTURE.md names src/${folder}/, which does not exist`),
  ];
}

/** `src/orders/orders-sql.ts` is in `orders`; null for a loose file. */
export const folderOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;

/**
 * What is beside `src/`, and which other top-level folders it may import: the dashboards use the API only and the merchant's package
 * nothing of ours; the merchant's command line sends with that package and validates with the service's own parsers.
 */
const otherRoots: Readonly<Record<string, readonly string[]>> = { web: ['sdk'], sdk: [], demo: ['sdk'], cli: ['sdk', 'src'], locales: [] };

/** They report what a connected account says with the code of the merchant's package, so that both report the same. */
const sharesPackage: readonly (string | null)[] = ['inbox', 'stripe-orders', 'shopify-orders'];

/** The layers of the dashboards, lowest first. */
const webLayers = ['messages', 'api', 'ui', 'session', 'features', 'app'];

export function importViolations(layers: Layers, sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => importsOf(source).flatMap((made) => importViolation(layers, source.path, made) ?? []));
}

function importViolation(layers: Layers, path: string, { from, target, isReExport, location }: Import): string | null {
  if (isReExport) return `${location} re-exports ${from}: import the file that defines it`;
  if (from === computed) return `${location} imports a computed path, which no rule can check`;
  if (target === null) return null;
  if (!/\.[a-z]+$/.test(target)) return `${location} imports ${from} without its extension`;
  return mayImport(layers, path, target) ? null : `${location} imports ${target}, which is not in a lower layer`;
}

function mayImport(layers: Layers, path: string, target: string): boolean {
  const [root = ''] = path.split('/');
  const [targetRoot = ''] = target.split('/');
  if (isTest(path) && (target.startsWith('test/support/') || (root === 'web' && targetRoot === 'web'))) return true;
  // The languages, and how messages are formatted.
  if (targetRoot === 'locales') return true;
  if (root === 'web' && targetRoot === 'web') return webLayerOf(target) <= webLayerOf(path);
  if (root in otherRoots) return targetRoot === root || (otherRoots[root] ?? []).includes(targetRoot);
  if (root !== 'src') return true;
  if (targetRoot === 'sdk') return sharesPackage.includes(folderOf(path));
  // What is built from src/app/start.ts.
  if (target === 'dist/service/start.js') return path === 'src/app/main.mjs';
  if (targetRoot !== 'src') return false;
  const [folder, targetFolder] = [folderOf(path), folderOf(target)];
  if (folder === null || targetFolder === null) return false;
  if (folder === targetFolder) return true;
  const [layer, targetLayer] = [layers.get(folder), layers.get(targetFolder)];
  return layer !== undefined && targetLayer !== undefined && targetLayer < layer;
}

function webLayerOf(path: string): number {
  const layer = webLayers.indexOf(/^web\/src\/([^/]+)\//.exec(path)?.[1] ?? '');
  return layer === -1 ? webLayers.length : layer;
}

/** The files that are loaded with a file, because it imports values of them, also through others. */
export function loadedWith(path: string, sources: readonly Source[]): ReadonlySet<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const loaded = new Set([path]);
  // The set grows while it is read.
  for (const each of loaded) {
    const source = byPath.get(each);
    for (const { target, names, isDynamic } of source ? importsOf(source) : [])
      if (target !== null && names.length > 0 && !isDynamic) loaded.add(target);
  }
  return loaded;
}

/** Files that import each other in a circle, also through others and also for types only: one line per circle. */
export function importCycles(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap(({ target }) => (target !== null && byPath.has(target) ? [target] : [])),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push([...trail.slice(start), path].join(' → '));
    if (start !== -1 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}

const fileLinesMax = 600;

/** A file holds one whole use case: 80 to 400 lines are normal. */
export function lengthViolations(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    return lines > fileLinesMax ? [`${path} has ${lines} lines; the cap is ${fileLinesMax}`] : [];
  });
}

const isDecision = (path: string) => /(^|\/)decide-[^/]+\.ts$/.test(path) && !isTest(path);

/**
 * A decision, and every file it calls, reads no clock, no randomness, no network and no database. The files of `halfPure` have
 * both kinds: there the names decide.
 */
export function decisionViolations(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.values()]
    .filter(({ path }) => isDecision(path))
    .flatMap((decision) =>
      reachedBy(decision, byPath).flatMap((source) =>
        impurities(source).map((violation) => (source === decision ? violation : `${violation} (called by ${decision.path})`)),
      ),
    );
}

const halfPure: Readonly<Record<string, readonly string[]>> = {
  'src/core/time.ts': ['realNow', 'realClock', 'sandboxClock', 'moveSandboxClock'],
  'src/core/ids.ts': ['newId', 'writeUuid'],
  // Reads the message catalogs once, when it is loaded.
  'src/messages/api-catalogs.ts': [],
};

/** Packages that only compute, each with its reason. */
const purePackages: Readonly<Record<string, string>> = { isbot: 'judges the text of a user agent and nothing else' };

function reachedBy(decision: Source, byPath: ReadonlyMap<string, Source>): readonly Source[] {
  const reached = new Set([decision]);
  // A set that grows while it is walked through is walked to its end.
  for (const source of reached) {
    for (const { target, names } of importsOf(source)) {
      const next = target === null || target in halfPure || names.length === 0 ? undefined : byPath.get(target);
      if (next) reached.add(next);
    }
  }
  return [...reached];
}

const worldObjects = new Set(['process', 'performance', 'crypto', 'globalThis']);
const worldCalls = new Set(['fetch', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'require']);
const worldMembers = new Set(['Date.now', 'Math.random']);
const worldFiles = /^src\/db\/|(^|\/)([^/]+-)?sql\.ts$/;

function impurities(source: Source): readonly string[] {
  const violations: string[] = [];
  const blame = (node: ESTree.Span, what: string) => void violations.push(`${locationOf(source, node)} ${what}`);
  const asynchronous = (node: ESTree.Span & { readonly async: boolean }) => node.async && blame(node, 'is asynchronous');
  inspect(source, {
    AwaitExpression: (node) => blame(node, 'awaits'),
    FunctionDeclaration: asynchronous,
    FunctionExpression: asynchronous,
    ArrowFunctionExpression: asynchronous,
    MetaProperty: (node) => blame(node, 'asks where it runs'),
    CallExpression: ({ callee }) => callee.type === 'Identifier' && worldCalls.has(callee.name) && blame(callee, `calls ${callee.name}`),
    NewExpression: (node) => namesDate(node.callee) && node.arguments.length === 0 && blame(node, 'asks for the time'),
    VariableDeclarator: ({ init }) => init?.type === 'Identifier' && isWorld(init.name) && blame(init, `uses ${init.name}`),
    MemberExpression(node) {
      if (node.object.type !== 'Identifier') return;
      const member = node.property.type === 'Identifier' ? `${node.object.name}.${node.property.name}` : node.object.name;
      if (worldObjects.has(node.object.name) || worldMembers.has(member)) blame(node, `uses ${member}`);
    },
  });
  for (const { location, from, target, names } of importsOf(source)) {
    if (from.startsWith('node:')) violations.push(`${location} imports ${from}`);
    if (target === null && names.length > 0 && !from.startsWith('node:') && !(from in purePackages))
      violations.push(`${location} imports the package ${from}`);
    if (target !== null && worldFiles.test(target)) violations.push(`${location} imports ${target}`);
    for (const name of names.filter((word) => halfPure[target ?? '']?.includes(word) === true))
      violations.push(`${location} imports ${name}`);
  }
  return violations;
}

const isWorld = (name: string) => worldObjects.has(name) || name === 'Math' || name === 'Date';
const namesDate = (node: ESTree.Expression) => node.type === 'Identifier' && node.name === 'Date';

/** Settings are read in one location. */
export function environmentViolations(sources: readonly Source[]): readonly string[] {
  return sources.filter(({ path }) => path !== 'src/core/config.ts' && !isTest(path)).flatMap(environmentReads);
}

function environmentReads(source: Source): readonly string[] {
  const found: string[] = [];
  inspect(source, {
    MemberExpression(node) {
      const isEnvironment = node.object.type === 'Identifier' && node.object.name === 'process' && propertyOf(node) === 'env';
      if (isEnvironment) found.push(`${locationOf(source, node)} reads the environment`);
    },
    VariableDeclarator({ init, id }) {
      if (init?.type === 'Identifier' && init.name === 'process' && id.type === 'ObjectPattern')
        found.push(`${locationOf(source, init)} takes process apart`);
    },
  });
  const imported = importsOf(source).filter(({ from, names }) => /^(node:)?process$/.test(from) && names.includes('env'));
  return [...found, ...imported.map(({ location }) => `${location} imports the environment`)];
}

function propertyOf({ property, computed: isComputed }: ESTree.MemberExpression): string | null {
  if (property.type === 'Identifier' && !isComputed) return property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

const lineColumnsMax = 140;

/** The formatter cannot break a long text or pattern, which may be wider. Comments and SQL are broken by hand. */
export function widthViolations(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const wide = source.text
      .split('\n')
      .flatMap((line, location) => ([...line].length > lineColumnsMax ? [{ line, number: location + 1 }] : []));
    if (wide.length === 0) return [];
    const unbreakable = /\.[jt]sx?$/.test(source.path) ? linesOfLongLiterals(source) : new Set<number>();
    return wide
      .filter(({ number }) => !unbreakable.has(number))
      .map(({ line, number }) => `${source.path}:${number} has ${[...line].length} columns`);
  });
}

function linesOfLongLiterals(source: Source): ReadonlySet<number> {
  const lines = new Set<number>();
  const tagged = new Set<ESTree.Node>();
  const note = ({ start, end }: ESTree.Span) => {
    const before = source.text.slice(0, end).split('\n');
    const column = before.at(-1)?.length ?? 0;
    // A comma may follow.
    if (column >= lineColumnsMax && column - (end - start) < lineColumnsMax) lines.add(before.length);
  };
  inspect(source, {
    TaggedTemplateExpression: ({ quasi }) => quasi.quasis.forEach((text) => tagged.add(text)),
    Literal: note,
    TemplateElement: (node) => !tagged.has(node) && note(node),
  });
  return lines;
}

/** A file is named after its subject. These names are drawers into which everything fits. */
const drawers = /^(index|utils?|helpers?|common|misc|shared|managers?|info|types|constants)$|-(utils?|helpers?|manager|info)$/;

export function nameViolations(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path }) => {
    const name = /([^/]+?)(\.test)?\.[a-z]+$/.exec(path)?.[1] ?? '';
    return drawers.test(name) ? [`${path} is named after no subject`] : [];
  });
}

/** The database and the browser in the tests are real, and so is our own code. */
export function mockViolations(sources: readonly Source[]): readonly string[] {
  const violations: string[] = [];
  for (const source of sources) {
    inspect(source, {
      MemberExpression(node) {
        const isMock =
          node.object.type === 'Identifier' &&
          node.object.name === 'vi' &&
          /^(do)?mock$|^(spyOn|stubGlobal)$/i.test(propertyOf(node) ?? '');
        if (isMock) violations.push(`${locationOf(source, node)} puts something in the location of our own code`);
      },
    });
  }
  return violations;
}

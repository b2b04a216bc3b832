import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSdk } from '../../scripts/build-sdk.ts';
import { env } from 'node:process';
import type { Json } from '../support/merchant.ts';
import type { Block } from './blocks.ts';

/** What a page takes from packages that are not installed here, as far as it takes it. */
const standIns: Readonly<Record<string, string>> = {
  '@medusajs/js-sdk/package.json': '{ "type": "module", "exports": "./index.js" }',
  '@medusajs/js-sdk/index.js': '',
  '@medusajs/js-sdk/index.d.ts': `
    export default class Medusa {
      client: { fetch(path: string, request: { method?: string; body?: Record<string, unknown> }): Promise<unknown> };
    }`,
};

const options = {
  target: 'es2022',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: true,
  outDir: 'out',
  rootDir: '.',
};

/** By its path in the project, without the modules. */
type Files = Readonly<Record<string, string>>;
/** `load` runs each program, and gives what it exports by the name of its file. */
export type Compiled = { readonly folder: string; readonly load: () => Promise<Record<string, Json>> };

/** The blocks as the project of a merchant's server. `changed` replaces a URL in a text with that of a fake. */
export async function compiled(blocks: readonly Block[], changed: (text: string) => string): Promise<Compiled> {
  const folder = await withPackages();
  const load = await compile(folder, Object.fromEntries(blocks.map(({ file, text }) => [file, changed(text)])));
  return { folder, load };
}

/** A folder with the packages that the page uses; the project is made below it. */
async function withPackages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-docs-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@tributary', 'node');
  await mkdir(join(modules, '@types'), { recursive: true });
  await mkdir(installed, { recursive: true });
  await buildSdk(join(installed, 'dist'));
  await symlink(resolve('sdk/package.json'), join(installed, 'package.json'));
  for (const name of ['stripe', '@types/node', 'undici-types']) await symlink(resolve('node_modules', name), join(modules, name));
  await writeAll(modules, standIns);
  return folder;
}

/** A project, type-checked against the packages and compiled. Its reports wait in a folder of its own. */
async function compile(folder: string, files: Files): Promise<Compiled['load']> {
  const project = join(folder, 'project');
  await writeAll(project, {
    ...files,
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: Object.keys(files) }),
  });
  await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', project]).catch((error: { readonly stdout?: string }) => {
    throw new Error(`the blocks do not compile:\n${error.stdout ?? 'the compiler did not run'}`);
  });
  // Node loads the files, not the loader of the tests, because they import each other as on a merchant's server.
  const loader = join(project, 'out', 'load.cjs');
  await writeFile(loader, 'module.exports = async (file) => import(file);\n');
  const loadOne: (file: string) => Promise<Json> = createRequire(loader)(loader);
  return async () => {
    env['REPORTS_FOLDER'] = join(project, 'reports');
    const programs: Record<string, Json> = {};
    for (const file of Object.keys(files)) {
      const name = file.replace(/\.ts$/, '');
      programs[name] = await loadOne(`./${name}.js`);
    }
    return programs;
  };
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSdk } from '../../scripts/build-sdk.ts';
import type { Json } from '../support/merchant.ts';
import type { Block } from './blocks.ts';

/** What a page takes from packages that are not installed here, as far as it takes it. */
const standIns: Readonly<Record<string, string>> = {
  '@medusajs/framework/package.json': '{ "type": "module", "exports": { ".": "./index.js", "./utils": "./utils.js" } }',
  '@medusajs/framework/index.js': '',
  '@medusajs/framework/index.d.ts': `
    export type SubscriberConfig = { event: string | string[]; context?: { subscriberId?: string } };
    type Query = { graph(asked: { entity: string; fields: string[]; filters?: Record<string, unknown> }): Promise<{ data: any[] }> };
    export type SubscriberArgs<Data> = {
      event: { name: string; data: Data };
      container: { resolve(name: 'query'): Query };
      pluginOptions: Record<string, unknown>;
    };`,
  '@medusajs/framework/utils.js': "export const ContainerRegistrationKeys = { QUERY: 'query' };",
  '@medusajs/framework/utils.d.ts': "export declare const ContainerRegistrationKeys: { readonly QUERY: 'query' };",
  '@medusajs/js-sdk/package.json': '{ "type": "module", "exports": "./index.js" }',
  '@medusajs/js-sdk/index.js': '',
  '@medusajs/js-sdk/index.d.ts': `
    export default class Medusa {
      store: { cart: { update(id: string, body: { metadata?: Record<string, unknown> }): Promise<{ cart: unknown }> } };
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

/** What came out of it: `load('./x.js')` runs a file. */
export type Compiled = { readonly folder: string; readonly load: (file: string) => Promise<Json> };

/** A project with the blocks as its files, type-checked against the packages and compiled. */
export async function compiled(blocks: readonly Block[]): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-docs-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@tributary', 'node');
  await mkdir(join(modules, '@types'), { recursive: true });
  await mkdir(installed, { recursive: true });
  await buildSdk(join(installed, 'dist'));
  await symlink(resolve('sdk/package.json'), join(installed, 'package.json'));
  for (const name of ['stripe', '@types/node', 'undici-types']) await symlink(resolve('node_modules', name), join(modules, name));
  const files = {
    ...Object.fromEntries(Object.entries(standIns).map(([path, text]) => [join('node_modules', path), text])),
    ...Object.fromEntries(blocks.map(({ file, text }) => [file, text])),
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: blocks.map(({ file }) => file) }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', folder]).catch((error: { readonly stdout?: string }) => {
    throw new Error(`the blocks do not compile:\n${error.stdout ?? 'the compiler did not run'}`);
  });
  // They import each other as a shop's server does, so they are loaded by Node from where they lie, and not by the test's own loader.
  const loader = join(folder, 'out', 'load.cjs');
  await writeFile(loader, 'module.exports = (file) => import(file);\n');
  return { folder, load: createRequire(loader)(loader) };
}

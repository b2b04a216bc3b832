import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', '.bin', 'tsc');

/**
 * Builds the merchant's package for both module formats with the compiler alone: one source, emitted as ES modules and as CommonJS, each
 * with its own types. Comments are kept in the types, where editors show them, and removed from the code.
 */
export async function buildSdk(target: string = join(root, 'sdk', 'dist')): Promise<string> {
  await rm(target, { recursive: true, force: true });
  await Promise.all([emit(join(target, 'esm'), 'nodenext', 'module'), emit(join(target, 'cjs'), 'commonjs', 'commonjs')]);
  return target;
}

async function emit(folder: string, module: string, type: string): Promise<void> {
  const resolution = module === 'commonjs' ? ['--moduleResolution', 'bundler'] : [];
  const emission = ['-p', join(root, 'sdk'), '--outDir', folder, '--module', module, ...resolution];
  const run = promisify(execFile);
  await run(compiler, [...emission, '--removeComments']);
  await run(compiler, [...emission, '--declaration', '--emitDeclarationOnly']);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), `{ "type": "${type}" }\n`);
}

if (argv[1] === fileURLToPath(import.meta.url)) await buildSdk();

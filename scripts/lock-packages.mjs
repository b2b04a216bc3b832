import { readFileSync } from 'fs';
import { join } from 'path';
import { compilerFolders } from './unused-package-files.mjs';

/** The packages that package-lock.json names, by their paths in the project. */
export function readLock(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  delete packages[''];
  return packages;
}

/** What an installation on this machine contains, with or without the development packages. */
export function expectedPackages(packages, { includesDev }) {
  return Object.keys(packages).filter((path) => {
    const { dev, devOptional } = packages[path];
    return isWanted(packages[path]) && (includesDev || (!dev && !devOptional && !isOfCompiler(path)));
  });
}

const isOfCompiler = (path) => compilerFolders.some((folder) => `${path}/`.startsWith(`node_modules/${folder}/`));

/** The packages with these names and what they depend on. A package finds another one below it, or beside or above it. */
export function packagesWith(packages, names) {
  const found = new Set();
  const add = (name, from) => {
    const path = pathsFrom(from, name).find((each) => each in packages);
    if (path === undefined || found.has(path) || !isWanted(packages[path])) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path];
    const isNeeded = (peer) => !(peerDependenciesMeta[peer] && peerDependenciesMeta[peer].optional);
    const peers = Object.keys(peerDependencies || {}).filter(isNeeded);
    for (const each of Object.keys(Object.assign({}, dependencies, optionalDependencies)).concat(peers)) add(each, path);
  };
  for (const name of names) add(name, '');
  return [...found];
}

function pathsFrom(from, name) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  return from === '' ? [path] : [path].concat(pathsFrom(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name));
}

/** An optional package without a platform may be absent, together with the package of another platform that needs it. */
function isWanted({ optional, os, cpu, libc }) {
  if (optional && !os && !cpu) return false;
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc');
}

function fits(names, own) {
  const list = names === undefined ? [] : [].concat(names);
  if (list.includes(`!${own}`)) return false;
  return list.every((name) => name.startsWith('!')) || list.includes(own);
}

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { archivesInCache } from './install-from-cache.mjs';
import { packagesWith, readLock } from './lock-packages.mjs';

/**
 * Prepares a folder for the packages that build the service and the dashboards. npm installs the versions of package-lock.json there, and nothing else of
 * it.
 */
export function prepareFolder({ root, folder }) {
  const { dependencies: ofService, devDependencies } = readJson(root, 'package.json');
  const dependencies = {};
  for (const name of namesOf(root)) dependencies[name] = devDependencies[name] || ofService[name];
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
}

/** These packages, in npm's cache; null if it lacks one. */
export function buildArchives({ root, folder, cache }) {
  const packages = readLock(root);
  return archivesInCache({ cache, folder, packages, paths: packagesWith(packages, namesOf(root)), omitsDev: false });
}

const namesOf = (root) => readJson(root, 'web', 'build-packages.json');

function readJson(...path) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

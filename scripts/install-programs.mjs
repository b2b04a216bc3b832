import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';

/** Packages at the top of node_modules only: npm keeps another version of one below the package that needs it. */
const topPath = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/;
export const programsFolder = (modules) => join(modules, '.programs');

/**
 * The programs of this platform, such as Node and PostgreSQL: optional packages that need no other one. npm unpacks on one core, and these
 * are most of the bytes, so at a first install a second npm unpacks them in a folder of their own.
 */
export function programsOf(packages, isExpected) {
  const programs = {};
  for (const [path, entry] of Object.entries(packages)) {
    const { optional, os, cpu, dependencies, version } = entry;
    const [, name] = topPath.exec(path) || [];
    if (name && optional && (os || cpu) && !dependencies && isExpected(entry)) programs[name] = version;
  }
  return programs;
}

/** `install` runs npm in a folder. The lock names the hashes. Nothing is placed: npm would remove what it does not know. */
export async function installPrograms({ root, modules, programs, install }) {
  const folder = programsFolder(modules);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: programs }));
  const { code } = await install(folder);
  return code === 0;
}

export function placePrograms({ modules, programs }) {
  for (const name of Object.keys(programs)) {
    const path = join(modules, name);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(programsFolder(modules), 'node_modules', name), path);
  }
  rmSync(programsFolder(modules), { recursive: true, force: true });
}

import { createHash } from 'crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'fs';
import { dirname, join } from 'path';
import { unusedPathsOf } from './prune-packages.mjs';

/** Packages at the top of node_modules only: npm keeps another version of one below the package that needs it. */
const topPath = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/;
export const programsFolder = (modules) => join(modules, '.programs');

/**
 * The programs of this platform, such as Node and PostgreSQL: optional packages that need no other one. They are most of the bytes of an
 * installation, so they are unpacked apart.
 */
export function programsOf(packages, isExpected) {
  const programs = [];
  for (const [path, entry] of Object.entries(packages)) {
    const { optional, os, cpu, dependencies, version, integrity } = entry;
    const [, name] = topPath.exec(path) || [];
    if (name && optional && (os || cpu) && !dependencies && isExpected(entry)) programs.push({ name, version, integrity });
  }
  return programs;
}

/**
 * Fetches and unpacks the programs beside the other packages. `pack` runs `npm pack` in a folder, and `tar` runs tar; both return whether
 * they succeeded. Nothing is placed yet: npm, which installs the other packages at the same time, would remove what it does not know. If a
 * step fails, nothing is left.
 */
export async function installPrograms({ modules, programs, pack, tar }) {
  const folder = programsFolder(modules);
  rmSync(folder, { recursive: true, force: true });
  const areUnpacked = await unpackPrograms({ folder, programs, pack, tar });
  if (!areUnpacked) rmSync(folder, { recursive: true, force: true });
  return areUnpacked;
}

async function unpackPrograms({ folder, programs, pack, tar }) {
  mkdirSync(folder, { recursive: true });
  const names = programs.map(({ name, version }) => `${name}@${version}`);
  if (!(await pack(names, folder))) return false;
  for (const program of programs) {
    const archive = join(folder, archiveName(program));
    if (!hasHash(archive, program.integrity)) return false;
    const target = join(folder, 'node_modules', program.name);
    mkdirSync(target, { recursive: true });
    const excluded = unusedPathsOf(program.name).map((path) => `--exclude=package/${path}`);
    if (!(await tar(['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner'].concat(excluded)))) return false;
    rmSync(archive);
  }
  return true;
}

const archiveName = ({ name, version }) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** Compares an archive with the hash in package-lock.json. */
function hasHash(archive, integrity) {
  try {
    return `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}` === integrity;
  } catch {
    return false;
  }
}

export function placePrograms({ modules, programs }) {
  for (const { name } of programs) {
    const path = join(modules, name);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(programsFolder(modules), 'node_modules', name), path);
  }
  rmSync(programsFolder(modules), { recursive: true, force: true });
}

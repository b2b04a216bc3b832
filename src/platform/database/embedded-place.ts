import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { chmodSync, existsSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, chooseAccount, letThrough, makeFolderFor, type Account } from './embedded-account.ts';
import { cannotStart, codeOf, explainFileError } from './embedded-failure.ts';

/** Where the database of a data folder is, and as whom it runs. */
export type Place = {
  readonly dataDir: string;
  /** Holds `database/` (the data and its password), copied programs and the socket: the data folder itself, or a folder of root's. */
  readonly folder: string;
  /** Null: ourselves. */
  readonly account: Account | null;
};

/**
 * The user that PostgreSQL gets under root cannot enter a clone in root's home. Such a database lives here, and
 * `.data/database` is a link to it. Only root can write in this folder, so nobody can plant something under a name that
 * we will use; the names in it are made by chance, so that a moved or copied clone never meets another's.
 */
const rootsFolder = '/var/lib/tributary';

export function prepareDataDir(path: string): string {
  try {
    // Before anything is made: on a read-only disk a recursive mkdir says only that the folder is not there.
    accessSync(existingPart(path), constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw explainFileError(error, existingPart(path));
  }
}

export function choosePlace(dataDir: string, log: (line: string) => void): Place {
  const database = databaseFolder(dataDir);
  const account = chooseAccount(dataDir, join(database, 'cluster'));
  if (account === null) return { dataDir, folder: dataDir, account };
  const target = linkTarget(database);
  if (target !== null) return { dataDir, folder: trustedPlace(dataDir, target), account };
  if (canEnter(dirname(dataDir), account)) {
    letThrough(dataDir, account);
    if (canEnter(dataDir, account)) return { dataDir, folder: dataDir, account };
  }
  if (existsSync(database)) {
    throw cannotStart(
      `PostgreSQL runs as the user ${account.name} for root, who can no longer enter ${dataDir}: allow it again (chmod o+x).`,
    );
  }
  return { dataDir, folder: makePlace(dataDir, account, log), account };
}

export const databaseFolder = (folder: string): string => join(folder, 'database');

/** Removes what was made for this database, and only that: whatever else the data folder holds stays. */
export function removePlace({ dataDir, folder }: Place): void {
  const ours = /^(database|database\.unfinished-\w+|socket|postgresql-[\w.-]+)$/;
  for (const name of readdirSync(folder)) {
    if (ours.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (folder === dataDir) return;
  rmSync(folder, { recursive: true, force: true });
  rmSync(databaseFolder(dataDir), { force: true });
  if (readdirSync(rootsFolder).length === 0) rmdirSync(rootsFolder);
}

/** A socket's whole path has room for 107 bytes. */
const socketPathBytesMax = 107;
export const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;
export const socketPath = (socketFolder: string): string => join(socketFolder, socketName);

/**
 * An empty folder for the socket that only PostgreSQL's user can enter: beside the data, or where that path is too long,
 * under a name made by chance in the folder for temporary files.
 */
export function makeSocketFolder({ folder, account }: Place): string {
  const usual = join(folder, 'socket');
  removeSocketFolder(usual);
  const fits = (path: string): boolean => Buffer.byteLength(socketPath(path)) <= socketPathBytesMax;
  if (fits(usual)) {
    makeFolderFor(usual, account);
    return usual;
  }
  const chance = 'tributary-XXXXXX';
  const outer = mkdtempSync(join(fits(join(tmpdir(), chance, 's')) ? tmpdir() : '/tmp', 'tributary-'));
  letThrough(outer, account);
  makeFolderFor(join(outer, 's'), account);
  return join(outer, 's');
}

/** What a killed PostgreSQL left of its socket would stop the next one. Nothing else is removed: the path comes from a file. */
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

function makePlace(dataDir: string, account: Account, log: (line: string) => void): string {
  try {
    mkdirSync(rootsFolder, { recursive: true });
    mustBeRoots(rootsFolder);
    chmodSync(rootsFolder, 0o711);
    reportEarlierPlaces(dataDir, log);
    const folder = mkdtempSync(join(rootsFolder, 'database-'));
    letThrough(folder, account);
    writeFileSync(join(folder, 'belongs-to'), dataDir, { mode: 0o600 });
    symlinkSync(databaseFolder(folder), databaseFolder(dataDir));
    log(`The user ${account.name}, who runs PostgreSQL for root, cannot enter ${dataDir}: the database is made in ${folder}.`);
    return folder;
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, rootsFolder);
  }
}

/** Follows the link in the data folder, once sure that it is ours: not another clone's, and not planted. */
function trustedPlace(dataDir: string, target: string): string {
  const folder = dirname(target);
  if (dirname(folder) !== rootsFolder || !existsSync(folder)) {
    throw cannotStart(
      `${databaseFolder(dataDir)} links to ${target}, which is not there: put it back, or remove the link to begin with an empty database.`,
    );
  }
  mustBeRoots(rootsFolder);
  mustBeRoots(folder);
  const note = join(folder, 'belongs-to');
  const first = readFileSync(note, 'utf8');
  if (first === dataDir) return folder;
  if (linkTarget(databaseFolder(first)) === target) {
    throw cannotStart(
      `${dataDir} is a copy of ${first} and would use the same database: remove ${databaseFolder(dataDir)} to begin with an empty one.`,
    );
  }
  // The clone was moved, and its link with it.
  writeFileSync(note, dataDir);
  return folder;
}

function mustBeRoots(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (uid === 0 && (mode & 0o170_022) === 0o040_000) return;
  throw cannotStart(`${folder} must be a folder that only root can write in: somebody else can, and the database would not be safe there.`);
}

/** Whoever removed `.data` may not know that its database was elsewhere. It is never removed for them, except while it is empty. */
function reportEarlierPlaces(dataDir: string, log: (line: string) => void): void {
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

const existingPart = (path: string): string => (existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path)));

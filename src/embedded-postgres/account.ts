import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { cannotStart, codeOf, explainFileError } from './start-errors.ts';

/** A user of this machine. `Account | null`: null is the current user. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

/**
 * PostgreSQL refuses to run as root. As root, it runs as the owner of the data; a new database belongs to `postgres` if that user
 * exists, otherwise to `nobody`. An ordinary user runs it as themselves.
 */
export function chooseAccount(dataDir: string, clusterFolder: string): Account | null {
  if (process.getuid?.() !== 0) return requireOwner(dataDir, ownerOf(clusterFolder));
  const owner = ownerOf(clusterFolder) ?? ownerOf(dataDir);
  const accounts = readAccounts();
  if (owner !== null && owner !== 0) {
    const account = accounts.find(({ uid }) => uid === owner);
    if (account === undefined) {
      throw cannotStart(
        `The database in ${dataDir} belongs to user ID ${owner}, who is not in /etc/passwd: PostgreSQL cannot run as them.`,
      );
    }
    return account;
  }
  const account = ['postgres', 'nobody'].map((name) => accounts.find((each) => each.name === name)).find((each) => each !== undefined);
  if (account === undefined) {
    throw cannotStart('PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody": start as an ordinary user.');
  }
  return account;
}

/** Whether the account can traverse every folder down to this one. Checks the nine permission bits, not access lists. */
export function canEnter(folder: string, account: Account | null): boolean {
  if (account === null) return true;
  return ancestorsOf(folder).every((each) => allows(each, account, 0o1));
}

export function canRead(path: string, account: Account | null): boolean {
  return account === null || (canEnter(dirname(path), account) && allows(path, account, 0o4));
}

export function canRun(path: string, account: Account | null): boolean {
  return account === null || (canEnter(dirname(path), account) && allows(path, account, 0o1));
}

/** Creates a folder that only the account (and root) can read. */
export function makeFolderFor(path: string, account: Account | null): void {
  mkdirSync(path, { mode: 0o700 });
  if (account !== null) chownSync(path, account.uid, account.gid);
}

/** Lets the account traverse one of our folders without letting anyone list or change it. */
export function allowTraversal(folder: string, account: Account | null): void {
  if (account === null || statSync(folder).uid === account.uid) return;
  chownSync(folder, statSync(folder).uid, account.gid);
  chmodSync(folder, 0o710);
}

function requireOwner(dataDir: string, owner: number | null): null {
  try {
    userInfo();
  } catch (error) {
    throw cannotStart(
      `User ID ${process.getuid?.()} has no name on this machine, and PostgreSQL needs one: add them to /etc/passwd.`,
      error,
    );
  }
  if (owner === null || owner === process.getuid?.()) return null;
  const name = readAccounts().find(({ uid }) => uid === owner)?.name ?? `with ID ${owner}`;
  throw cannotStart(
    `The database in ${dataDir} belongs to the user ${name}: start as that user (or as root), or choose another data folder.`,
  );
}

function ownerOf(path: string): number | null {
  try {
    return lstatSync(path).uid;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw explainFileError(error, path);
  }
}

function readAccounts(): readonly Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, uid, gid] = /^([^:#]+):[^:]*:(\d+):(\d+):/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, uid: Number(uid), gid: Number(gid) }];
    });
}

function ancestorsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}

/** Checks the permission bit for reading (4) or for entering and running (1), of the owner, the group or others. */
function allows(path: string, account: Account, bit: number): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === account.uid) return (mode & (bit << 6)) !== 0;
  if (gid === account.gid) return (mode & (bit << 3)) !== 0;
  return (mode & bit) !== 0;
}

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { allowTraversal, makeFolderFor } from './account.ts';
import type { Binaries } from './binaries.ts';
import { cannotStart, codeOf, explainFileError } from './start-errors.ts';
import { databaseFolder, type DatabaseLocation } from './location.ts';
import { runToEnd } from './run-program.ts';

/** PostgreSQL's data folder and the password of its users, which are created and stored together. */
export type Cluster = { readonly folder: string; readonly password: string };

export const databaseName = 'tributary';
const majorVersion = '18';
const programMs = 60_000;
const unfinishedName = /^database\.unfinished-/;

export const hasCluster = (location: DatabaseLocation): boolean => existsSync(databaseFolder(location.folder));

/** Creates the database's files (in about 0.8 s) unless they exist. */
export async function ensureCluster(location: DatabaseLocation, binaries: Binaries): Promise<Cluster> {
  try {
    removeUnfinished(location.folder);
    if (!hasCluster(location)) await makeCluster(location, binaries);
    return readCluster(databaseFolder(location.folder));
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, location.folder);
  }
}

function readCluster(database: string): Cluster {
  const folder = join(database, 'cluster');
  const version = existsSync(join(folder, 'PG_VERSION')) ? readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim() : null;
  if (version === null || !existsSync(join(database, 'password'))) {
    throw cannotStart(`${database} is not a complete database: restore the missing files, or move it away to start with an empty one.`);
  }
  if (version !== majorVersion) {
    throw cannotStart(
      `${database} was created by PostgreSQL ${version}, and this is ${majorVersion}: dump it with the former version, then load it here.`,
    );
  }
  return { folder, password: readFileSync(join(database, 'password'), 'utf8') };
}

/** Created completely under another name and renamed: a start that is killed halfway leaves nothing that looks like a database. */
async function makeCluster(location: DatabaseLocation, { initdb, postgres }: Binaries): Promise<void> {
  const { folder, account } = location;
  const unfinished = mkdtempSync(join(folder, 'database.unfinished-'));
  try {
    allowTraversal(unfinished, account);
    const cluster = join(unfinished, 'cluster');
    makeFolderFor(cluster, account);
    const password = randomBytes(24).toString('hex');
    writeFileSync(join(unfinished, 'password'), password, { mode: 0o600 });
    const run = { folder: cluster, account, limitMs: programMs } as const;

    const passwordFile = join(unfinished, 'password-for-initdb');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account !== null) chownSync(passwordFile, account.uid, account.gid);
    await runToEnd({ ...run, program: initdb, args: [...initdbArgs, `--pwfile=${passwordFile}`, `--pgdata=${cluster}`] });
    rmSync(passwordFile);

    const args = ['--single', '-D', cluster, '-c', 'log_checkpoints=off', 'postgres'];
    await runToEnd({ ...run, program: postgres, args, input: firstStatements(password) });
    flush(join(unfinished, 'password'));
    flush(unfinished);
    renameSync(unfinished, databaseFolder(folder));
    flush(folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The collation is PostgreSQL's built-in C.UTF-8: it sorts the same on every machine and needs no system locale. initdb syncs its
 * files before it ends.
 */
const initdbArgs = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // More iterations protect passwords that can be guessed. This one is random, and the usual 4,096 iterations take the client a millisecond
  // for each connection.
  '--set=scram_iterations=1',
  '--no-instructions',
] as const;

/** The service is not a superuser: an SQL injection must not reach the machine's files. It may create databases, for the tests. */
const firstStatements = (password: string): string =>
  [
    `create role ${databaseName} login createdb password '${password}'`,
    `create database ${databaseName} owner ${databaseName} strategy file_copy`,
    '',
  ].join('\n');

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (unfinishedName.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

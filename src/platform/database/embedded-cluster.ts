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
import { letThrough, makeFolderFor } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';
import { cannotStart, codeOf, explainFileError } from './embedded-failure.ts';
import { databaseFolder, type Place } from './embedded-place.ts';
import { runToEnd } from './embedded-run.ts';

/** The data of PostgreSQL, and the password of its users. Both are made together and cannot be lost apart. */
export type Cluster = { readonly folder: string; readonly password: string };

export const databaseName = 'tributary';
const majorVersion = '18';
const programMs = 60_000;
const unfinishedName = /^database\.unfinished-/;

/** The database's files, made (in about 0.8 s) where there are none yet. */
export async function ensureCluster(place: Place, binaries: Binaries): Promise<Cluster> {
  try {
    removeUnfinished(place.folder);
    if (!existsSync(databaseFolder(place.folder))) await makeCluster(place, binaries);
    return readCluster(databaseFolder(place.folder));
  } catch (error) {
    throw codeOf(error) === null ? error : explainFileError(error, place.folder);
  }
}

function readCluster(database: string): Cluster {
  const folder = join(database, 'cluster');
  const version = existsSync(join(folder, 'PG_VERSION')) ? readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim() : null;
  if (version === null || !existsSync(join(database, 'password'))) {
    throw cannotStart(`${database} holds no whole database: put the missing files back, or move it away to begin with an empty one.`);
  }
  if (version !== majorVersion) {
    throw cannotStart(
      `${database} was made by PostgreSQL ${version}, and this is ${majorVersion}: dump it with the former one, then load it here.`,
    );
  }
  return { folder, password: readFileSync(join(database, 'password'), 'utf8') };
}

/** Made whole under another name and then renamed: a start that is killed half way leaves nothing that looks like a database. */
async function makeCluster(place: Place, { initdb, postgres }: Binaries): Promise<void> {
  const { folder, account } = place;
  const unfinished = mkdtempSync(join(folder, 'database.unfinished-'));
  try {
    letThrough(unfinished, account);
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
 * The collation is PostgreSQL's own C.UTF-8: it sorts alike on every machine and needs no locale of the system. initdb
 * writes everything through to the disk before it ends.
 */
const initdbArgs = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
] as const;

/** The service is no superuser: a hole in our SQL must not become a way to the machine's files. It may create databases, for the tests. */
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

import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closePlatform, keyFingerprints, type Command } from './command.ts';
import { decideDoctor } from '../operations/decide-doctor.ts';
import { examine } from '../operations/examine-installation.ts';
import type { Config } from '../core/config.ts';
import { backUp } from '../db/backup.ts';
import { openDatabase, jobTimeouts } from '../db/database.ts';
import { distribute } from '../db/distribute.ts';
import { findEmbedded, startEmbedded } from '../embedded-postgres/start.ts';
import { restore, type RestoreResult, type RestoreOptions } from '../db/restore.ts';
import { migrateQueue } from '../queue/jobs.ts';
import { createLog, type Log } from '../core/log.ts';
import { publicId } from '../core/ids.ts';
import { loadSecretKey } from '../core/secrets.ts';
import { realNow } from '../core/time.ts';
import { reseal, sealedColumns } from '../app/reseal.ts';
import { connectionsMax, openPlatform } from '../app/server.ts';
import { rebuildRollupsIfNeeded } from '../app/upgrade.ts';
import { verify, type CheckResult } from '../app/verify.ts';

const megabyte = 1_000_000;
const describeSize = (rows: number, bytes: number, since: number) =>
  `${rows} rows, ${(bytes / megabyte).toFixed(1)} MB, ${((performance.now() - since) / 1_000).toFixed(1)} s`;

export const backup: Command = {
  usage: 'backup FILE',
  does: 'writes a snapshot of the database to a file, while the service runs',
  runs: 'beside',
  async run(platform, { words: [path] }) {
    if (path === undefined) throw new Error('name a file: backup /backups/tributary-2026-01-31');
    const since = performance.now();
    const made = await backUp(platform.jobsDatabase, { path, ...(await keyFingerprints(platform.config)), at: realNow() });
    console.log(
      `${made.tables} tables, ${describeSize(made.rows, made.bytes, since)}; the file has ${(made.fileBytes / megabyte).toFixed(1)} MB.`,
    );
    console.log('Store the secret key separately: without SECRET_KEY (or the file secret-key in DATA_DIR), the backup cannot be restored.');
    if (platform.secrets.isChanging)
      console.log('Store SECRET_KEY_PREVIOUS too: this backup contains values that only the previous key decrypts.');
  },
};

export const doctor: Command = {
  usage: 'doctor',
  does: 'checks the clock, disk, database, email, URLs, keys, jobs, and ledger, and prints what to do about each problem',
  runs: 'alone',
  async run(config) {
    const databaseUrl = config.databaseUrl ?? (await findEmbedded(config.dataDir))?.url;
    const unavailable = 'the service is not running here, so its embedded database is not either; start it with npm start';
    const platform =
      databaseUrl === undefined
        ? null
        : openPlatform({ config, databaseUrl, secretKey: await readExistingKey(config), log: createLog('silent') });
    try {
      const findings = decideDoctor(await examine({ config, platform, unavailable, connectionsEach: connectionsMax, sealedColumns }));
      for (const { is, what, message } of findings) console.log(`${is} ${what}: ${message}`);
      if (findings.some(({ is }) => is === 'bad')) process.exitCode = 1;
    } finally {
      if (platform !== null) await closePlatform(platform);
    }
  },
};

export const resealCommand: Command = {
  usage: 'reseal',
  does:
    'encrypts all values with SECRET_KEY; SECRET_KEY_PREVIOUS decrypts the old ones. It can run beside the service, ' +
    'and can be interrupted and run again',
  runs: 'beside',
  async run({ jobsDatabase: database, secrets }) {
    if (!secrets.isChanging) throw new Error('set SECRET_KEY_PREVIOUS to the previous key, restart the service with both, and try again');
    const done = await reseal({ database, secrets, onProgress: ({ table }, rows) => console.log(`${table}: checked ${rows} rows`) });
    for (const { table, resealed, already, unreadable } of done) {
      console.log(`${table}: ${resealed} encrypted with SECRET_KEY, ${already} already were`);
      for (const row of unreadable) console.log(`${table}: neither key decrypts the value of row ${row}`);
    }
    if (done.every(({ unreadable }) => unreadable.length === 0)) {
      console.log('Everything is encrypted with SECRET_KEY. Run doctor to check whether you can remove SECRET_KEY_PREVIOUS.');
    } else {
      console.log('The signing keys stay encrypted with the previous key until every value can be decrypted. Keep SECRET_KEY_PREVIOUS.');
      process.exitCode = 1;
    }
  },
};

/** It looks, and makes nothing: not the key either, that the first start would make. */
async function readExistingKey(config: Config): Promise<Buffer> {
  const isThere = config.secretKey !== null || (await stat(join(config.dataDir, 'secret-key')).catch(() => null)) !== null;
  return isThere ? loadSecretKey(config) : randomBytes(32);
}

export const restoreCommand: Command = {
  usage: 'restore FILE [--replace]',
  does: 'restores a backup into an empty database, migrates it, and verifies it; --replace deletes the current content. Stop the service first',
  runs: 'alone',
  async run(config, { words: [path], replace }) {
    if (path === undefined) throw new Error('name a file: restore /backups/tributary-2026-01-31');
    const since = performance.now();
    const log = createLog('warn');
    const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: () => {} }) : null;
    try {
      const at = { url: config.databaseUrl ?? embedded?.url ?? '', secretKey: await loadSecretKey(config), log };
      const { head, ends, upgraded } = await restoreInto(at, { path, replace, ...(await keyFingerprints(config, at.secretKey)) });
      console.log(`The backup of ${head.madeAt}: ${describeSize(ends.rows, ends.bytes, since)}.`);
      if (upgraded.length > 0) console.log(`Applied the migrations ${upgraded.join(', ')}.`);
      await migrateQueue(at.url, log);
      printVerification(await verifyRestored(config, at, upgraded));
    } finally {
      await embedded?.stop();
    }
  },
};

type RestoreTarget = { readonly url: string; readonly secretKey: Buffer; readonly log: Log };

async function restoreInto({ url, log }: Omit<RestoreTarget, 'secretKey'>, what: RestoreOptions): Promise<RestoreResult> {
  const onIdleError = (error: Error) => log.warn({ error: error.message }, 'a connection to the database broke');
  const database = openDatabase({ url, name: 'restore', connectionsMax: 1, timeouts: jobTimeouts, onIdleError });
  try {
    return await restore(database, what);
  } finally {
    await database.end();
  }
}

async function verifyRestored(
  config: Config,
  { url, secretKey, log }: RestoreTarget,
  upgraded: readonly string[],
): Promise<readonly CheckResult[]> {
  const platform = openPlatform({ config, databaseUrl: url, secretKey, log });
  try {
    await rebuildRollupsIfNeeded(platform, upgraded, Infinity);
    return await verify(platform);
  } finally {
    await closePlatform(platform);
  }
}

export const distributeCommand: Command = {
  usage: 'distribute',
  does: 'spreads the tables over the machines of a Citus cluster, stores and creators each as a whole. Stop the service first',
  runs: 'alone',
  async run(config) {
    if (config.databaseUrl === null)
      throw new Error('the embedded database is one machine; set DATABASE_URL to the coordinator of a Citus cluster');
    const onIdleError = () => {};
    const database = openDatabase({ url: config.databaseUrl, name: 'distribute', connectionsMax: 1, timeouts: jobTimeouts, onIdleError });
    try {
      const spread = await distribute(database);
      console.log(spread.length === 0 ? 'Every table is spread already.' : `${spread.length} tables were spread: ${spread.join(', ')}.`);
    } finally {
      await database.end();
    }
  },
};

export function printVerification(results: readonly CheckResult[]): void {
  for (const { what, rows, differences } of results) {
    console.log(`${differences.length === 0 ? 'good ' : 'WRONG'} ${what} (${rows} rows)`);
    for (const { storeId, detail } of differences)
      console.log(`      ${storeId === null ? 'all stores' : publicId('store', storeId)}: ${detail}`);
  }
  if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}

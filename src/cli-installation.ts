import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { closePlatform, marksOfKeys, type Command } from './cli-command.ts';
import { decideDoctor } from './operating/decide-doctor.ts';
import { examine } from './operating/examine.ts';
import type { Config } from './platform/config.ts';
import { backUp } from './platform/database/backup.ts';
import { openDatabase, nightTimeOuts } from './platform/database/database.ts';
import { distribute } from './platform/database/distribute.ts';
import { findEmbedded, startEmbedded } from './platform/database/embedded.ts';
import { restore, type Restored, type RestoreOptions } from './platform/database/restore.ts';
import { migrateJobs } from './platform/jobs.ts';
import { createLog, type Log } from './platform/log.ts';
import { publicId } from './platform/ids.ts';
import { keyOf } from './platform/secrets.ts';
import { realNow } from './platform/time.ts';
import { reseal, sealedColumns } from './reseal.ts';
import { connectionsMax, openPlatform } from './service.ts';
import { countWhatIsNew } from './upgrade.ts';
import { verify, type CheckResult } from './verify.ts';

const megabyte = 1_000_000;
const figures = (rows: number, bytes: number, since: number) =>
  `${rows} rows, ${(bytes / megabyte).toFixed(1)} MB, ${((performance.now() - since) / 1_000).toFixed(1)} s`;

export const backup: Command = {
  usage: 'backup FILE',
  does: 'writes all of the database, as it is at one moment, into a file; the service may be at work meanwhile',
  runs: 'beside',
  async run(platform, { words: [path] }) {
    if (path === undefined) throw new Error('say where to: backup /backups/tributary-2026-01-31');
    const since = performance.now();
    const made = await backUp(platform.nightDatabase, { path, ...(await marksOfKeys(platform.config)), at: realNow() });
    console.log(
      `${made.tables} tables, ${figures(made.rows, made.bytes, since)}; the file has ${(made.fileBytes / megabyte).toFixed(1)} MB.`,
    );
    console.log('Keep the secret key apart from it: without SECRET_KEY (or the file secret-key in DATA_DIR) it cannot be restored.');
    if (platform.secrets.isChanging) console.log('SECRET_KEY_PREVIOUS too: this backup holds values that only the previous key opens.');
  },
};

export const doctor: Command = {
  usage: 'doctor',
  does: 'looks at clock, disk, database, mail, addresses, keys, jobs and books, and says of each whether it is well and what to do',
  runs: 'alone',
  async run(config) {
    const databaseUrl = config.databaseUrl ?? (await findEmbedded(config.dataDir))?.url;
    const fault = 'the service is not running here, and its embedded database with it; start it with npm start';
    const platform =
      databaseUrl === undefined
        ? null
        : openPlatform({ config, databaseUrl, secretKey: await keyToLookWith(config), log: createLog('silent') });
    try {
      const findings = decideDoctor(await examine({ config, platform, fault, connectionsEach: connectionsMax, sealedColumns }));
      for (const { is, what, told } of findings) console.log(`${is} ${what}: ${told}`);
      if (findings.some(({ is }) => is === 'bad')) process.exitCode = 1;
    } finally {
      if (platform !== null) await closePlatform(platform);
    }
  },
};

export const resealing: Command = {
  usage: 'reseal',
  does:
    'seals everything anew with SECRET_KEY, while SECRET_KEY_PREVIOUS opens what is not yet; the service may be at work meanwhile, ' +
    'and it may be run again at any time',
  runs: 'beside',
  async run({ nightDatabase: database, secrets }) {
    if (!secrets.isChanging) throw new Error('set SECRET_KEY_PREVIOUS to the former key, restart the service with both, and try again');
    const done = await reseal({ database, secrets, told: ({ table }, rows) => console.log(`${table}: ${rows} looked at`) });
    for (const { table, resealed, already, unreadable } of done) {
      console.log(`${table}: ${resealed} sealed anew, ${already} were already`);
      for (const row of unreadable) console.log(`${table}: the value of the row ${row} opens with neither key`);
    }
    if (done.every(({ unreadable }) => unreadable.length === 0)) {
      console.log('Everything is sealed with SECRET_KEY. Ask doctor whether SECRET_KEY_PREVIOUS can be removed.');
    } else {
      console.log('The signing keys stay sealed with the previous key until every value can be opened; keep SECRET_KEY_PREVIOUS.');
      process.exitCode = 1;
    }
  },
};

/** It looks, and makes nothing: not the key either, that the first start would make. */
async function keyToLookWith(config: Config): Promise<Buffer> {
  const isThere = config.secretKey !== null || (await stat(join(config.dataDir, 'secret-key')).catch(() => null)) !== null;
  return isThere ? keyOf(config) : randomBytes(32);
}

export const restoring: Command = {
  usage: 'restore FILE [--replace]',
  does: 'fills an empty database from a backup, brings it forward and verifies it; with --replace what stands in it goes. Stop the service first',
  runs: 'alone',
  async run(config, { words: [path], replace }) {
    if (path === undefined) throw new Error('say which: restore /backups/tributary-2026-01-31');
    const since = performance.now();
    const log = createLog('warn');
    const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: () => {} }) : null;
    try {
      const at = { url: config.databaseUrl ?? embedded?.url ?? '', secretKey: await keyOf(config), log };
      const { head, ends, upgraded } = await fill(at, { path, replace, ...(await marksOfKeys(config, at.secretKey)) });
      console.log(`The backup of ${head.madeAt}: ${figures(ends.rows, ends.bytes, since)}.`);
      if (upgraded.length > 0) console.log(`Brought forward by ${upgraded.join(', ')}.`);
      await migrateJobs(at.url, log);
      tellVerified(await verified(config, at, upgraded));
    } finally {
      await embedded?.stop();
    }
  },
};

type Place = { readonly url: string; readonly secretKey: Buffer; readonly log: Log };

async function fill({ url, log }: Omit<Place, 'secretKey'>, what: RestoreOptions): Promise<Restored> {
  const onIdleError = (error: Error) => log.warn({ error: error.message }, 'a connection to the database broke');
  const database = openDatabase({ url, name: 'restore', connectionsMax: 1, timeOuts: nightTimeOuts, onIdleError });
  try {
    return await restore(database, what);
  } finally {
    await database.end();
  }
}

async function verified(config: Config, { url, secretKey, log }: Place, upgraded: readonly string[]): Promise<readonly CheckResult[]> {
  const platform = openPlatform({ config, databaseUrl: url, secretKey, log });
  try {
    await countWhatIsNew(platform, upgraded, Infinity);
    return await verify(platform);
  } finally {
    await closePlatform(platform);
  }
}

export const distributing: Command = {
  usage: 'distribute',
  does: 'spreads the tables over the machines of a Citus cluster, stores and creators each as a whole. Stop the service first',
  runs: 'alone',
  async run(config) {
    if (config.databaseUrl === null)
      throw new Error('the embedded database is one machine; set DATABASE_URL to the coordinator of a Citus cluster');
    const onIdleError = () => {};
    const database = openDatabase({ url: config.databaseUrl, name: 'distribute', connectionsMax: 1, timeOuts: nightTimeOuts, onIdleError });
    try {
      const spread = await distribute(database);
      console.log(spread.length === 0 ? 'Every table is spread already.' : `${spread.length} tables were spread: ${spread.join(', ')}.`);
    } finally {
      await database.end();
    }
  },
};

export function tellVerified(results: readonly CheckResult[]): void {
  for (const { what, rows, differences } of results) {
    console.log(`${differences.length === 0 ? 'good ' : 'WRONG'} ${what} (${rows} rows)`);
    for (const { storeId, detail } of differences)
      console.log(`      ${storeId === null ? 'all stores' : publicId('store', storeId)}: ${detail}`);
  }
  if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}

import { stat, statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { canOpenSigningKeys } from '../clicks/signing-keys.ts';
import { maySendUnencrypted, checkMailServer } from '../notify/smtp.ts';
import type { Config } from '../core/config.ts';
import { countPeopleWithCodesOfOtherKeys } from '../people/second-factor-sql.ts';
import { jobRuns } from '../queue/scheduled-jobs-sql.ts';
import type { Queryable } from '../db/database.ts';
import { readMigrations } from '../db/migrate.ts';
import { countNotSealedBy, type SealedColumn } from '../db/sealed-columns.ts';
import type { Platform } from '../runtime/platform.ts';
import { isPublicAddress } from '../http/public-address.ts';
import { realNow } from '../core/time.ts';
import { refuseMixedMoney } from '../payments/separate-real-money.ts';
import type { DatabaseState, InstallationFacts } from './decide-doctor.ts';
import { readServerClock, serverSettings, listAppliedMigrations } from './doctor-sql.ts';
import { lastVerification } from './verifications-sql.ts';

export type ExaminedInstallation = {
  readonly config: Config;
  /** Null if no database was found; `unavailable` says why. */
  readonly platform: Platform | null;
  readonly unavailable: string;
  readonly connectionsEach: number;
  /** All columns with sealed values. A parameter, because modules of this layer own some of them. */
  readonly sealedColumns: readonly SealedColumn[];
};

/** Reads only. A check that fails is part of the result, and does not throw. */
export async function examine({
  config,
  platform,
  unavailable,
  connectionsEach,
  sealedColumns,
}: ExaminedInstallation): Promise<InstallationFacts> {
  return {
    mode: config.mode,
    baseUrl: baseUrlFacts(config.baseUrl),
    mail: await mailFacts(config),
    key:
      config.secretKey === null ? { is: 'in a file', isOwnerOnly: await isOursAlone(join(config.dataDir, 'secret-key')) } : { is: 'set' },
    stripe: config.stripe === null ? 'none' : config.stripe.isLive ? 'live' : 'test',
    disk: await diskFacts(config.dataDir),
    processes: config.workers,
    connectionsEach,
    database: platform === null ? { is: 'away', error: unavailable } : await databaseState(platform, sealedColumns).catch(unreachable),
  };
}

const unreachable = (error: unknown) => ({ is: 'away' as const, error: messageOf(error) });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function baseUrlFacts(text: string): InstallationFacts['baseUrl'] {
  const { protocol, hostname } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(host) === 0;
  const isPublic = isName
    ? host.includes('.') && !/\.(local|localhost|internal|lan|home|test|invalid|example)$/.test(host)
    : isPublicAddress(host);
  return { isEncrypted: protocol === 'https:', isPublic, text };
}

async function mailFacts({ smtpUrl, smtpTls }: Config): Promise<InstallationFacts['mail']> {
  if (smtpUrl === null) return { is: 'none' };
  const settings = { smtpUrl, smtpTls };
  const error = await checkMailServer(settings);
  return error === null ? { is: 'reached', mayBeReadOnTheWay: maySendUnencrypted(settings) } : { is: 'failed', error };
}

const groupAndOthers = 0o077;
const isOursAlone = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  // A file that does not exist yet is created with the right mode.
  return found === null || (found.mode & groupAndOthers) === 0;
};

export async function diskFacts(folder: string): Promise<InstallationFacts['disk']> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? null : { freeBytes: found.bavail * found.bsize, bytes: found.blocks * found.bsize };
}

async function databaseState(platform: Platform, sealedColumns: readonly SealedColumn[]): Promise<DatabaseState> {
  const { jobsDatabase: database } = platform;
  const clockAheadMs = await measureClockDifference(database);
  const settings = await serverSettings(database);
  const migrated = await listAppliedMigrations(database);
  const ours = readMigrations();
  const known = new Map(ours.map(({ number, hash }) => [number, hash]));
  const applied = new Set(migrated.map(({ number }) => number));
  const isUsable = migrated.length > 0;
  return {
    is: 'there',
    versionNumber: Number(settings.server_version_num),
    encoding: settings.server_encoding,
    fsync: settings.fsync,
    synchronousCommit: settings.synchronous_commit,
    fullPageWrites: settings.full_page_writes,
    connectionsMax: Number(settings.max_connections),
    clockAheadMs,
    pending: ours.filter(({ number }) => !applied.has(number)).map(({ name }) => name),
    unknown: migrated.filter(({ number, hash }) => known.get(number) !== hash).map(({ name }) => name),
    ...(isUsable ? await readActivity(platform) : emptyDatabaseState),
    keyChange: isUsable ? await keyChangeOf(platform, sealedColumns) : null,
  };
}

const emptyDatabaseState = { moneyError: null, keyOpens: null, jobs: [], jobsIdleMs: null, verified: null } as const;

/** Assumes that the request takes half of the round trip. */
export async function measureClockDifference(db: Queryable): Promise<number> {
  await readServerClock(db);
  const before = realNow().getTime();
  const { queryStart } = await readServerClock(db);
  return Math.round((before + realNow().getTime()) / 2 - queryStart.getTime());
}

/** An older database may lack one of the tables. That is reported as missing, not thrown. */
async function readActivity(
  platform: Platform,
): Promise<Pick<DatabaseState, 'moneyError' | 'keyOpens' | 'jobs' | 'jobsIdleMs' | 'verified'>> {
  const { jobsDatabase: db, clock, config } = platform;
  // Reads only: the start of the service records a live key, this does not.
  const moneyError = await refuseMixedMoney({ config: { ...config, stripe: null }, database: db }).then(() => null, messageOf);
  await clock.refresh();
  const runs = await jobRuns(db).catch(() => []);
  const last = await lastVerification(db).catch(() => null);
  const ranUpTo = Math.max(...runs.map(({ ranUpTo: at }) => at.getTime()));
  const now = clock.now().getTime();
  return {
    moneyError,
    keyOpens: await canOpenSigningKeys(platform).catch(() => null),
    jobs: runs.map(({ job, failures }) => ({ job, failures })),
    jobsIdleMs: runs.length === 0 ? null : Math.max(0, now - ranUpTo),
    verified: last === null ? null : { agoMs: Math.max(0, now - last.at.getTime()), differences: last.differences },
  };
}

async function keyChangeOf(
  { jobsDatabase: db, secrets }: Platform,
  sealedColumns: readonly SealedColumn[],
): Promise<DatabaseState['keyChange']> {
  if (!secrets.isChanging) return null;
  const remaining = [];
  for (const column of sealedColumns) {
    const values = await countNotSealedBy(db, column, secrets.keyId);
    if (values > 0) remaining.push({ table: column.table, values });
  }
  return { remaining, peopleWithOldCodes: await countPeopleWithCodesOfOtherKeys(db, secrets.keyId) };
}

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
  /** Null where no database could be found; then `fault` says why. */
  readonly platform: Platform | null;
  readonly fault: string;
  readonly connectionsEach: number;
  /** All columns with sealed values; handed in, because modules beside this one have some. */
  readonly sealedColumns: readonly SealedColumn[];
};

/** Looks at everything, changes nothing, and never throws for what it looks at. */
export async function examine({
  config,
  platform,
  fault,
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
    database: platform === null ? { is: 'away', fault } : await databaseState(platform, sealedColumns).catch(unreachable),
  };
}

const unreachable = (error: unknown) => ({ is: 'away' as const, fault: messageOf(error) });
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
  const fault = await checkMailServer(settings);
  return fault === null ? { is: 'reached', mayBeReadOnTheWay: maySendUnencrypted(settings) } : { is: 'failed', fault };
}

const groupAndOthers = 0o077;
const isOursAlone = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  // A file that is not there yet is made with the right mode.
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
  const standing = await listAppliedMigrations(database);
  const ours = readMigrations();
  const known = new Map(ours.map(({ number, hash }) => [number, hash]));
  const applied = new Set(standing.map(({ number }) => number));
  const isUsable = standing.length > 0;
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
    unknown: standing.filter(({ number, hash }) => known.get(number) !== hash).map(({ name }) => name),
    ...(isUsable ? await readActivity(platform) : emptyDatabaseState),
    keyChange: isUsable ? await keyChangeOf(platform, sealedColumns) : null,
  };
}

const emptyDatabaseState = { moneyError: null, keyOpens: null, jobs: [], jobsIdleMs: null, verified: null } as const;

/** Half of the way there and back is on the way there. */
export async function measureClockDifference(db: Queryable): Promise<number> {
  await readServerClock(db);
  const before = realNow().getTime();
  const { queryStart } = await readServerClock(db);
  return Math.round((before + realNow().getTime()) / 2 - queryStart.getTime());
}

/** Each may ask for a table that an older database does not have: then it is told as missing, not thrown. */
async function readActivity(
  platform: Platform,
): Promise<Pick<DatabaseState, 'moneyError' | 'keyOpens' | 'jobs' | 'jobsIdleMs' | 'verified'>> {
  const { jobsDatabase: db, clock, config } = platform;
  // Read only: a live key is noted at the start of the service, not here.
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

import { dayMs, hourMs, secondMs } from '../core/time.ts';

/** The state of an installation, read by src/operations/examine-installation.ts. */
export type InstallationFacts = {
  readonly mode: 'sandbox' | 'live';
  readonly baseUrl: { readonly isEncrypted: boolean; readonly isPublic: boolean; readonly text: string };
  readonly mail:
    | { readonly is: 'none' }
    | { readonly is: 'reached'; readonly mayBeReadOnTheWay: boolean }
    | { readonly is: 'failed'; readonly error: string };
  readonly key: { readonly is: 'set' } | { readonly is: 'in a file'; readonly isOwnerOnly: boolean };
  readonly stripe: 'none' | 'test' | 'live';
  /** Of the data folder. Null where it could not be read. */
  readonly disk: { readonly freeBytes: number; readonly bytes: number } | null;
  readonly processes: number;
  readonly connectionsEach: number;
  readonly database: DatabaseState | { readonly is: 'away'; readonly error: string };
};
export type DatabaseState = {
  readonly is: 'there';
  readonly versionNumber: number;
  readonly encoding: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  readonly connectionsMax: number;
  readonly clockAheadMs: number;
  readonly pending: readonly string[];
  /** Migrations that this version does not know. */
  readonly unknown: readonly string[];
  readonly moneyError: string | null;
  /** Null where nothing is sealed yet. */
  readonly keyOpens: boolean | null;
  /** Null where SECRET_KEY_PREVIOUS is not set. */
  readonly keyChange: {
    /** What is not sealed with SECRET_KEY yet. */
    readonly remaining: readonly { readonly table: string; readonly values: number }[];
    /** Whose unused recovery codes work only while SECRET_KEY_PREVIOUS is set. */
    readonly peopleWithOldCodes: number;
  } | null;
  readonly jobs: readonly { readonly job: string; readonly failures: number }[];
  /** Business time since any job ran. Null: none ever did. */
  readonly jobsIdleMs: number | null;
  readonly verified: { readonly agoMs: number; readonly differences: number } | null;
};

export type Finding = { readonly is: 'good' | 'warn' | 'bad'; readonly what: string; readonly message: string };

const gigabyte = 1_000_000_000;
const diskBad = { bytes: gigabyte, part: 0.02 };
const diskWarn = { bytes: 5 * gigabyte, part: 0.1 };
const clockDifference = { warnMs: secondMs, badMs: 5 * secondMs };
const versions = { oldest: 15, newest: 18 };
const failuresBadMin = 3;
const idleWarnMs = 7 * hourMs;
const verifiedWarnMs = 8 * dayMs;
/** For the operator's own: a look by hand, a backup, a verification. */
const spareConnections = 6;

/** One line for each thing that can be wrong, each with what to do. */
export function decideDoctor(facts: InstallationFacts): readonly Finding[] {
  const { database } = facts;
  const around = [checkBaseUrl(facts), checkSecretKey(facts), checkPaymentProvider(facts), checkEmail(facts), checkDisk(facts)];
  if (database.is === 'away') return [...around, bad('database', `does not answer: ${database.error}`)];
  return [
    ...around,
    checkClock(database),
    checkVersion(database),
    checkDurability(facts, database),
    checkConnections(facts, database),
    checkMigrations(database),
    checkMoney(database),
    checkSealedValues(database),
    ...checkKeyChange(database),
    checkJobs(database),
    checkVerification(database),
  ];
}

const good = (what: string, message: string): Finding => ({ is: 'good', what, message });
const warn = (what: string, message: string): Finding => ({ is: 'warn', what, message });
const bad = (what: string, message: string): Finding => ({ is: 'bad', what, message });

function checkBaseUrl({ mode, baseUrl: { isEncrypted, isPublic, text } }: InstallationFacts): Finding {
  if (mode === 'sandbox') return good('base URL', `${text}; a sandbox can use any URL`);
  if (!isEncrypted) return bad('base URL', `${text} is not https: passwords and keys would be sent unencrypted; set BASE_URL to https://…`);
  if (!isPublic) return bad('base URL', `${text} is not a public name: shoppers and merchants cannot reach it; set BASE_URL`);
  return good('base URL', text);
}

function checkSecretKey({ mode, key }: InstallationFacts): Finding {
  if (key.is === 'set') return good('secret key', 'SECRET_KEY is set; store a copy separately from the backups');
  if (!key.isOwnerOnly)
    return bad(
      'secret key',
      'other users of this machine can read the file secret-key; set its mode to 600, and consider changing the key',
    );
  if (mode === 'live') return good('secret key', 'in the file secret-key of DATA_DIR; store a copy separately from the backups');
  return good('secret key', 'in the file secret-key of DATA_DIR');
}

function checkPaymentProvider({ mode, stripe }: InstallationFacts): Finding {
  if (stripe === 'live') return good('payments', 'Stripe, with a live key');
  if (mode === 'live') return warn('payments', 'no STRIPE_SECRET_KEY: no card can be charged, and creators can only be paid manually');
  return good(
    'payments',
    stripe === 'test' ? 'the sandbox provider, and Stripe with a test key' : 'the sandbox provider; no real money moves',
  );
}

function checkEmail({ mode, mail }: InstallationFacts): Finding {
  if (mail.is === 'reached' && mail.mayBeReadOnTheWay) {
    const text = 'SMTP_TLS is "optional": emails, and the links in them, may be sent unencrypted; set it to "required", or use smtps://';
    return mode === 'live' ? warn('mail', text) : good('mail', text);
  }
  if (mail.is === 'reached') return good('mail', 'the server in SMTP_URL accepted the sign-in; no email was sent');
  if (mail.is === 'failed') return bad('mail', `the server in SMTP_URL: ${mail.error}; emails wait and are retried`);
  if (mode === 'live') return warn('mail', 'no SMTP_URL: no email is sent, so no user can sign up, be invited, or reset a password');
  return good('mail', 'no SMTP_URL; emails are stored in the outbox of the dashboard');
}

function checkDisk({ disk }: InstallationFacts): Finding {
  if (disk === null) return warn('disk', 'the folder DATA_DIR cannot be read');
  const { freeBytes, bytes } = disk;
  const message = `${(freeBytes / gigabyte).toFixed(1)} GB of ${(bytes / gigabyte).toFixed(1)} GB are free at DATA_DIR`;
  if (freeBytes < diskBad.bytes || freeBytes < bytes * diskBad.part)
    return bad('disk', `${message}: free up space now; a full disk stops the embedded database`);
  if (freeBytes < diskWarn.bytes || freeBytes < bytes * diskWarn.part) return warn('disk', `${message}: free up space soon`);
  return good('disk', message);
}

function checkClock({ clockAheadMs }: DatabaseState): Finding {
  const off = Math.abs(clockAheadMs);
  const message = `this machine is ${(off / secondMs).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the database server`;
  if (off > clockDifference.badMs)
    return bad('clock', `${message}: synchronize both with NTP; sign-ins, attribution windows, and holds depend on the clock`);
  if (off > clockDifference.warnMs) return warn('clock', `${message}: synchronize both with NTP`);
  return good('clock', message);
}

function checkVersion({ versionNumber, encoding }: DatabaseState): Finding {
  const major = Math.floor(versionNumber / 10_000);
  const message = `PostgreSQL ${major}.${versionNumber % 10_000}`;
  if (major < versions.oldest) return bad('database', `${message} is too old; use ${versions.oldest} to ${versions.newest}`);
  if (encoding !== 'UTF8')
    return bad('database', `its encoding is ${encoding}; create a database with the encoding UTF8, and restore a backup`);
  if (major > versions.newest) return warn('database', `${message} is newer than the tested versions (up to ${versions.newest})`);
  return good('database', message);
}

/** An order that was answered must be there after a power cut: all three settings are needed for it. */
function checkDurability({ mode }: InstallationFacts, { fsync, synchronousCommit, fullPageWrites }: DatabaseState): Finding {
  const settings = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(fullPageWrites === 'on' ? [] : ['full_page_writes']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (settings.length === 0) return good('durability', `fsync and full_page_writes are on, synchronous_commit is ${synchronousCommit}`);
  const message = `${settings.join(' and ')} ${settings.length === 1 ? 'is' : 'are'} off: a crash may lose acknowledged orders; turn it on in postgresql.conf`;
  return mode === 'live' ? bad('durability', message) : warn('durability', message);
}

function checkConnections({ processes, connectionsEach }: InstallationFacts, { connectionsMax }: DatabaseState): Finding {
  const needed = processes * connectionsEach + spareConnections;
  const message = `max_connections is ${connectionsMax}; ${processes} processes of this machine use up to ${processes * connectionsEach}`;
  if (connectionsMax < connectionsEach) return bad('connections', `${message}: raise it to ${needed} or more`);
  if (connectionsMax < needed) return warn('connections', `${message}: raise it to ${needed} or more, plus those of other machines`);
  return good('connections', message);
}

function checkMigrations({ pending, unknown }: DatabaseState): Finding {
  if (unknown.length > 0)
    return bad('migrations', `the database has ${unknown.join(', ')}, which this version does not have; start the newer version`);
  if (pending.length > 0) return warn('migrations', `${pending.length} are pending (from ${pending[0]} on): the next start applies them`);
  return good('migrations', 'all are applied');
}

const checkMoney = ({ moneyError }: DatabaseState): Finding =>
  moneyError === null ? good('money', 'real and simulated money are separate') : bad('money', moneyError);

function checkSealedValues({ keyOpens }: DatabaseState): Finding {
  if (keyOpens === null) return good('seals', 'nothing is encrypted yet');
  if (keyOpens) return good('seals', 'the secret key decrypts the encrypted values in the database');
  return bad('seals', 'the secret key does not decrypt the encrypted values in the database; restore the key that encrypted them');
}

function checkKeyChange({ keyChange }: DatabaseState): readonly Finding[] {
  if (keyChange === null) return [];
  const { remaining, peopleWithOldCodes: people } = keyChange;
  if (remaining.length > 0) {
    const values = remaining.reduce((sum, each) => sum + each.values, 0);
    const tables = remaining.map((each) => `${each.table} ${each.values}`).join(', ');
    const text = `${values} values are not encrypted with SECRET_KEY yet (${tables}): run reseal, and keep SECRET_KEY_PREVIOUS until then`;
    return [warn('key change', text)];
  }
  const removable = 'everything is encrypted with SECRET_KEY: it is safe to remove SECRET_KEY_PREVIOUS';
  if (people === 0) return [good('key change', removable)];
  const codes = `the unused recovery codes of ${people} people then stop working; they can create new ones in My account`;
  return [warn('key change', `${removable}, but ${codes}`)];
}

function checkJobs({ jobs, jobsIdleMs }: DatabaseState): Finding {
  const failed = jobs.filter(({ failures }) => failures > 0);
  const names = failed.map(({ job, failures }) => `"${job}" (${failures} times)`).join(', ');
  if (failed.some(({ failures }) => failures >= failuresBadMin))
    return bad('jobs', `failed repeatedly: ${names}; see the log, then retry in the dashboard`);
  if (failed.length > 0) return warn('jobs', `failed in the last run: ${names}; the next run processes the remaining work`);
  if (jobsIdleMs === null) return warn('jobs', 'no job has run: is a process with the role "jobs" or "all" running?');
  if (jobsIdleMs > idleWarnMs)
    return warn('jobs', `no job has run for ${Math.floor(jobsIdleMs / hourMs)} hours: is a process with the role "jobs" or "all" running?`);
  return good('jobs', 'they run, and none failed in the last run');
}

function checkVerification({ verified }: DatabaseState): Finding {
  if (verified === null) return warn('books', 'were never verified: run verify, or select Verify now in the dashboard');
  if (verified.differences > 0)
    return bad(
      'books',
      `the last verification found ${verified.differences} differences: check them in the dashboard before the next billing or payout run`,
    );
  const days = Math.floor(verified.agoMs / dayMs);
  if (verified.agoMs > verifiedWarnMs) return warn('books', `were last verified ${days} days ago: run verify`);
  return good('books', `verified ${days === 0 ? 'within a day' : `${days} days ago`}, without differences`);
}

import type { KeyIds } from '../db/backup-format.ts';
import { findEmbedded } from '../embedded-postgres/start.ts';
import type { Config } from '../core/config.ts';
import { createLog } from '../core/log.ts';
import type { Platform } from '../runtime/platform.ts';
import { createSecrets, loadSecretKey } from '../core/secrets.ts';
import { refuseMixedMoney } from '../payments/separate-real-money.ts';
import { openPlatform } from '../app/server.ts';

/** What can be done from the command line of the machine, with the same environment as the service. */
export type Command = { readonly usage: string; readonly does: string } & (
  | { readonly runs: 'beside'; readonly run: (platform: Platform, words: CommandArguments) => Promise<void> }
  /** Where no service is at work, or where it cannot be said whether one could be. */
  | { readonly runs: 'alone'; readonly run: (config: Config, words: CommandArguments) => Promise<void> }
);

export const flags = {
  json: { type: 'boolean', default: false },
  history: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  'even-if-owed': { type: 'boolean', default: false },
  email: { type: 'string' },
  name: { type: 'string' },
  creator: { type: 'string' },
  store: { type: 'string' },
  customer: { type: 'string' },
  order: { type: 'string' },
} as const;

export type CommandArguments = {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly history: boolean;
  readonly replace: boolean;
  readonly 'even-if-owed': boolean;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly creator?: string | undefined;
  readonly store?: string | undefined;
  readonly customer?: string | undefined;
  readonly order?: string | undefined;
};

/** The database that the running service uses. The embedded one is only there while the service runs. */
export async function openPlatformForCommand(config: Config): Promise<Platform> {
  const databaseUrl = config.databaseUrl ?? (await findEmbedded(config.dataDir))?.url;
  if (databaseUrl === undefined) throw new Error('the service is not running here; start it with npm start, then try again');
  const platform = openPlatform({ config, databaseUrl, secretKey: await loadSecretKey(config), log: createLog('warn') });
  try {
    await refuseMixedMoney(platform);
    await platform.clock.refresh();
    return platform;
  } catch (error) {
    await closePlatform(platform);
    throw error;
  }
}

export async function closePlatform(platform: Platform): Promise<void> {
  await platform.jobsDatabase.end();
  await platform.database.end();
}

/** Identifies a secret key without revealing it. */
const keyFingerprint = (secretKey: Buffer): string => createSecrets(secretKey).keyedHash('this key', 'backup').toString('hex');

/** Of the keys that this environment has: that which seals, and that which only opens while it is being changed. */
export async function keyFingerprints(config: Config, secretKey?: Buffer): Promise<KeyIds> {
  const previous = config.previousSecretKey;
  return {
    sealedBy: keyFingerprint(secretKey ?? (await loadSecretKey(config))),
    openedBy: previous === null ? null : keyFingerprint(previous),
  };
}

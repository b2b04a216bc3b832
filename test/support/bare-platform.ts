import { randomBytes } from 'node:crypto';
import { readConfig } from '../../src/core/config.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { createLog } from '../../src/core/log.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { openPlatform } from '../../src/app/server.ts';
import { freshDatabase } from './database.ts';

export type BarePlatform = {
  readonly platform: Platform;
  readonly databaseUrl: string;
  /** Advances business time, as the sandbox's clock does. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The platform alone, with its own database, for modules that are tested without requests. */
export async function barePlatform(environment: Readonly<Record<string, string>> = {}): Promise<BarePlatform> {
  const { url, database } = await freshDatabase();
  await database.end();
  return barePlatformOn(url, environment);
}

export async function barePlatformOn(databaseUrl: string, environment: Readonly<Record<string, string>> = {}): Promise<BarePlatform> {
  const read = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...environment }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const platform = openPlatform({ config: read.config, databaseUrl, secretKey: randomBytes(32), log: createLog('silent') });
  return {
    platform,
    databaseUrl,
    pass: (ms) => moveSandboxClock(platform.database, platform.clock, new Date(platform.clock.now().getTime() + ms)),
    async close() {
      await platform.jobsDatabase.end();
      await platform.database.end();
    },
  };
}

import { randomBytes } from 'node:crypto';
import { readConfig } from '../../src/platform/config.ts';
import { moveSandboxClock } from '../../src/platform/database/sandbox-clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { must } from '../../src/platform/must.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { openPlatform } from '../../src/service.ts';
import { freshDatabase } from './database.ts';

export type BarePlatform = {
  readonly platform: Platform;
  readonly databaseUrl: string;
  /** Moves business time forward, as the sandbox's clock does. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The platform alone, with a database of its own: for rooms that no request is needed to reach. */
export async function barePlatform(environment: Readonly<Record<string, string>> = {}): Promise<BarePlatform> {
  const { url, database } = await freshDatabase();
  await database.end();
  return barePlatformOn(url, environment);
}

export async function barePlatformOn(databaseUrl: string, environment: Readonly<Record<string, string>> = {}): Promise<BarePlatform> {
  const read = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...environment }, '/');
  must(read.is === 'good', 'the settings of the tests are right');
  const platform = openPlatform({ config: read.config, databaseUrl, secretKey: randomBytes(32), log: createLog('silent') });
  return {
    platform,
    databaseUrl,
    pass: (ms) => moveSandboxClock(platform.database, platform.clock, new Date(platform.clock.now().getTime() + ms)),
    async close() {
      await platform.nightDatabase.end();
      await platform.database.end();
    },
  };
}

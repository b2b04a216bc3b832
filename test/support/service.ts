import { randomBytes } from 'node:crypto';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { invariant } from '../../src/core/invariant.ts';
import { seedWorld } from '../../src/commands/seed/seed.ts';
import { startService, type Service } from '../../src/app/server.ts';
import { freshDatabase } from './database.ts';
import { hashWeakly } from './weak-password-hash.ts';

export type World = Awaited<ReturnType<typeof seedWorld>>;
export type TestService = Service & {
  /** A fresh sandbox, independent of all others: stores, a program, a creator with a link, an operator's key. */
  readonly seed: () => Promise<World>;
  readonly databaseUrl: string;
};

type Environment = Readonly<Record<string, string>>;

/** The whole service on a separate port with a separate database, for tests over HTTP. */
export async function startTestService(environment: Environment = {}, dashboardsFolder: string | null = null): Promise<TestService> {
  const { url: databaseUrl, database } = await freshDatabase();
  await database.end();
  return startTestServiceOn(databaseUrl, environment, dashboardsFolder);
}

/** A second service on the same database, or the same one again after it was stopped. */
export async function startTestServiceOn(
  databaseUrl: string,
  environment: Environment = {},
  dashboardsFolder: string | null = null,
): Promise<TestService> {
  const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', ...environment }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const log = createLog(read.config.logLevel);
  const service = await startService({ config: read.config, databaseUrl, secretKey: testSecretKey, log, dashboardsFolder });
  return { ...service, databaseUrl, seed: () => seedWorld(service.platform, {}, hashWeakly) };
}

/** One key per test process, so that two services on one database can open each other's sealed values. */
export const testSecretKey = randomBytes(32);

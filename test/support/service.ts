import { randomBytes } from 'node:crypto';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { must } from '../../src/platform/must.ts';
import { seedWorld } from '../../src/seed.ts';
import { startService, type Service } from '../../src/service.ts';
import { freshDatabase } from './database.ts';

export type World = Awaited<ReturnType<typeof seedWorld>>;
export type TestService = Service & {
  /** A fresh world beside all others: stores, a program, a creator with a link, an operator's key. */
  readonly seed: () => Promise<World>;
  readonly databaseUrl: string;
};

type Environment = Readonly<Record<string, string>>;

/** The whole service on a port of its own, with a database of its own. What a test of the wire talks to. */
export async function startTestService(environment: Environment = {}, webFolder: string | null = null): Promise<TestService> {
  const { url: databaseUrl, database } = await freshDatabase();
  await database.end();
  return startTestServiceOn(databaseUrl, environment, webFolder);
}

/** A second service on the same database, or the same one again after it was stopped. */
export async function startTestServiceOn(
  databaseUrl: string,
  environment: Environment = {},
  webFolder: string | null = null,
): Promise<TestService> {
  const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', ...environment }, '/');
  must(read.is === 'good', 'the settings of the tests are right');
  const log = createLog(read.config.logLevel);
  const service = await startService({ config: read.config, databaseUrl, secretKey: testSecretKey, log, webFolder });
  return { ...service, databaseUrl, seed: () => seedWorld(service.platform) };
}

/** One key per test process, so that two services on one database can open each other's seals. */
export const testSecretKey = randomBytes(32);

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isLocked } from '../../src/embedded-postgres/folder-lock.ts';
import { removeEmbedded, startEmbedded } from '../../src/embedded-postgres/start.ts';

declare module 'vitest' {
  // Only an interface can be extended by declaration merging.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** A PostgreSQL on which tests may create databases. */
    databaseUrl: string;
  }
}

const prefix = 'tributary-test-';
/** A folder this recent may belong to a concurrent run that has not locked it yet. */
const youngMs = 60_000;

let stop = async (): Promise<void> => {};

/**
 * One PostgreSQL for the whole run: the embedded one, as in production, or the server (15 to 18) that TEST_DATABASE_URL names, or the one
 * with Citus that CITUS_URL names: there each test's database is distributed (test/support/database.ts).
 */
export async function setup({ provide }: TestProject): Promise<void> {
  const external = process.env['CITUS_URL'] ?? process.env['TEST_DATABASE_URL'];
  if (external !== undefined && external !== '') {
    provide('databaseUrl', external);
    return;
  }
  await removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  const database = await startEmbedded({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  stop = async () => {
    await database.stop();
    await remove(dataDir);
  };
  provide('databaseUrl', database.url);
}

export async function teardown(): Promise<void> {
  await stop();
}

/** A killed run could not clean up, and its PostgreSQL may still be running. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const dataDir = join(tmpdir(), name);
    const madeAt = statSync(dataDir, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    // A folder that cannot be removed belongs to another user or was just taken, so it is left alone.
    if (Date.now() - madeAt > youngMs) await removeIfFree(dataDir).catch(() => {});
  }
}

async function removeIfFree(dataDir: string): Promise<void> {
  if (!isLocked(dataDir)) await remove(dataDir);
}

async function remove(dataDir: string): Promise<void> {
  await removeEmbedded(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

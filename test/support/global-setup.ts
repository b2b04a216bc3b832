import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { isLocked } from '../../src/embedded-postgres/folder-lock.ts';
import { removeEmbedded, startEmbedded } from '../../src/embedded-postgres/start.ts';
import { isHard } from './size.ts';

declare module 'vitest' {
  // Only an interface can be extended by declaration merging.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** A PostgreSQL on which tests may create databases. */
    databaseUrl: string;
  }
}

/** That of src/app/main.ts. It halves the start of every process: of the workers, and of the commands that tests run. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/tributary', import.meta.url));

const prefix = 'tributary-test-';
/** A folder this recent may belong to a concurrent run that has not locked it yet. */
const youngMs = 60_000;

let stop = async (): Promise<void> => {};

/**
 * One PostgreSQL for the whole run: the embedded one, as in production, or the server (15 to 18) that TEST_DATABASE_URL names, or the one
 * with Citus that CITUS_URL names: there each test's database is distributed (test/support/database.ts).
 */
export async function setup({ provide }: TestProject): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] ??= compileCache;
  const external = process.env['CITUS_URL'] ?? process.env['TEST_DATABASE_URL'];
  if (external !== undefined && external !== '') {
    provide('databaseUrl', external);
    return;
  }
  useMemoryFolder();
  await removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  // The tests that crash a database start their own, which is durable.
  const database = await startEmbedded({ dataDir, isDurable: isHard, connectionsMax, log: (line) => process.stderr.write(`${line}\n`) });
  stop = async () => {
    await database.stop();
    await remove(dataDir);
  };
  provide('databaseUrl', database.url);
}

export async function teardown(): Promise<void> {
  await stop();
}

/** A process keeps the idle connections of the files that it ran before. */
const connectionsMax = 600;

const memoryFolder = '/dev/shm';
const memoryBytesLeast = 6 * 2 ** 30;

/**
 * Keeps temporary files in memory on Linux, if enough is free: creating a database creates a thousand files, which takes 20 ms of CPU
 * there and ten times that on a disk. A run of `npm run test:hard` uses the disk, because it measures the disk too.
 */
function useMemoryFolder(): void {
  if (isHard || process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === memoryFolder);
  const options = mount?.[3]?.split(',') ?? ['noexec'];
  if (options.includes('noexec') || options.includes('ro') || freemem() < memoryBytesLeast) return;
  const { bavail, bsize } = statfsSync(memoryFolder);
  if (bavail * bsize >= memoryBytesLeast) process.env['TMPDIR'] = memoryFolder;
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

import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLocked, lockFolder } from '../../src/embedded-postgres/folder-lock.ts';
import { databaseFolder } from '../../src/embedded-postgres/location.ts';
import { killAll } from '../../src/embedded-postgres/processes.ts';
import { isHard } from './size.ts';

const prefix = 'tributary-test-';
/** A folder this recent may belong to a concurrent run that has not locked it yet. */
const youngMs = 60_000;

export type RunFolder = { readonly path: string; readonly remove: () => Promise<void> };

/**
 * Contains all temporary files of one run of the tests. A lock belongs to it that ends with the run, however the run ends: the next run
 * then removes the folder. (A process ID may be reused, and means nothing in another container.)
 */
export async function createRunFolder(): Promise<RunFolder> {
  const parent = chooseParent();
  await removeLeftovers(parent);
  const path = mkdtempSync(join(parent, prefix));
  // PostgreSQL runs as another user if root runs the tests.
  chmodSync(path, 0o755);
  const lock = await lockFolder(path);
  process.env['TMPDIR'] = path;
  return {
    path,
    async remove() {
      lock.release();
      await remove(path);
    },
  };
}

const memoryFolder = '/dev/shm';
const memoryBytesLeast = 6 * 2 ** 30;

/**
 * Keeps temporary files in memory on Linux, if enough is free: creating a database creates a thousand files, which takes 20 ms of CPU
 * there and ten times that on a disk. A run of `npm run test:hard` uses the disk, because it measures the disk too.
 */
function chooseParent(): string {
  if (isHard || process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === memoryFolder);
  const options = mount?.[3]?.split(',') ?? ['noexec'];
  // Unlike the free memory of the machine, it contains what caches would give back, and respects the limit of a container.
  if (options.includes('noexec') || options.includes('ro') || process.availableMemory() < memoryBytesLeast) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize >= memoryBytesLeast ? memoryFolder : tmpdir();
}

/** A killed run could not clean up, and its PostgreSQL servers may still be running. Memory that it filled stays full until then. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const path = join(parent, name);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (isLocked(path) || (!hasLock(path) && Date.now() - madeAt < youngMs)) continue;
    // A folder that cannot be removed belongs to another user, so it is left alone.
    await remove(path).catch(() => {});
  }
}

const hasLock = (path: string): boolean => readdirSync(path).some((name) => name.startsWith('database.'));

async function remove(path: string): Promise<void> {
  for (const folder of dataFoldersIn(path, dataFolderDepth)) await killAll(folder);
  rmSync(path, { recursive: true, force: true });
}

/** Tests create data folders at most this far below the folder of the run. */
const dataFolderDepth = 4;

function dataFoldersIn(folder: string, depth: number): readonly string[] {
  if (existsSync(databaseFolder(folder))) return [folder];
  if (depth === 0) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => dataFoldersIn(join(folder, name), depth - 1));
}

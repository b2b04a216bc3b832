import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The builds of this process, which may run several at a time. */
const inUse = new Set<string>();

/** A folder beside the output, named after this process. It does not exist yet; the build may also use the same name with a suffix. */
export function newBuildFolder(output: string): string {
  const folder = `${output}.${process.pid}-${randomBytes(6).toString('hex')}`;
  inUse.add(folder);
  return folder;
}

export function removeBuildFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  inUse.delete(folder);
}

/**
 * A process that was killed while it built could not remove its folders. In a container the next process often has the same ID, so the
 * folders of this process are known by name.
 */
export function removeAbandonedBuilds(output: string): void {
  const parent = dirname(output);
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const { folder, owner } = buildFolderName.exec(name)?.groups ?? {};
    if (folder === undefined || !folder.startsWith(`${basename(output)}.`)) continue;
    const isUsed = Number(owner) === process.pid ? inUse.has(join(parent, folder)) : isRunning(Number(owner));
    if (!isUsed) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

const buildFolderName = /^(?<folder>.+\.(?<owner>\d+)-[0-9a-f]{12})(\.packages|\.former)?$/;

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/*
 * Unpacks packages whose archives npm has in its cache, without npm, which takes three times as long. The cache names a file by the hash
 * that package-lock.json has, so nothing else is needed, and each archive is compared with its hash. npm installs all packages if the cache
 * lacks one, or if a later npm names the files in another way.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'fs';
import { cpus } from 'os';
import { basename, dirname, join, relative } from 'path';
import { Worker } from 'worker_threads';

const threadsMax = 4;

/** What to unpack: null if an archive is not in the cache. `folder` is the one with `node_modules`. */
export function archivesInCache({ cache, folder, packages, paths, omitsDev }) {
  const archives = paths.map((path) => {
    const { integrity, bin } = packages[path];
    return { file: archiveFile(cache, integrity), integrity, folder, path, bin, omitsDev };
  });
  return archives.every(({ file }) => file !== null && existsSync(file)) ? archives : null;
}

/** Null if the lock has no hash for the package. */
function archiveFile(cache, integrity) {
  if (integrity === undefined) return null;
  const [algorithm, hash] = integrity.split('-');
  const name = Buffer.from(hash, 'base64').toString('hex');
  return join(cache, '_cacache', 'content-v2', algorithm, name.slice(0, 2), name.slice(2, 4), name.slice(4));
}

/** Unpacks on several cores. Throws if an archive is not the one that the lock names or if a file cannot be written. */
export async function unpackArchives(archives) {
  const shares = shareEqually(archives, Math.max(1, Math.min(threadsMax, cpus().length)));
  // All threads have ended when npm begins instead.
  const failed = (await Promise.allSettled(shares.map(unpackInThread))).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  for (const archive of archives) linkCommands(archive);
}

function shareEqually(archives, count) {
  const shares = Array.from({ length: count }, () => ({ bytes: 0, archives: [] }));
  const sized = archives.map((archive) => ({ archive, bytes: statSync(archive.file).size }));
  for (const { archive, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    const [smallest] = shares.sort((a, b) => a.bytes - b.bytes);
    smallest.bytes += bytes;
    smallest.archives.push(archive);
  }
  return shares.map((share) => share.archives);
}

function unpackInThread(archives) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('unpack-archives.mjs', import.meta.url), { workerData: archives });
    thread.once('error', reject);
    thread.once('exit', resolve);
  });
}

/** The commands of a package, in the `.bin` folder beside it, as npm links them. */
function linkCommands({ folder, path, bin = {} }) {
  const modules = join(folder, path.slice(0, path.lastIndexOf('node_modules/')), 'node_modules');
  const commands = typeof bin === 'string' ? { [basename(path)]: bin } : bin;
  for (const name of Object.keys(commands)) {
    const program = join(folder, path, commands[name]);
    const link = join(modules, '.bin', name);
    if (!existsSync(program)) continue;
    chmodSync(program, 0o755);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), program), link);
  }
}

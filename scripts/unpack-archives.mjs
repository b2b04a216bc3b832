/* A thread of install-from-cache.mjs: unpacks archives of packages, without the files that are never read. */
import { createHash } from 'crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { isMainThread, workerData } from 'worker_threads';
import { gunzipSync } from 'zlib';
import { unusedIn } from './prune-packages.mjs';

const blockBytes = 512;
/** Kinds of entries: a file (an old archive has a zero byte), and attributes of the next entry, such as a long path. */
const [fileKinds, attributesKind] = [['0', '\0'], 'x'];
/** Links, folders, and attributes of the archive. npm does not install links. */
const ignoredKinds = ['1', '2', '5', 'g'];

if (!isMainThread) workerData.forEach(unpackArchive);

function unpackArchive({ file, integrity, folder, path, omitsDev }) {
  const archive = readFileSync(file);
  const [algorithm, hash] = integrity.split('-');
  if (createHash(algorithm).update(archive).digest('base64') !== hash) throw new Error(`${file} is not the archive of ${path}`);
  const name = path.replace(/^node_modules\//, '');
  const isUnused = unusedBelow(name, unusedIn({ omitsDev }));
  const made = new Set();
  for (const entry of entriesOf(unzip(archive))) {
    if (entry.path.split('/').includes('..')) throw new Error(`${file} has the path ${entry.path}`);
    if (isUnused(entry.path)) continue;
    const target = join(folder, path, entry.path);
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(target));
    writeFileSync(target, entry.bytes, { mode: entry.isProgram ? 0o755 : 0o644 });
  }
}

/** The last four bytes of a gzip file are the size of its content. With one chunk of that size, Node does not hold the content twice. */
function unzip(archive) {
  const size = archive.readUInt32LE(archive.length - 4);
  return gunzipSync(archive, { chunkSize: Math.max(64, size + 1) });
}

/** A file is also unused if one of its folders is. */
function unusedBelow(name, isUnused) {
  const folders = new Map([['.', false]]);
  const isUnusedFolder = (path) => {
    if (!folders.has(path)) folders.set(path, isUnusedFolder(dirname(path)) || isUnused(`${name}/${path}`, { isFile: false }));
    return folders.get(path);
  };
  return (path) => isUnused(name, { isFile: false }) || isUnusedFolder(dirname(path)) || isUnused(`${name}/${path}`, { isFile: true });
}

/** The files of a tar archive. Each path starts with a folder that npm leaves out. Throws for what npm may read in another way. */
function* entriesOf(tar) {
  let longPath = null;
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const text = (from, length) => tar.toString('utf8', at + from, at + from + length).split('\0')[0];
    const size = parseInt(text(124, 12), 8);
    const kind = String.fromCharCode(tar[at + 156]);
    if (Number.isNaN(size) || !fileKinds.concat(ignoredKinds, attributesKind).includes(kind))
      throw new Error(`an archive has an entry of the unknown kind ${kind}`);
    const bytes = tar.subarray(at + blockBytes, at + blockBytes + size);
    const prefix = text(257, 5) === 'ustar' && text(345, 155) !== '' ? `${text(345, 155)}/` : '';
    const path = longPath === null ? `${prefix}${text(0, 100)}` : longPath;
    longPath = kind === attributesKind ? pathAttribute(bytes) : null;
    if (fileKinds.includes(kind) && !path.endsWith('/'))
      yield { path: path.slice(path.indexOf('/') + 1), isProgram: (parseInt(text(100, 8), 8) & 0o111) !== 0, bytes };
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
}

/** Attributes are lines such as `30 path=package/a/long/path`, each with its length. */
function pathAttribute(bytes) {
  const [, path] = /^\d+ path=(.*)$/m.exec(bytes.toString('utf8')) || [null, null];
  return path;
}

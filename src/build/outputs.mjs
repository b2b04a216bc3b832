import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What the first start after an update builds, and whether it was built from the sources that are here now. Every start asks, before it
 * loads anything else. This file is JavaScript, because Node would load its TypeScript compiler for it.
 */
const root = join(import.meta.dirname, '..', '..');

/** The folders that each output is built from. Both share code with the SDK and with the tools of the message catalogs. */
export const sources = { service: ['src', 'locales', 'sdk/src'], web: ['web', 'locales', 'sdk/src'] };
export const outputNames = Object.keys(sources);

/** Is in an output's folder, and contains the fingerprints of its sources. It is never served, because its name has no known media type. */
const recordName = '.built-from';

export const outputFolder = (output, program = root) => join(program, 'dist', output);

/** The contents decide. They are read only if a file has another size or time than when the output was built. */
export function isCurrent(output, program = root) {
  const record = readRecord(output, program);
  if (record === null) return false;
  const files = sourceFiles(output, program);
  return record.files === fingerprintFiles(files) || record.contents === fingerprintContents(files);
}

/** Both fingerprints of the sources as they are now, so taken before the build reads them. */
export function fingerprintSources(output, program = root) {
  const files = sourceFiles(output, program);
  return { files: fingerprintFiles(files), contents: fingerprintContents(files) };
}

export function isBuiltFrom(output, { contents }) {
  return readRecord(output, root)?.contents === contents;
}

/** Written into the folder of a finished build. */
export function writeRecord(folder, fingerprints) {
  writeFileSync(join(folder, recordName), JSON.stringify(fingerprints));
}

function readRecord(output, program) {
  try {
    return JSON.parse(readFileSync(join(outputFolder(output, program), recordName), 'utf8'));
  } catch {
    return null;
  }
}

/** The names are relative to the program, which may be moved. The lock file has the versions of the packages. */
function sourceFiles(output, program) {
  const names = sources[output].flatMap((folder) => filesIn(program, folder)).sort();
  return [...names, 'package-lock.json'].map((name) => ({ name, path: join(program, name) }));
}

/** In half the time of `recursive`, which asks the disk again what each entry is. */
function filesIn(program, folder) {
  return readdirSync(join(program, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(program, name);
    return entry.isFile() && !name.includes('.test.') ? [name] : [];
  });
}

function fingerprintFiles(files) {
  const hash = createHash('sha256');
  for (const { name, path } of files) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function fingerprintContents(files) {
  const hash = createHash('sha256');
  for (const { name, path } of files) {
    const bytes = readFileSync(path);
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/*
 * Shortens two files of packages (ELF, 64 bits, Linux) by what no process reads. prune-packages.mjs calls it. Each result is written
 * beside the file and then renamed, because a program that runs cannot be changed, and because several installations may share the file
 * as hard links. A file that is not as expected stays as it is.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'fs';

/** Removes what follows the last segment: the names of internal functions (18 MB of Node), which only debuggers of native code read. */
export function dropSymbols(path) {
  const file = readFileSync(path);
  const segments = segmentsOf(file);
  if (segments === null) return;
  const end = Math.max(...segments.map(({ offset, size }) => offset + size));
  if (end >= file.length) return;
  clearSections(file);
  replace(path, file.subarray(0, end));
}

/** The largest memory page of a supported system. Segments must keep their offsets in it. */
const pageBytes = 0x10000;
/** What remains: the properties of characters, and the collation without a language, whose version initdb asks for. */
const usedUnicodeData = [
  /^[^/]+\/[^/]+\.(?:icu|nrm)$/,
  /^[^/]+\/(?:root|pool|keyTypeData|likelySubtags|metadata|supplementalData)\.res$/,
  /^[^/]+\/coll\/(?:root\.res|ucadata\.icu)$/,
];

/**
 * Removes names, character sets, and collations of languages from the data of ICU (25 of 27 MB). PostgreSQL does not start without this
 * library, but its databases have the built-in collation (src/embedded-postgres/cluster.ts).
 */
export function removeLanguages(path) {
  const file = readFileSync(path);
  const segments = segmentsOf(file);
  if (segments === null || !segments[0].isLoaded || segments[0].offset !== 0) return;
  const [data, ...others] = segments;
  const inFile = others.filter(({ size }) => size > 0);
  const table = tableOfContents(file);
  const end = Math.floor(data.size / pageBytes) * pageBytes;
  if (table === -1 || inFile.some(({ offset }) => offset < end)) return;
  const kept = Buffer.concat([file.subarray(0, table), usedItems(file.subarray(table))]);
  const size = Math.ceil(kept.length / pageBytes) * pageBytes;
  if (size >= end) return;
  for (const at of [fileSizeAt, memorySizeAt]) setNumber(kept, data.at + at, size);
  for (const { at, offset } of inFile) setNumber(kept, at + offsetAt, offset - (end - size));
  for (const { at, isLoaded } of segments) if (isLoaded) setNumber(kept, at + alignmentAt, pageBytes);
  clearSections(kept);
  replace(path, Buffer.concat([kept, Buffer.alloc(size - kept.length), file.subarray(end)]));
}

/** The offset of the table of contents of ICU's data. It follows a header, which starts with its own length. */
function tableOfContents(file) {
  const header = file.subarray(0, pageBytes).indexOf('CmnD') - 12;
  return header < 0 || file.readUInt16BE(header + 2) !== 0xda27 ? -1 : header + file.readUInt16LE(header);
}

/** A table of contents with only the used items, and these. It has a number, then the offsets of each item's name and data. */
function usedItems(data) {
  const all = Array.from({ length: data.readUInt32LE(0) }, (_, index) => {
    const [name, start] = [data.readUInt32LE(4 + 8 * index), data.readUInt32LE(8 + 8 * index)];
    return { name: data.subarray(name, data.indexOf(0, name) + 1), start };
  });
  const used = all
    .map(({ name, start }, index) => ({ name, bytes: data.subarray(start, index + 1 < all.length ? all[index + 1].start : data.length) }))
    .filter(({ name }) => usedUnicodeData.some((each) => each.test(name.subarray(0, -1).toString('latin1'))));
  const entries = Buffer.alloc(4 + 8 * used.length);
  const names = Buffer.concat(used.map(({ name }) => name));
  const gap = Buffer.alloc(-(entries.length + names.length) & 15);
  let nameAt = entries.length;
  let dataAt = entries.length + names.length + gap.length;
  entries.writeUInt32LE(used.length, 0);
  used.forEach(({ name, bytes }, index) => {
    entries.writeUInt32LE(nameAt, 4 + 8 * index);
    entries.writeUInt32LE(dataAt, 8 + 8 * index);
    nameAt += name.length;
    dataAt += bytes.length;
  });
  return Buffer.concat([entries, names, gap].concat(used.map(({ bytes }) => bytes)));
}

const magic = 0x7f454c46;
const bits64LittleEndian = 0x0201;
const segmentBytes = 56;
const loaded = 1;
/** Places in the entry of a segment. */
const [offsetAt, fileSizeAt, memorySizeAt, alignmentAt] = [8, 32, 40, 48];

/** Null for what is no program for Linux. */
function segmentsOf(file) {
  if (file.length < 64 || file.readUInt32BE(0) !== magic || file.readUInt16BE(4) !== bits64LittleEndian) return null;
  const table = numberAt(file, 32);
  const count = file.readUInt16LE(56);
  return Array.from({ length: count }, (_, index) => {
    const at = table + index * segmentBytes;
    return { at, isLoaded: file.readUInt32LE(at) === loaded, offset: numberAt(file, at + offsetAt), size: numberAt(file, at + fileSizeAt) };
  });
}

/** The table of sections, which linkers and debuggers read, is at the end that is removed. */
function clearSections(file) {
  setNumber(file, 40, 0);
  file.writeUInt16LE(0, 60);
  file.writeUInt16LE(0, 62);
}

const numberAt = (file, at) => Number(file.readBigUInt64LE(at));
const setNumber = (file, at, value) => file.writeBigUInt64LE(BigInt(value), at);

/** Where there is no space for the shorter file beside the longer one, the longer one stays. */
function replace(path, bytes) {
  const draft = `${path}.shorter`;
  try {
    writeFileSync(draft, bytes, { mode: statSync(path).mode });
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { must } from '../must.ts';
import type { Encoding } from './negotiate.ts';

export type WebFile = {
  readonly bytes: Buffer;
  readonly type: string;
  /** Its name holds a hash of what is in it: it never changes. */
  readonly isImmutable: boolean;
  readonly packed: (encoding: Encoding) => Promise<Packed>;
};

export type Packed = { readonly bytes: Buffer; readonly etag: string; readonly encoding: Encoding };

/** More than the dashboards will ever have: beyond it somebody named a wrong folder. */
const filesMax = 1_000;
const bytesMax = 32 * 1_024 * 1_024;

/** All files below a folder, by the path they are served under. */
export function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  must(entries.length <= filesMax, `${folder} holds the dashboards and nothing else`);
  const files = new Map<string, WebFile>();
  let total = 0;
  for (const { parentPath, name } of entries) {
    const place = join(parentPath, name);
    const type = types[extname(name)];
    // What has no type here (the builder's mark) is not for the web.
    if (type === undefined) continue;
    const bytes = readFileSync(place);
    total += bytes.length;
    must(total <= bytesMax, `${folder} holds the dashboards and nothing else`);
    const path = `/${relative(folder, place).split(sep).join('/')}`;
    files.set(path, { bytes, type, isImmutable: path.startsWith('/assets/'), packed: packer(bytes) });
  }
  return files;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Packed when first asked for, on another thread, and kept: a start waits for none of it. */
function packer(bytes: Buffer): (encoding: Encoding) => Promise<Packed> {
  const kept = new Map<Encoding, Promise<Packed>>();
  return (encoding) => {
    const known = kept.get(encoding);
    if (known !== undefined) return known;
    const made = pack(bytes, encoding);
    kept.set(encoding, made);
    return made;
  };
}

// Of the eleven levels of Brotli the ninth gives nearly all of the last one's gain in a tenth of its time.
const brotliLevel = 9;

async function pack(bytes: Buffer, encoding: Encoding): Promise<Packed> {
  const packed = await packedBytes(bytes, encoding);
  // A strong ETag promises the very bytes, so each packing has its own.
  return { bytes: packed, etag: `"${createHash('sha256').update(packed).digest('base64url').slice(0, 22)}"`, encoding };
}

async function packedBytes(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } });
    case 'gzip':
      return promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
    case 'identity':
      return bytes;
  }
}

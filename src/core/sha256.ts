import { hash, type KeyObject } from 'node:crypto';
import { invariant } from './invariant.ts';

/**
 * The digest travels as text (`binary` is another name of latin1): Node returns a Buffer in OpenSSL's memory, which is slow to create and
 * to collect (2.8 instead of 0.7 µs).
 */
export const sha256 = (content: string | Buffer): Buffer => Buffer.from(hash('sha256', content, 'binary'), 'latin1');

const blockBytes = 64;
const digestBytes = 32;

/** The blocks before the content and before the inner digest, with space for that digest. */
type Blocks = { readonly inner: Buffer; readonly outer: Buffer };
const blocks = new WeakMap<KeyObject, Blocks>();

/** HMAC-SHA-256 (RFC 2104) as two digests: `createHmac` looks up its algorithm for each use, and costs three times as much. */
export function hmacSha256(key: KeyObject, content: Buffer): Buffer {
  const { inner, outer } = blocksOf(key);
  outer.write(hash('sha256', Buffer.concat([inner, content]), 'binary'), blockBytes, 'latin1');
  return sha256(outer);
}

function blocksOf(key: KeyObject): Blocks {
  const known = blocks.get(key);
  if (known) return known;
  const bytes = key.export();
  invariant(bytes.length <= blockBytes, 'a longer key would be hashed first');
  const made = { inner: Buffer.alloc(blockBytes, 0x36), outer: Buffer.alloc(blockBytes + digestBytes, 0x5c) };
  for (const [place, byte] of bytes.entries()) {
    made.inner.writeUInt8(0x36 ^ byte, place);
    made.outer.writeUInt8(0x5c ^ byte, place);
  }
  blocks.set(key, made);
  return made;
}

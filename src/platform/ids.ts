import { randomBytes } from 'node:crypto';
import { must } from './must.ts';

/** A UUIDv7 as PostgreSQL writes it. Inside the house every id has this form; its kind is the prefix that it has at the API's edge. */
export type Id<Kind extends string = string> = string & { readonly idOf: Kind };

const randomPool = { bytes: Buffer.alloc(0), used: 0 };
const poolBytes = 4_096;

/** Ten random bytes from a pool filled in one go: a call into the system for every id would halve the click rate. */
function tenRandomBytes(): Buffer {
  if (randomPool.used + 10 > randomPool.bytes.length) {
    randomPool.bytes = randomBytes(poolBytes);
    randomPool.used = 0;
  }
  randomPool.used += 10;
  return randomPool.bytes.subarray(randomPool.used - 10, randomPool.used);
}

/** The 16 bytes of a UUIDv7: 48 bits of time in milliseconds, then 74 random bits. */
export function uuidBytes(at: Date): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  tenRandomBytes().copy(bytes, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes;
}

export function uuidText(bytes: Buffer): string {
  must(bytes.length === 16, 'a UUID has 16 bytes');
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function newId<Kind extends string>(at: Date): Id<Kind> {
  return uuidText(uuidBytes(at)) as Id<Kind>;
}

const lastBytes = 6;
/** So that counting up never leaves these bytes. */
const lastBytesMax = 2 ** (8 * lastBytes - 1);

/**
 * Ids of one moment that follow each other: the first is as random as any, the next are counted up from it. All of them together
 * are named by the first and the last, and no id that is minted elsewhere lies between them.
 */
export function idsInRow<Kind extends string>(at: Date): (place: number) => Id<Kind> {
  const bytes = uuidBytes(at);
  const start = bytes.readUIntBE(16 - lastBytes, lastBytes) % lastBytesMax;
  return (place) => {
    bytes.writeUIntBE(start + place, 16 - lastBytes, lastBytes);
    return uuidText(bytes) as Id<Kind>;
  };
}

/** The one id that is never minted. */
export const nilId = <Kind extends string>(): Id<Kind> => '00000000-0000-0000-0000-000000000000' as Id<Kind>;

/** No id that is minted at that moment or later is smaller. */
export const firstIdAt = (at: Date): Id => `${newId(at).slice(0, 14)}7000-8000-000000000000` as Id;

/** When an id was minted. */
export function timeOfId(id: Id): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * How an id looks outside: its prefix, then 26 letters of Crockford's alphabet (no i, l, o, u: readable aloud), which
 * sort as the time does. The prefix is the kind: an Id<'store'> is written `store_…`.
 */
export function publicId<Kind extends string>(prefix: Kind, id: Id<Kind>): string {
  let bits = Number.parseInt(id.slice(0, 2), 16);
  // 128 bits in letters of five: the first letter takes three, and leaves five of these eight.
  let text = `${prefix}_${alphabet.charAt(bits >> 5)}`;
  let count = 5;
  for (let place = 2; place < id.length; place++) {
    const code = id.charCodeAt(place);
    if (code === dash) continue;
    if (count >= 5) text += alphabet.charAt((bits >> (count -= 5)) & 31);
    bits = ((bits << 4) | (code < letterA ? code - zero : code - letterA + 10)) & 0xfff;
    count += 4;
  }
  while (count >= 5) text += alphabet.charAt((bits >> (count -= 5)) & 31);
  return text;
}

const dash = '-'.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const letterA = 'a'.charCodeAt(0);

/** Only the one spelling that `publicId` writes is read back, so that one thing has one name. */
export function readPublicId<Kind extends string>(prefix: Kind, text: string): Id<Kind> | null {
  const match = /^([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(text);
  if (match?.[1] !== prefix) return null;
  let number = 0n;
  for (const letter of match[2] ?? '') number = (number << 5n) | BigInt(alphabet.indexOf(letter));
  return uuidText(Buffer.from(number.toString(16).padStart(32, '0'), 'hex')) as Id<Kind>;
}

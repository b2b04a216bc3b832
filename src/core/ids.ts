import { randomBytes } from 'node:crypto';
import { invariant } from './invariant.ts';

/** A UUIDv7 as PostgreSQL writes it. Internally every ID has this form; the API adds the prefix of its kind. */
export type Id<Kind extends string = string> = string & { readonly idOf: Kind };

const randomPool = { bytes: Buffer.alloc(0), used: 0 };
const poolBytes = 4_096;

/** Where ten random bytes begin in the pool, which exists because one system call per ID would halve the click rate. */
function takeTenRandomBytes(): number {
  if (randomPool.used + 10 > randomPool.bytes.length) {
    randomPool.bytes = randomBytes(poolBytes);
    randomPool.used = 0;
  }
  randomPool.used += 10;
  return randomPool.used - 10;
}

const version7 = (byte: number): number => 0x70 | (byte & 0x0f);
const variant = (byte: number): number => 0x80 | (byte & 0x3f);

/** Writes the 16 bytes of a UUIDv7: 48 bits of time in milliseconds, then 74 random bits. */
export function writeUuid(bytes: Buffer, offset: number, at: Date): void {
  bytes.writeUIntBE(at.getTime(), offset, 6);
  const random = takeTenRandomBytes();
  randomPool.bytes.copy(bytes, offset + 6, random, random + 10);
  bytes.writeUInt8(version7(bytes.readUInt8(offset + 6)), offset + 6);
  bytes.writeUInt8(variant(bytes.readUInt8(offset + 8)), offset + 8);
}

export function uuidText(bytes: Buffer): string {
  invariant(bytes.length === 16, 'a UUID has 16 bytes');
  return `${hexText(bytes, 0, 4)}-${hexText(bytes, 4, 6)}-${hexText(bytes, 6, 8)}-${hexText(bytes, 8, 10)}-${hexText(bytes, 10, 16)}`;
}

const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_none, byte) => byte.toString(16).padStart(2, '0'));

/** Faster than `toString('hex')` for so few bytes. */
function hexText(bytes: Buffer, from: number, to: number): string {
  let text = '';
  for (let place = from; place < to; place++) text += hexOfByte[bytes[place] ?? 0];
  return text;
}

let knownMs = Number.NaN;
let knownMsText = '';

/** IDs of one batch begin with the same time, so its text is kept. */
function timeText(ms: number): string {
  if (ms === knownMs) return knownMsText;
  const hex = ms.toString(16).padStart(12, '0');
  [knownMs, knownMsText] = [ms, `${hex.slice(0, 8)}-${hex.slice(8)}`];
  return knownMsText;
}

/** The text of a new ID, in a quarter of the time of `writeUuid` and `uuidText`. */
export function newId<Kind extends string>(at: Date): Id<Kind> {
  const from = takeTenRandomBytes();
  const { bytes } = randomPool;
  bytes.writeUInt8(version7(bytes.readUInt8(from)), from);
  bytes.writeUInt8(variant(bytes.readUInt8(from + 2)), from + 2);
  const [one, two, three] = [hexText(bytes, from, from + 2), hexText(bytes, from + 2, from + 4), hexText(bytes, from + 4, from + 10)];
  return `${timeText(at.getTime())}-${one}-${two}-${three}` as Id<Kind>;
}

const counterBytes = 6;
/** Half of the range, so that counting up does not overflow. */
const counterStartMax = 2 ** (8 * counterBytes - 1);

/**
 * Creates consecutive IDs: the first is random and the next ones count up from it. The first and the last identify the whole range,
 * because no ID created elsewhere falls between them.
 */
export function consecutiveIds<Kind extends string>(at: Date): (place: number) => Id<Kind> {
  const bytes = Buffer.alloc(16);
  writeUuid(bytes, 0, at);
  const start = bytes.readUIntBE(16 - counterBytes, counterBytes) % counterStartMax;
  return (place) => {
    bytes.writeUIntBE(start + place, 16 - counterBytes, counterBytes);
    return uuidText(bytes) as Id<Kind>;
  };
}

/** The one ID that is never generated. */
export const nilId = <Kind extends string>(): Id<Kind> => '00000000-0000-0000-0000-000000000000' as Id<Kind>;

/** A lower bound for every ID that is generated at that time or later. No ID contains a time before 1970. */
export const firstIdAt = (at: Date): Id => `${newId(new Date(Math.max(0, at.getTime()))).slice(0, 14)}7000-8000-000000000000` as Id;

/** When an ID was generated. */
export function timeOfId(id: Id): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The public form of an ID: its prefix, then 26 characters of Crockford's alphabet (no i, l, o, u: readable aloud), which sort by
 * time. The prefix is the kind: an Id<'store'> is written `store_…`.
 */
export function publicId<Kind extends string>(prefix: Kind, id: Id<Kind>): string {
  let bits = Number.parseInt(id.slice(0, 2), 16);
  // 128 bits in characters of five bits: the first character takes three, which leaves five of these eight.
  let text = `${prefix}_${alphabet.charAt(bits >> 5)}`;
  let count = 5;
  for (let place = 2; place < id.length; place++) {
    const code = id.charCodeAt(place);
    if (code === dash) continue;
    if (count >= 5) text += alphabet.charAt((bits >> (count -= 5)) & 31);
    bits = ((bits << 4) | (code < codeOfA ? code - zero : code - codeOfA + 10)) & 0xfff;
    count += 4;
  }
  while (count >= 5) text += alphabet.charAt((bits >> (count -= 5)) & 31);
  return text;
}

const dash = '-'.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const codeOfA = 'a'.charCodeAt(0);

/** Accepts only the spelling that `publicId` writes, so that each ID has one public form. */
export function readPublicId<Kind extends string>(prefix: Kind, text: string): Id<Kind> | null {
  const match = /^([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(text);
  if (match?.[1] !== prefix) return null;
  let number = 0n;
  for (const character of match[2] ?? '') number = (number << 5n) | BigInt(alphabet.indexOf(character));
  return uuidText(Buffer.from(number.toString(16).padStart(32, '0'), 'hex')) as Id<Kind>;
}

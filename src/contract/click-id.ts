import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { timeOfId, uuidText, writeUuid, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { hmacSha256 } from '../core/sha256.ts';

/** A click of a referral link can earn; a click of a test link only verifies tracking. */
export type ClickKind = 'referral' | 'test';

/** Signs click IDs from `signsFrom` until the next key starts. */
export type SigningKey = { readonly signsFrom: Date; readonly key: KeyObject };

export type ReadClickId =
  | { readonly is: 'genuine'; readonly kind: ClickKind; readonly clickId: Id<'click'>; readonly at: Date; readonly linkNumber: bigint }
  | { readonly is: 'forged' }
  /** The ID is older than every key, or another process added a key that this one has not read. */
  | { readonly is: 'key missing' };

const prefixes: Readonly<Record<ClickKind, string>> = { referral: 'rmc_', test: 'rmv_' };
const prefixLength = 4;
const uuidLength = 16;
const signedLength = 24;
const signatureLength = 8;
export const clickIdLength = 47;
/** Finds a click ID in a longer text. Only the signature proves that it is genuine. */
export const clickIdPattern = `(?:${prefixes.referral}|${prefixes.test})[A-Za-z0-9_-]{${clickIdLength - prefixLength}}`;

type Minting = { readonly kind: ClickKind; readonly at: Date; readonly linkNumber: bigint; readonly keys: readonly SigningKey[] };

/**
 * `rmc_` + base64url(UUIDv7 · link number · signature): the ID contains its time, link, and authenticity. The signature covers the prefix,
 * so that a test click cannot become one that earns. `keys` is sorted by `signsFrom`.
 */
export function mintClickId({ kind, at, linkNumber, keys }: Minting): { readonly text: string; readonly clickId: Id<'click'> } {
  const key = keyAt(at, keys);
  invariant(key, 'a key signs at every moment at which a click is minted');
  minted.write(prefixes[kind], 'latin1');
  writeUuid(minted, prefixLength, at);
  minted.writeBigUInt64BE(linkNumber, prefixLength + uuidLength);
  minted.write(hmacSha256(key, mintedPart), prefixLength + signedLength, signatureLength, 'latin1');
  return { text: prefixes[kind] + minted.toString('base64url', prefixLength), clickId: idOf(mintedUuid) };
}

/** Reused for all click IDs: each redirect mints one. */
const minted = Buffer.alloc(prefixLength + signedLength + signatureLength);
const mintedPart = minted.subarray(0, prefixLength + signedLength);
const mintedUuid = minted.subarray(prefixLength, prefixLength + uuidLength);

/** Uses no database, so a forged ID costs one hash. For `forged` and `key missing`, the caller reads the keys again and retries once. */
export function readClickId(text: string, keys: readonly SigningKey[]): ReadClickId {
  const kind = kindOf(text);
  if (kind === null || text.length !== clickIdLength) return { is: 'forged' };
  const bytes = Buffer.from(text.slice(prefixLength), 'base64url');
  // The last character has two unused bits. A click must have one spelling, or it could back two orders.
  if (bytes.length !== signedLength + signatureLength || bytes.toString('base64url') !== text.slice(prefixLength)) return { is: 'forged' };

  const clickId = idOf(bytes.subarray(0, uuidLength));
  const at = timeOfId(clickId);
  const key = keyAt(at, keys);
  if (key === null) return { is: 'key missing' };
  const signed = bytes.subarray(0, signedLength);
  const digest = hmacSha256(key, Buffer.concat([Buffer.from(prefixes[kind]), signed]));
  const signature = Buffer.from(digest.slice(0, signatureLength), 'latin1');
  if (!timingSafeEqual(bytes.subarray(signedLength), signature)) return { is: 'forged' };
  return { is: 'genuine', kind, clickId, at, linkNumber: signed.readBigUInt64BE(uuidLength) };
}

function kindOf(text: string): ClickKind | null {
  if (text.startsWith(prefixes.referral)) return 'referral';
  return text.startsWith(prefixes.test) ? 'test' : null;
}

const idOf = (bytes: Buffer): Id<'click'> => uuidText(bytes) as Id<'click'>;

/** The latest key that had started to sign by then. */
function keyAt(at: Date, keys: readonly SigningKey[]): KeyObject | null {
  return keys.findLast(({ signsFrom }) => signsFrom.getTime() <= at.getTime())?.key ?? null;
}

import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { timeOfId, uuidBytes, uuidText, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';

/** A referral's click can earn; a test link's only proves that tracking works. */
export type ClickKind = 'referral' | 'test';

/** Signs the click IDs minted from `signsFrom` until the next key's. A KeyObject made once: raw bytes at each call halve the click rate. */
export type SigningKey = { readonly signsFrom: Date; readonly key: KeyObject };

export type ReadClickId =
  | { readonly is: 'genuine'; readonly kind: ClickKind; readonly clickId: Id<'click'>; readonly at: Date; readonly linkNumber: bigint }
  | { readonly is: 'forged' }
  /** Older than every key we have; or a key was added that this process has not read. */
  | { readonly is: 'key missing' };

const prefixes: Readonly<Record<ClickKind, string>> = { referral: 'rmc_', test: 'rmv_' };
const prefixLength = 4;
const uuidLength = 16;
const signedLength = 24;
const signatureLength = 8;
export const clickIdLength = 47;
/** How one looks, for finding it in a longer text. Whether it is one says only its signature. */
export const clickIdPattern = `(?:${prefixes.referral}|${prefixes.test})[A-Za-z0-9_-]{${clickIdLength - prefixLength}}`;

type Minting = { readonly kind: ClickKind; readonly at: Date; readonly linkNumber: bigint; readonly keys: readonly SigningKey[] };

/** `rmc_` + base64url(UUIDv7 · link number · signature): time, link and genuineness are in the ID. `keys` is sorted by `signsFrom`. */
export function mintClickId({ kind, at, linkNumber, keys }: Minting): { readonly text: string; readonly clickId: Id<'click'> } {
  const key = keyAt(at, keys);
  must(key, 'a key signs at every moment at which a click is minted');
  const uuid = uuidBytes(at);
  const bytes = Buffer.alloc(prefixLength + signedLength + signatureLength);
  bytes.write(prefixes[kind], 'latin1');
  uuid.copy(bytes, prefixLength);
  bytes.writeBigUInt64BE(linkNumber, prefixLength + uuidLength);
  sign(key, bytes.subarray(0, prefixLength + signedLength)).copy(bytes, prefixLength + signedLength, 0, signatureLength);
  return { text: prefixes[kind] + bytes.toString('base64url', prefixLength), clickId: idOf(uuid) };
}

/** No database: a forged ID costs a hash. Who is told `forged` or `key missing` reads the keys again before believing it. */
export function readClickId(text: string, keys: readonly SigningKey[]): ReadClickId {
  const kind = kindOf(text);
  if (kind === null || text.length !== clickIdLength) return { is: 'forged' };
  const bytes = Buffer.from(text.slice(prefixLength), 'base64url');
  // The last letter has two bits to spare. One click has one spelling, or it could back two orders.
  if (bytes.length !== signedLength + signatureLength || bytes.toString('base64url') !== text.slice(prefixLength)) return { is: 'forged' };

  const clickId = idOf(bytes.subarray(0, uuidLength));
  const at = timeOfId(clickId);
  const key = keyAt(at, keys);
  if (key === null) return { is: 'key missing' };
  const signed = bytes.subarray(0, signedLength);
  const signature = sign(key, Buffer.concat([Buffer.from(prefixes[kind]), signed])).subarray(0, signatureLength);
  if (!timingSafeEqual(bytes.subarray(signedLength), signature)) return { is: 'forged' };
  return { is: 'genuine', kind, clickId, at, linkNumber: signed.readBigUInt64BE(uuidLength) };
}

function kindOf(text: string): ClickKind | null {
  if (text.startsWith(prefixes.referral)) return 'referral';
  return text.startsWith(prefixes.test) ? 'test' : null;
}

const idOf = (bytes: Buffer): Id<'click'> => uuidText(bytes) as Id<'click'>;

/** The key in force at a moment is the latest that had begun to sign by then. */
function keyAt(at: Date, keys: readonly SigningKey[]): KeyObject | null {
  return keys.findLast(({ signsFrom }) => signsFrom.getTime() <= at.getTime())?.key ?? null;
}

/** The kind is signed too: a test click must not become one that earns by another prefix. */
const sign = (key: KeyObject, withPrefix: Buffer): Buffer => createHmac('sha256', key).update(withPrefix).digest();

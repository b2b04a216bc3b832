import { dayMs } from '../core/time.ts';

/**
 * Encodes an array in PostgreSQL's binary format: a batch sends thousands of values, and encoding them as text and parsing them
 * again is slow.
 * https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES
 */
export function arrayBytes(type: ElementType, elements: readonly unknown[]): Buffer {
  const { oid, sizeOf, write } = elementTypes[type];
  const headerBytes = 20;
  let size = headerBytes;
  let hasNull = 0;
  for (const element of elements) {
    if (isNull(element)) hasNull = 1;
    else size += sizeOf(element);
    size += lengthBytes;
  }
  const bytes = Buffer.allocUnsafe(size);
  if (elements.length === 0) return writeHeader(bytes.subarray(0, emptyHeaderBytes), [0, 0, oid]);
  writeHeader(bytes, [1, hasNull, oid, elements.length, 1]);
  let at = headerBytes;
  let last: unknown;
  let lastAt = headerBytes;
  for (const element of elements) {
    if (isNull(element)) {
      at = bytes.writeInt32BE(-1, at);
    } else if (element === last) {
      // Rows of one batch often repeat a value, such as their store: the encoded bytes are copied.
      const end = lastAt + lengthBytes + bytes.readInt32BE(lastAt);
      bytes.copyWithin(at, lastAt, end);
      at += end - lastAt;
    } else {
      const end = write(bytes, element, at + lengthBytes);
      bytes.writeInt32BE(end - at - lengthBytes, at);
      last = element;
      lastAt = at;
      at = end;
    }
  }
  return bytes;
}

export type ElementType = keyof typeof elementTypes;

const lengthBytes = 4;
const emptyHeaderBytes = 12;
const isNull = (element: unknown): element is null | undefined => element === null || element === undefined;

function writeHeader(bytes: Buffer, numbers: readonly number[]): Buffer {
  let at = 0;
  for (const number of numbers) at = bytes.writeInt32BE(number, at);
  return bytes;
}

type Element = { readonly oid: number; readonly sizeOf: (element: unknown) => number; readonly write: Write };
type Write = (bytes: Buffer, element: unknown, at: number) => number;

const fixedSize = (size: number) => () => size;

const elementTypes = {
  uuid: { oid: 2950, sizeOf: fixedSize(16), write: writeUuid },
  text: { oid: 25, sizeOf: (element) => Buffer.byteLength(textIn(element)), write: writeText },
  /** In the text of the number, which the statement casts. */
  numeric: { oid: 25, sizeOf: (element) => Buffer.byteLength(textIn(element)), write: writeText },
  jsonb: { oid: 3802, sizeOf: (element) => 1 + Buffer.byteLength(textIn(element)), write: writeJson },
  bytea: { oid: 17, sizeOf: (element) => bufferIn(element).length, write: (bytes, element, at) => at + bufferIn(element).copy(bytes, at) },
  timestamptz: { oid: 1184, sizeOf: fixedSize(8), write: (bytes, element, at) => bytes.writeBigInt64BE(microsecondsIn(element), at) },
  date: { oid: 1082, sizeOf: fixedSize(4), write: (bytes, element, at) => bytes.writeInt32BE(daysIn(element), at) },
  bigint: { oid: 20, sizeOf: fixedSize(8), write: (bytes, element, at) => bytes.writeBigInt64BE(integerIn(element), at) },
  int: { oid: 23, sizeOf: fixedSize(4), write: (bytes, element, at) => bytes.writeInt32BE(Number(integerIn(element)), at) },
  smallint: { oid: 21, sizeOf: fixedSize(2), write: (bytes, element, at) => bytes.writeInt16BE(Number(integerIn(element)), at) },
  boolean: { oid: 16, sizeOf: fixedSize(1), write: (bytes, element, at) => bytes.writeUInt8(booleanIn(element) ? 1 : 0, at) },
} as const satisfies Readonly<Record<string, Element>>;

const uuidBytes = 16;
const uuidLength = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length;
const dash = '-'.charCodeAt(0);

function writeUuid(bytes: Buffer, element: unknown, at: number): number {
  const text = textIn(element);
  if (text.length !== uuidLength) throw elementError('uuid', element);
  let end = at;
  for (let place = 0; place < uuidLength; place += 2) {
    if (text.charCodeAt(place) === dash) place += 1;
    const byte = (hexValue(text.charCodeAt(place)) << 4) | hexValue(text.charCodeAt(place + 1));
    if (byte < 0) throw elementError('uuid', element);
    bytes[end++] = byte;
  }
  if (end !== at + uuidBytes) throw elementError('uuid', element);
  return end;
}

/** Negative for a character that is not a hex digit, so that the byte built from it is negative too. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function writeText(bytes: Buffer, element: unknown, at: number): number {
  return at + bytes.write(textIn(element), at);
}

const jsonbVersion = 1;

function writeJson(bytes: Buffer, element: unknown, at: number): number {
  return writeText(bytes, element, bytes.writeUInt8(jsonbVersion, at));
}

const serverEpochMs = Date.UTC(2000, 0, 1);

function microsecondsIn(element: unknown): bigint {
  const ms = element instanceof Date ? element.getTime() : Number.NaN;
  if (Number.isNaN(ms)) throw elementError('time', element);
  return BigInt(ms - serverEpochMs) * 1_000n;
}

/** A date is text, as the database returns it. */
function daysIn(element: unknown): number {
  const days = (Date.parse(textIn(element)) - serverEpochMs) / dayMs;
  if (!Number.isInteger(days)) throw elementError('day', element);
  return days;
}

function integerIn(element: unknown): bigint {
  if (typeof element === 'bigint') return element;
  if (typeof element === 'number' && Number.isSafeInteger(element)) return BigInt(element);
  throw elementError('integer', element);
}

function textIn(element: unknown): string {
  if (typeof element !== 'string') throw elementError('text', element);
  return element;
}

function bufferIn(element: unknown): Buffer {
  if (!Buffer.isBuffer(element)) throw elementError('byte array', element);
  return element;
}

function booleanIn(element: unknown): boolean {
  if (typeof element !== 'boolean') throw elementError('boolean', element);
  return element;
}

const elementError = (what: string, element: unknown): TypeError =>
  new TypeError(`an array parameter must contain a ${what}, and contains a value of type ${typeof element}`);

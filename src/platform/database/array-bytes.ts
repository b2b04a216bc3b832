import { must } from '../must.ts';
import { dayMs } from '../time.ts';

/**
 * An array in the server's own bytes: a batch sends thousands of values, and neither side should write them as text and read
 * them back (hex of hex, times by their names, every quote looked at). What each element is the statement says itself:
 * `${ids}::uuid[]`. https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES
 */
export function arrayBytes(type: ElementType, elements: readonly unknown[]): Buffer {
  const { oid, sizeOf, write } = elementTypes[type];
  const headBytes = 20;
  let size = headBytes;
  let hasNull = 0;
  for (const element of elements) {
    if (isNone(element)) hasNull = 1;
    else size += sizeOf(element);
    size += lengthBytes;
  }
  const bytes = Buffer.allocUnsafe(size);
  if (elements.length === 0) return writeHead(bytes.subarray(0, emptyHeadBytes), [0, 0, oid]);
  writeHead(bytes, [1, hasNull, oid, elements.length, 1]);
  let at = headBytes;
  let last: unknown;
  let lastAt = headBytes;
  for (const element of elements) {
    if (isNone(element)) {
      at = bytes.writeInt32BE(-1, at);
    } else if (element === last) {
      // Rows of one batch often say the same, such as their store: what was just written is copied.
      at += bytes.copy(bytes, at, lastAt, lastAt + lengthBytes + bytes.readInt32BE(lastAt));
    } else {
      const end = write(bytes, element, at + lengthBytes);
      bytes.writeInt32BE(end - at - lengthBytes, at);
      [last, lastAt, at] = [element, at, end];
    }
  }
  return bytes;
}

export type ElementType = keyof typeof elementTypes;

/** What stands behind a list of values in a statement says of which type they are. */
export function elementTypeOf(textBehind: string): ElementType {
  const type = /^::([a-z0-9]+)\[\]/.exec(textBehind)?.[1] ?? '';
  must(
    isElementType(type),
    `a list in a statement is followed by its type, such as \`::uuid[]\`; here stands "${textBehind.slice(0, 20)}"`,
  );
  return type;
}

const isElementType = (type: string): type is ElementType => Object.hasOwn(elementTypes, type);

const lengthBytes = 4;
const emptyHeadBytes = 12;
const isNone = (element: unknown): element is null | undefined => element === null || element === undefined;

function writeHead(bytes: Buffer, numbers: readonly number[]): Buffer {
  let at = 0;
  for (const number of numbers) at = bytes.writeInt32BE(number, at);
  return bytes;
}

type Element = { readonly oid: number; readonly sizeOf: (element: unknown) => number; readonly write: Write };
type Write = (bytes: Buffer, element: unknown, at: number) => number;

const sized = (size: number) => () => size;

const elementTypes = {
  uuid: { oid: 2950, sizeOf: sized(16), write: writeUuid },
  text: { oid: 25, sizeOf: (element) => Buffer.byteLength(textIn(element)), write: writeText },
  jsonb: { oid: 3802, sizeOf: (element) => 1 + Buffer.byteLength(textIn(element)), write: writeJson },
  bytea: { oid: 17, sizeOf: (element) => bufferIn(element).length, write: (bytes, element, at) => at + bufferIn(element).copy(bytes, at) },
  timestamptz: { oid: 1184, sizeOf: sized(8), write: (bytes, element, at) => bytes.writeBigInt64BE(microsecondsIn(element), at) },
  date: { oid: 1082, sizeOf: sized(4), write: (bytes, element, at) => bytes.writeInt32BE(daysIn(element), at) },
  bigint: { oid: 20, sizeOf: sized(8), write: (bytes, element, at) => bytes.writeBigInt64BE(wholeIn(element), at) },
  int: { oid: 23, sizeOf: sized(4), write: (bytes, element, at) => bytes.writeInt32BE(Number(wholeIn(element)), at) },
  smallint: { oid: 21, sizeOf: sized(2), write: (bytes, element, at) => bytes.writeInt16BE(Number(wholeIn(element)), at) },
  boolean: { oid: 16, sizeOf: sized(1), write: (bytes, element, at) => bytes.writeUInt8(truthIn(element) ? 1 : 0, at) },
} as const satisfies Readonly<Record<string, Element>>;

const uuidBytes = 16;
const uuidLength = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length;
const dash = '-'.charCodeAt(0);

function writeUuid(bytes: Buffer, element: unknown, at: number): number {
  const text = textIn(element);
  if (text.length !== uuidLength) throw wrong('uuid', element);
  let end = at;
  for (let place = 0; place < uuidLength; place += 2) {
    if (text.charCodeAt(place) === dash) place += 1;
    const byte = (hexValue(text.charCodeAt(place)) << 4) | hexValue(text.charCodeAt(place + 1));
    if (byte < 0) throw wrong('uuid', element);
    bytes[end++] = byte;
  }
  if (end !== at + uuidBytes) throw wrong('uuid', element);
  return end;
}

/** Below zero for what is no digit, which no shifting and joining makes a byte of. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
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
  if (Number.isNaN(ms)) throw wrong('time', element);
  return BigInt(ms - serverEpochMs) * 1_000n;
}

/** A day is named by its text, as it comes from the database. */
function daysIn(element: unknown): number {
  const days = (Date.parse(textIn(element)) - serverEpochMs) / dayMs;
  if (!Number.isInteger(days)) throw wrong('day', element);
  return days;
}

function wholeIn(element: unknown): bigint {
  if (typeof element === 'bigint') return element;
  if (typeof element === 'number' && Number.isSafeInteger(element)) return BigInt(element);
  throw wrong('whole number', element);
}

function textIn(element: unknown): string {
  if (typeof element !== 'string') throw wrong('text', element);
  return element;
}

function bufferIn(element: unknown): Buffer {
  if (!Buffer.isBuffer(element)) throw wrong('row of bytes', element);
  return element;
}

function truthIn(element: unknown): boolean {
  if (typeof element !== 'boolean') throw wrong('truth', element);
  return element;
}

const wrong = (what: string, element: unknown): TypeError =>
  new TypeError(`an array for the database should hold a ${what}, and holds a value of type ${typeof element}`);

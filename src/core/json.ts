declare global {
  // ES2025 and Node 22 have it; TypeScript's libraries do not declare it yet.
  interface JSON {
    rawJSON: (text: string) => unknown;
  }
}

export type ReadJson = { readonly is: 'json'; readonly value: unknown } | { readonly is: 'none' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses bytes as JSON: valid UTF-8 without a byte-order mark, or none. */
export function readJson(bytes: unknown): ReadJson {
  if (!Buffer.isBuffer(bytes)) return { is: 'none' };
  try {
    return { is: 'json', value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { is: 'none' };
  }
}

const mayExceedNumber = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/**
 * Parses JSON in which an integer beyond Number.MAX_SAFE_INTEGER becomes a bigint, such as a sum of cents. The reviver, which is
 * slow, runs only if 16 digits follow each other.
 */
export function parseExactly(text: string): unknown {
  if (!mayExceedNumber.test(text)) return JSON.parse(text);
  // TypeScript's libraries do not declare the third argument of a reviver yet.
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source) ? BigInt(source) : value;
  });
}

/**
 * Larger than any body of the API. Schemas alone do not bound the size of an arbitrary value, and listing the errors of a huge
 * value takes long.
 */
const depthMax = 64;
const membersMax = 2_000;

/** Why a parsed value is too large to process, or null. Costs less than parsing it. */
export function findSizeError(value: unknown, depthLeft: number = depthMax): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depthLeft === 0) return `must not be nested deeper than ${depthMax}`;
  // Names first: listing the values of an object with 60,000 fields takes twice as long.
  if (!Array.isArray(value) && Object.keys(value).length > membersMax) return `must not have an object with more than ${membersMax} fields`;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    const error = findSizeError(member, depthLeft - 1);
    if (error !== null) return error;
  }
  return null;
}

/** Serializes JSON with cents as exact integers of any size. Times are already ISO 8601 with milliseconds. */
export function jsonText(value: unknown): string {
  return (
    JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member)) ?? 'null'
  );
}

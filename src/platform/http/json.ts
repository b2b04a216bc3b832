declare global {
  // Part of the language since ES2025's proposal and of Node 22; TypeScript's libraries do not know it yet.
  interface JSON {
    rawJSON: (text: string) => unknown;
  }
}

export type ReadJson = { readonly is: 'json'; readonly value: unknown } | { readonly is: 'none' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes to JSON: valid UTF-8 without a byte-order mark, or nothing. */
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
 * JSON in which a whole number that a number of JavaScript would round is a bigint, such as a sum of cents above 2^53. The reviver, which
 * is slow, runs only where 16 digits follow each other.
 */
export function parseExactly(text: string): unknown {
  if (!mayExceedNumber.test(text)) return JSON.parse(text);
  // TypeScript's libraries do not know the third argument of a reviver yet.
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source) ? BigInt(source) : value;
  });
}

/** Beyond any body of the API. Schemas alone do not bound a value of any shape, and telling what is wrong with a huge one takes long. */
const depthMax = 64;
const membersMax = 2_000;

/** What makes a parsed value too large to work on, or null. Costs less than it took to parse. */
export function shapeFault(value: unknown, depthLeft: number = depthMax): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depthLeft === 0) return `must not be nested deeper than ${depthMax}`;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (!Array.isArray(value) && members.length > membersMax) return `must not have an object with more than ${membersMax} fields`;
  for (const member of members) {
    const fault = shapeFault(member, depthLeft - 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** JSON with cents as whole numbers, exactly, however large; times are ISO 8601 with milliseconds already. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, held: unknown) => (typeof held === 'bigint' ? JSON.rawJSON(held.toString()) : held)) ?? 'null';
}

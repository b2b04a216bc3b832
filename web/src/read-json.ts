const mayExceedNumber = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/**
 * JSON in which a whole number above 2^53, such as a sum of cents, is a bigint with all its digits. Every browser with text access in
 * JSON.parse (Chrome 114, Firefox 135, Safari 18.4 and later) reads it so; an older one rounds it to the nearest number.
 */
export function readJson(text: string): unknown {
  if (!mayExceedNumber.test(text)) return JSON.parse(text);
  // TypeScript's libraries do not know the third argument of a reviver yet.
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source) ? BigInt(source) : value;
  });
}

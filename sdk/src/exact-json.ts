/** Whole cents. A sum above 2^53, where a number is no longer exact, is a bigint. */
export type Cents = number | bigint;

const mayExceedNumber = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/**
 * Parses JSON and returns whole numbers above 2^53, such as sums of cents, as bigint with all digits. It needs source text access in
 * JSON.parse (Node 21, Chrome 114, Firefox 135, Safari 18.4); older versions round to the nearest number.
 */
export function parseJson(text: string): unknown {
  if (!mayExceedNumber.test(text)) return JSON.parse(text);
  // TypeScript's type definitions do not know the third argument of a reviver yet.
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source) ? BigInt(source) : value;
  });
}

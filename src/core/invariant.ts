/** For bugs in our own code. A mistake of the caller is returned as a value, not thrown. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`impossible: ${why}`);
}

/** The compiler proves that every case was handled; this line runs only if a type assertion was wrong. */
export function never(value: never): never {
  throw new Error(`impossible: unhandled ${JSON.stringify(value)}`);
}

/** For what can only be our own mistake. A caller's mistake is a value that is returned, not an exception. */
export function must(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`impossible: ${why}`);
}

/** The compiler proves that every case was handled; this line runs only if it was lied to. */
export function never(value: never): never {
  throw new Error(`impossible: unhandled ${JSON.stringify(value)}`);
}

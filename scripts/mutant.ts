/** A deliberate bug, which a test must detect. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** The test files that should detect it; only these are run. */
  readonly tests: readonly string[];
  /** Whether the bug would move money incorrectly. */
  readonly isMoney: boolean;
};

/** The file with the bug applied; null if the code has changed so that it cannot be applied. */
export function mutated({ from, to }: Mutant, sound: string): string | null {
  const [before, after, ...more] = sound.split(from);
  return before === undefined || after === undefined || more.length > 0 ? null : `${before}${to}${after}`;
}

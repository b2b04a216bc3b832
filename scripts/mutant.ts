/** A fault that a tired person could make, put into the code to see who notices. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** The test files that should notice it; only these are run. */
  readonly tests: readonly string[];
  /** Whether somebody would get or lose money by it. */
  readonly isMoney: boolean;
};

/** The whole file with the fault in it; null where the fault cannot be put in, for the code has changed. */
export function faulty({ from, to }: Mutant, sound: string): string | null {
  const [before, after, ...more] = sound.split(from);
  return before === undefined || after === undefined || more.length > 0 ? null : `${before}${to}${after}`;
}

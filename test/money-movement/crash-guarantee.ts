import { expect } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { type Prng, randomFrom, reportMeasurement, seed, sizeOf } from '../support/size.ts';

/** Crashes at every step of a charge or payout: the process crashes at the n-th step, and three passes of the jobs settle what it left. */
export type CrashedKind = {
  readonly noun: 'charge' | 'payout';
  /**
   * Crashes at a step, lets the jobs settle what is left, and expects that each cent moved once. With random numbers the amounts are random
   * and it crashes twice. Returns the steps that were reached before the first crash.
   */
  readonly runCase: (crashCase: CrashCase) => Promise<readonly string[]>;
  /** The steps without a crash, or a matcher: the test crashes at each of them, so none may disappear. */
  readonly stepsOf: (word: string) => unknown;
  readonly differences: () => Promise<readonly unknown[]>;
};
export type CrashCase = { readonly word: string; readonly crashStep: number; readonly random: Prng | null };

/** The first case of every method name is fixed; the others have random amounts, and crash twice. */
const variants: readonly (Prng | null)[] = [
  null,
  ...Array.from({ length: sizeOf('crashSeeds') - 1 }, (_none, place) => randomFrom(seed + place)),
];

/** More than any run reaches. */
const stepsMax = 60;

export async function expectSettledAfterEveryCrash(kind: CrashedKind, word: string): Promise<void> {
  let crashes = 0;
  for (const random of variants) {
    let hasCrashed = true;
    for (let crashStep = 1; hasCrashed; crashStep += 1) {
      expect(crashStep, 'the last case does not crash').toBeLessThan(stepsMax);
      const steps = await kind.runCase({ word, crashStep, random });
      hasCrashed = steps.length >= crashStep;
      if (hasCrashed) crashes += 1;
      else expect(steps).toEqual(kind.stepsOf(word));
    }
  }
  // The ledger still has all of them.
  expect(await kind.differences()).toEqual([]);
  reportMeasurement({
    what: `crash at every step of a ${kind.noun} with the outcome ${word}`,
    measured: `${crashes} crashes in ${variants.length} variants: 0 double ${kind.noun}s, all settled in 3 passes, verify clean`,
  });
}

class Crash extends Error {}

/** A job that processes several stores wraps what failed as the cause of its error. */
const isCrash = (error: unknown): boolean => error instanceof Crash || (error instanceof Error && isCrash(error.cause));

/** Crashes at the n-th step with this prefix and at every later one. Returns the steps that were reached. */
export async function crashAt(
  { crashPoints }: Platform,
  { crashStep, prefix }: { readonly crashStep: number; readonly prefix: string },
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const steps: string[] = [];
  crashPoints.onReached = (point) => {
    if (!point.startsWith(prefix)) return;
    steps.push(point.slice(prefix.length));
    if (steps.length >= crashStep) throw new Crash(point);
  };
  await work().catch((error: unknown) => invariant(isCrash(error), `only the crash ended the work: ${String(error)}`));
  crashPoints.onReached = () => {};
  return steps;
}

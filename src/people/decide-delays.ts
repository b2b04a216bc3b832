import type { Config } from '../platform/config.ts';
import { hourMs, minuteMs, secondMs } from '../platform/time.ts';

type Mode = Config['mode'];

/**
 * Nobody is locked out: attempts become slower. A script in the sandbox may fail as often as sixty times a minute lets it, so there the
 * same delays begin twelve times later.
 */
const slowness = {
  live: { attemptsAMinute: 5, freeFailures: 5, freeOwnFailures: 20, freeOfStrangers: 20 },
  sandbox: { attemptsAMinute: 60, freeFailures: 60, freeOwnFailures: 240, freeOfStrangers: 240 },
} as const;

export const attemptsAMinute = (mode: Mode): number => slowness[mode].attemptsAMinute;

const growing = (firstMs: number, doublings: number, mostMs: number): number => Math.min(mostMs, firstMs * 2 ** Math.min(doublings, 30));

/** How long one network waits after so many failures on one account: from a minute, doubled with each failure, to an hour. */
export const networkDelayMs = (failures: number, mode: Mode): number =>
  failures < slowness[mode].freeFailures ? 0 : growing(minuteMs, failures - slowness[mode].freeFailures, hourMs);

/** The same for what one session, device or account may try alone: proofs, codes, a known device's passwords. */
export const ownDelayMs = (failures: number, mode: Mode): number =>
  failures < slowness[mode].freeOwnFailures ? 0 : growing(minuteMs, failures - slowness[mode].freeOwnFailures, hourMs);

const failuresAStep = 10;
const strangersDelayMostMs = minuteMs;
const manyFailures = 1_000;
const underSiegeMs = 5 * minuteMs;

/**
 * How long each network that is no known device waits before each attempt on an account that strangers have failed on so often
 * within a day, from wherever. It has a bound, so that the owner at a new place with the right password waits minutes at most.
 */
export function strangersDelayMs(failures: number, mode: Mode): number {
  const { freeOfStrangers } = slowness[mode];
  if (failures < freeOfStrangers) return 0;
  if (failures >= manyFailures) return underSiegeMs;
  return growing(secondMs, Math.floor((failures - freeOfStrangers) / failuresAStep), strangersDelayMostMs);
}

/** A device whose cookie has failed so often may have lost it: from then on it counts as a stranger. */
export const isSpent = (failures: number, mode: Mode): boolean => failures >= slowness[mode].freeOwnFailures;

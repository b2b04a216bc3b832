import type { Config } from '../core/config.ts';
import { hourMs, minuteMs, secondMs } from '../core/time.ts';

type Mode = Config['mode'];

/**
 * Accounts are never locked: attempts become slower. A script in the sandbox may fail sixty times a minute, so the same delays begin twelve
 * times later there.
 */
const delaySettings = {
  live: { attemptsPerMinute: 5, freeFailures: 5, freeOwnFailures: 20, freeUnknownDeviceFailures: 20 },
  sandbox: { attemptsPerMinute: 60, freeFailures: 60, freeOwnFailures: 240, freeUnknownDeviceFailures: 240 },
} as const;

export const attemptsPerMinute = (mode: Mode): number => delaySettings[mode].attemptsPerMinute;

const exponentialDelay = (firstMs: number, doublings: number, mostMs: number): number =>
  Math.min(mostMs, firstMs * 2 ** Math.min(doublings, 30));

/** The delay of one network after this many failures on one account: from a minute, doubled with each failure, to an hour. */
export const networkDelayMs = (failures: number, mode: Mode): number =>
  failures < delaySettings[mode].freeFailures ? 0 : exponentialDelay(minuteMs, failures - delaySettings[mode].freeFailures, hourMs);

/** The delay of one session, device or account: for proofs, codes, and passwords on a known device. */
export const ownDelayMs = (failures: number, mode: Mode): number =>
  failures < delaySettings[mode].freeOwnFailures ? 0 : exponentialDelay(minuteMs, failures - delaySettings[mode].freeOwnFailures, hourMs);

const failuresPerStep = 10;
const unknownDeviceDelayMaxMs = minuteMs;
const manyFailures = 1_000;
const underAttackDelayMs = 5 * minuteMs;

/**
 * The delay of each attempt from an unknown device, after this many failures of strangers on the account within a day from all networks. It
 * has a limit, so that an owner on a new device with the right password waits only minutes.
 */
export function unknownDeviceDelayMs(failures: number, mode: Mode): number {
  const { freeUnknownDeviceFailures } = delaySettings[mode];
  if (failures < freeUnknownDeviceFailures) return 0;
  if (failures >= manyFailures) return underAttackDelayMs;
  return exponentialDelay(secondMs, Math.floor((failures - freeUnknownDeviceFailures) / failuresPerStep), unknownDeviceDelayMaxMs);
}

/** A device with this many failures may have lost its cookie to a thief: from then on it counts as unknown. */
export const hasTooManyFailures = (failures: number, mode: Mode): boolean => failures >= delaySettings[mode].freeOwnFailures;

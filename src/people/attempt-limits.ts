import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayMs, hourMs, minuteMs, realNow, secondMs } from '../core/time.ts';
import { countAttempt, countAttemptAndExtend, delayUntil, readCounter, deleteCounter, decrementCounter } from './attempts-sql.ts';
import { attemptsPerMinute, hasTooManyFailures, networkDelayMs, ownDelayMs, unknownDeviceDelayMs } from './decide-delays.ts';
import { networkOf } from './network.ts';
import { apiMessage } from '../messages/api-message.ts';

// Counters of limited attempts are stored in the database for all processes together. They are written outside of the request's
// transaction, because refused attempts count too. Counter names contain addresses and emails, so they are hashed.

const emailLimits = {
  live: { perNetwork: 20, perAccount: 5, windowMs: hourMs },
  sandbox: { perNetwork: 60, perAccount: 60, windowMs: minuteMs },
} as const;

type RequestedEmail = { readonly address: string; /** The account need not exist. */ readonly account: string };

/** Emails that anyone can cause to be sent to an address. */
export async function checkEmailLimit(platform: Platform, { address, account }: RequestedEmail): Promise<Refusal | null> {
  const now = realNow();
  const { perNetwork, perAccount, windowMs } = emailLimits[platform.config.mode];
  return (
    (await checkFixedWindow(platform, { counter: `mail network ${networkOf(address)}`, most: perNetwork, windowMs, now })) ??
    (await checkFixedWindow(platform, { counter: `mail account ${account}`, most: perAccount, windowMs, now }))
  );
}

/** All attempts from one network, on any account. */
export const checkNetworkLimit = (platform: Platform, address: string, now: Date = realNow()): Promise<Refusal | null> =>
  checkFixedWindow(platform, {
    counter: `guess network ${networkOf(address)}`,
    most: attemptsPerMinute(platform.config.mode),
    windowMs: minuteMs,
    now,
  });

/** Attempts of one session, account or known device. Each has its own counters, so that none uses up another's attempts. */
export type CountedAttempt = { readonly kind: 'proof' | 'code' | 'device'; readonly of: string };

export async function checkAttemptLimit(platform: Platform, { kind, of }: CountedAttempt): Promise<Refusal | null> {
  const now = realNow();
  const { mode } = platform.config;
  const long = { counter: counterHash(platform, `${kind} failures ${of}`), now };
  const known = await readCounter(platform.database, long);
  if (isLater(known?.notBefore, now)) return tooMany(known.notBefore, now);
  const minute = { counter: `${kind} ${of}`, most: attemptsPerMinute(mode), windowMs: minuteMs, now };
  const limited = await checkFixedWindow(platform, minute);
  if (limited) return limited;
  await countAndDelay(platform, long, ownDelayMs);
  return null;
}

/** A successful attempt deletes the failures before it. */
export async function clearFailures(platform: Platform, { kind, of }: CountedAttempt, db: Queryable = platform.database): Promise<void> {
  await deleteCounter(db, counterHash(platform, `${kind} failures ${of}`));
}

/** Whether a device's cookie failed so often that the device counts as unknown. */
export async function hasDeviceFailedTooOften(platform: Platform, deviceId: string): Promise<boolean> {
  const counter = counterHash(platform, `device failures ${deviceId}`);
  const known = await readCounter(platform.database, { counter, now: realNow() });
  return hasTooManyFailures(known?.attempts ?? 0, platform.config.mode);
}

/** A network whose wait is over must retry within this time, or it waits again. */
const waitedWindowMs = 10 * minuteMs;

export type UnknownDeviceAttempt = { readonly address: string; /** The account need not exist. */ readonly account: string };

/**
 * A password from a browser that the account does not know. Each network has its own attempts, with growing delays on one account. Above a
 * number of failures from all networks, each network waits before each attempt: guessing from many places becomes slow, but the right
 * password still works. Known devices are not counted here.
 */
export async function checkUnknownDeviceLimit(
  platform: Platform,
  { address, account }: UnknownDeviceAttempt,
  now: Date = realNow(),
): Promise<Refusal | null> {
  const { database, config } = platform;
  const limited = await checkNetworkLimit(platform, address, now);
  if (limited) return limited;
  const { pairFailures, accountFailures, waitOfNetwork } = countersOf(platform, { address, account });
  const pair = await readCounter(database, { counter: pairFailures, now });
  if (isLater(pair?.notBefore, now)) return tooMany(pair.notBefore, now);
  const failures = (await readCounter(database, { counter: accountFailures, now }))?.attempts ?? 0;
  const waitMs = unknownDeviceDelayMs(failures, config.mode);
  if (waitMs > 0) {
    const known = await readCounter(database, { counter: waitOfNetwork, now });
    const notBefore = known?.notBefore ?? new Date(now.getTime() + waitMs);
    if (known === null)
      await delayUntil(database, { counter: waitOfNetwork, notBefore, windowEndsAt: new Date(notBefore.getTime() + waitedWindowMs) });
    if (isLater(notBefore, now)) return tooMany(notBefore, now);
    if ((await deleteCounter(database, waitOfNetwork)) === 0) return tooMany(new Date(now.getTime() + waitMs), now);
  }
  await countAttemptAndExtend(database, { counter: accountFailures, now, windowEndsAt: new Date(now.getTime() + dayMs) });
  await countAndDelay(platform, { counter: pairFailures, now }, networkDelayMs);
  return null;
}

export async function clearUnknownDeviceFailures(platform: Platform, attempt: UnknownDeviceAttempt): Promise<void> {
  const { pairFailures, accountFailures } = countersOf(platform, attempt);
  await deleteCounter(platform.database, pairFailures);
  await decrementCounter(platform.database, accountFailures);
}

type CounterStore = { readonly database: Queryable; readonly secrets: Platform['secrets'] };

/** Whether this is the first event of its kind within the time: limits emails about events that anyone can cause. */
export async function isFirstWithin(platform: CounterStore, name: string, windowMs: number): Promise<boolean> {
  const now = realNow();
  const windowEndsAt = new Date(now.getTime() + windowMs);
  const { attempts } = await countAttempt(platform.database, { counter: counterHash(platform, name), now, windowEndsAt });
  return attempts === 1;
}

const counterHash = ({ secrets }: Pick<Platform, 'secrets'>, counter: string): Buffer => secrets.keyedHash(counter, 'attempts');

const countersOf = (platform: Platform, { address, account }: UnknownDeviceAttempt) => ({
  pairFailures: counterHash(platform, `failures of ${networkOf(address)} on ${account}`),
  accountFailures: counterHash(platform, `failures of strangers on ${account}`),
  waitOfNetwork: counterHash(platform, `turn of ${networkOf(address)} on ${account}`),
});

type FixedWindow = { readonly counter: string; readonly most: number; readonly windowMs: number; readonly now: Date };

async function checkFixedWindow(platform: Platform, { counter, most, windowMs, now }: FixedWindow): Promise<Refusal | null> {
  const window = { counter: counterHash(platform, counter), now, windowEndsAt: new Date(now.getTime() + windowMs) };
  const { attempts, windowEndsAt } = await countAttempt(platform.database, window);
  return attempts > most ? tooMany(windowEndsAt, now) : null;
}

type DelayOf = (failures: number, mode: Platform['config']['mode']) => number;

/** Counts as a failure until it succeeds, so that concurrent attempts cannot all start before the first result. */
async function countAndDelay(
  { database, config }: Platform,
  { counter, now }: { readonly counter: Buffer; readonly now: Date },
  delayOf: DelayOf,
): Promise<void> {
  const windowEndsAt = new Date(now.getTime() + dayMs);
  const { attempts } = await countAttemptAndExtend(database, { counter, now, windowEndsAt });
  const delayMs = delayOf(attempts, config.mode);
  if (delayMs > 0) await delayUntil(database, { counter, notBefore: new Date(now.getTime() + delayMs), windowEndsAt });
}

const isLater = (time: Date | null | undefined, now: Date): time is Date => time !== null && time !== undefined && time > now;

function tooMany(until: Date, now: Date): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / secondMs));
  return {
    ...refuse('too_many_requests', apiMessage('attempt_limits.too_many_attempts_try_again', { retryAfterSeconds })),
    retryAfterSeconds,
  };
}

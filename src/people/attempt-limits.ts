import type { Queryable } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import type { Platform } from '../platform/platform.ts';
import { dayMs, hourMs, minuteMs, realNow, secondMs } from '../platform/time.ts';
import { countAttempt, countOngoing, holdUntil, readCounter, takeCounter, uncount } from './attempts-sql.ts';
import { attemptsAMinute, isSpent, networkDelayMs, ownDelayMs, strangersDelayMs } from './decide-delays.ts';
import { networkOf } from './network.ts';

// What can be tried only so often, counted in the database for all processes together, outside of the request's transaction: what is
// refused was tried too. Counters are hashed: their names hold addresses and e-mails.

const mailLimits = {
  live: { perNetwork: 20, perAccount: 5, windowMs: hourMs },
  sandbox: { perNetwork: 60, perAccount: 60, windowMs: minuteMs },
} as const;

type MailAsked = { readonly address: string; /** Whether or not there is such an account. */ readonly account: string };

/** Mails that anybody can have sent to an address. */
export async function mailRefusal(platform: Platform, { address, account }: MailAsked, now: Date = realNow()): Promise<Refusal | null> {
  const { perNetwork, perAccount, windowMs } = mailLimits[platform.config.mode];
  return (
    (await fixedRefusal(platform, { counter: `mail network ${networkOf(address)}`, most: perNetwork, windowMs, now })) ??
    (await fixedRefusal(platform, { counter: `mail account ${account}`, most: perAccount, windowMs, now }))
  );
}

/** Whoever guesses from one network, whatever they guess. */
export const networkRefusal = (platform: Platform, address: string, now: Date = realNow()): Promise<Refusal | null> =>
  fixedRefusal(platform, {
    counter: `guess network ${networkOf(address)}`,
    most: attemptsAMinute(platform.config.mode),
    windowMs: minuteMs,
    now,
  });

/** What one session, account or known device tries alone. Each has counters of its own: none uses up another's attempts. */
export type OwnAttempt = { readonly what: 'proof' | 'code' | 'device'; readonly of: string };

export async function ownRefusal(platform: Platform, { what, of }: OwnAttempt, now: Date = realNow()): Promise<Refusal | null> {
  const { mode } = platform.config;
  const long = { counter: hashed(platform, `${what} failures ${of}`), now };
  const known = await readCounter(platform.database, long);
  if (isLater(known?.notBefore, now)) return tooMany(known.notBefore, now);
  const minute = { counter: `${what} ${of}`, most: attemptsAMinute(mode), windowMs: minuteMs, now };
  const limited = await fixedRefusal(platform, minute);
  if (limited) return limited;
  await countAndHold(platform, long, ownDelayMs);
  return null;
}

/** It was right: the failures before it are forgotten. */
export async function forgetOwnFailures(platform: Platform, { what, of }: OwnAttempt, db: Queryable = platform.database): Promise<void> {
  await takeCounter(db, hashed(platform, `${what} failures ${of}`));
}

/** Whether a device's cookie failed so often that it counts as a stranger. */
export async function isDeviceSpent(platform: Platform, deviceId: string, now: Date = realNow()): Promise<boolean> {
  const known = await readCounter(platform.database, { counter: hashed(platform, `device failures ${deviceId}`), now });
  return isSpent(known?.attempts ?? 0, platform.config.mode);
}

/** A network whose wait is over comes back within this time, or waits again. */
const comeBackMs = 10 * minuteMs;

export type StrangersAttempt = { readonly address: string; /** Whether or not there is such an account. */ readonly account: string };

/**
 * A password from a browser that the account does not know. Each network has its own attempts, with growing delays on one account. Above
 * a number of failures from wherever, each network waits before each attempt: guessing from many places becomes slow, and nobody who has
 * the right password is kept out. Known devices are not counted here.
 */
export async function strangersRefusal(
  platform: Platform,
  { address, account }: StrangersAttempt,
  now: Date = realNow(),
): Promise<Refusal | null> {
  const { database, config } = platform;
  const limited = await networkRefusal(platform, address, now);
  if (limited) return limited;
  const { ofPair, ofAccount, knock } = countersOf(platform, { address, account });
  const pair = await readCounter(database, { counter: ofPair, now });
  if (isLater(pair?.notBefore, now)) return tooMany(pair.notBefore, now);
  const failures = (await readCounter(database, { counter: ofAccount, now }))?.attempts ?? 0;
  const waitMs = strangersDelayMs(failures, config.mode);
  if (waitMs > 0) {
    const known = await readCounter(database, { counter: knock, now });
    const notBefore = known?.notBefore ?? new Date(now.getTime() + waitMs);
    if (known === null) await holdUntil(database, { counter: knock, notBefore, windowEndsAt: new Date(notBefore.getTime() + comeBackMs) });
    if (isLater(notBefore, now)) return tooMany(notBefore, now);
    if ((await takeCounter(database, knock)) === 0) return tooMany(new Date(now.getTime() + waitMs), now);
  }
  await countOngoing(database, { counter: ofAccount, now, windowEndsAt: new Date(now.getTime() + dayMs) });
  await countAndHold(platform, { counter: ofPair, now }, networkDelayMs);
  return null;
}

/** The password was right. */
export async function forgetStrangersFailures(platform: Platform, attempt: StrangersAttempt): Promise<void> {
  const { ofPair, ofAccount } = countersOf(platform, attempt);
  await takeCounter(platform.database, ofPair);
  await uncount(platform.database, ofAccount);
}

type CountedIn = { readonly database: Queryable; readonly secrets: Platform['secrets'] };

/** Whether this is the first of its kind within the time: for mails about something that anybody can cause. */
export async function isFirstWithin(platform: CountedIn, name: string, windowMs: number, now: Date = realNow()): Promise<boolean> {
  const windowEndsAt = new Date(now.getTime() + windowMs);
  const { attempts } = await countAttempt(platform.database, { counter: hashed(platform, name), now, windowEndsAt });
  return attempts === 1;
}

const hashed = ({ secrets }: Pick<Platform, 'secrets'>, counter: string): Buffer => secrets.keyedHash(counter, 'attempts');

const countersOf = (platform: Platform, { address, account }: StrangersAttempt) => ({
  ofPair: hashed(platform, `failures of ${networkOf(address)} on ${account}`),
  ofAccount: hashed(platform, `failures of strangers on ${account}`),
  knock: hashed(platform, `turn of ${networkOf(address)} on ${account}`),
});

type Fixed = { readonly counter: string; readonly most: number; readonly windowMs: number; readonly now: Date };

async function fixedRefusal(platform: Platform, { counter, most, windowMs, now }: Fixed): Promise<Refusal | null> {
  const window = { counter: hashed(platform, counter), now, windowEndsAt: new Date(now.getTime() + windowMs) };
  const { attempts, windowEndsAt } = await countAttempt(platform.database, window);
  return attempts > most ? tooMany(windowEndsAt, now) : null;
}

type DelayOf = (failures: number, mode: Platform['config']['mode']) => number;

/** Counts as a failure until it turns out right, so that attempts that are sent at once cannot all come before the first is judged. */
async function countAndHold(
  { database, config }: Platform,
  { counter, now }: { readonly counter: Buffer; readonly now: Date },
  delayOf: DelayOf,
): Promise<void> {
  const windowEndsAt = new Date(now.getTime() + dayMs);
  const { attempts } = await countOngoing(database, { counter, now, windowEndsAt });
  const delayMs = delayOf(attempts, config.mode);
  if (delayMs > 0) await holdUntil(database, { counter, notBefore: new Date(now.getTime() + delayMs), windowEndsAt });
}

const isLater = (time: Date | null | undefined, now: Date): time is Date => time !== null && time !== undefined && time > now;

function tooMany(until: Date, now: Date): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / secondMs));
  return { ...refuse('too_many_requests', `Too many attempts; try again in ${retryAfterSeconds} s.`), retryAfterSeconds };
}

import { refuse, type Refusal } from '../platform/http/answers.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, minuteMs, realNow, secondMs } from '../platform/time.ts';
import { countAttempt } from './attempts-sql.ts';
import { networkOf } from './network.ts';

/**
 * What can be tried only so often, counted in the database for all processes together: guessing (passwords, codes), and
 * mails that anybody can have sent to an address. Both the sender's network and the account have a limit of their own:
 * many accounts from one place, and one account from many places.
 */
const limits = {
  live: {
    guess: { perNetwork: 5, perAccount: 5, windowMs: minuteMs },
    mail: { perNetwork: 20, perAccount: 5, windowMs: hourMs },
  },
  sandbox: {
    guess: { perNetwork: 60, perAccount: 60, windowMs: minuteMs },
    mail: { perNetwork: 60, perAccount: 60, windowMs: minuteMs },
  },
} as const;

export type Attempt = {
  readonly what: keyof (typeof limits)['live'];
  readonly address: string;
  /** The e-mail it is about, whether or not there is such an account; null where none is named. */
  readonly account: string | null;
};

/** Counts an attempt before it is made. It stands outside of the request's transaction: what is refused was tried too. */
export async function attemptRefusal(
  platform: Platform,
  { what, address, account }: Attempt,
  now: Date = realNow(),
): Promise<Refusal | null> {
  const { perNetwork, perAccount, windowMs } = limits[platform.config.mode][what];
  const counted = [
    { counter: `${what} network ${networkOf(address)}`, most: perNetwork },
    ...(account === null ? [] : [{ counter: `${what} account ${account}`, most: perAccount }]),
  ];
  for (const { counter, most } of counted) {
    const hashed = platform.secrets.keyedHash(counter, 'attempts');
    const { attempts, windowEndsAt } = await countAttempt(platform.database, {
      counter: hashed,
      now,
      windowEndsAt: new Date(now.getTime() + windowMs),
    });
    // The first limit that is reached ends it: a network that is refused cannot use up an account's attempts.
    if (attempts > most) return tooMany(windowEndsAt, now);
  }
  return null;
}

function tooMany(windowEndsAt: Date, now: Date): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / secondMs));
  return { ...refuse('too_many_requests', `Too many attempts; try again in ${retryAfterSeconds} s.`), retryAfterSeconds };
}

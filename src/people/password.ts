import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { must } from '../platform/must.ts';

/**
 * Argon2id at the size that OWASP asks for at least: 19 MiB, two passes, one lane; measured 33 ms on one core. The parameters stand
 * in each hash, so that larger ones later leave the passwords of today valid.
 */
const memoryKib = 19_456;
const passes = 2;
const lanes = 1;
const saltBytes = 16;
const hashBytes = 32;

/**
 * How many are computed at once, and how many wait for it. A storm of sign-ins takes 38 MiB and half of Node's four
 * threads, and the last in the row waits about a second; one more is told to come again.
 */
const atOnceMax = 2;
const waitingMax = 64;

/** Null: too many wait already. */
export async function hashPassword(password: string): Promise<string | null> {
  const salt = randomBytes(saltBytes);
  const hash = await computed(password, salt, { memoryKib, passes, lanes });
  return hash && written(salt, hash);
}

export type PasswordCheck = 'right' | 'wrong' | 'busy';

/** Where nothing is kept (no such account, or no password chosen yet) the same work is done for nothing, so that time tells nothing. */
export async function checkPassword(password: string, kept: string | null): Promise<PasswordCheck> {
  const { salt, hash, ...cost } = readHash(kept ?? nobodysHash);
  const given = await computed(password, salt, cost);
  if (given === null) return 'busy';
  return timingSafeEqual(given, hash) && kept !== null ? 'right' : 'wrong';
}

/** The form that other libraries write too: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const written = (salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(hash)}`;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const nobodysHash = written(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

type Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };

function readHash(kept: string): Cost & { readonly salt: Buffer; readonly hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/.exec(kept);
  must(match, 'a kept password has the form that we write');
  const [, memory, rounds, width, salt = '', hash = ''] = match;
  return {
    memoryKib: Number(memory),
    passes: Number(rounds),
    lanes: Number(width),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

let running = 0;
const waiting: Array<() => void> = [];

async function computed(password: string, salt: Buffer, cost: Cost): Promise<Buffer | null> {
  if (running >= atOnceMax) {
    if (waiting.length >= waitingMax) return null;
    // Whoever ends hands its place on, so `running` does not change between the two.
    await new Promise<void>((resolve) => void waiting.push(resolve));
  } else running += 1;
  try {
    return await argon2id(password, salt, cost);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** One person types é as one letter, another's keyboard as two: both are the same password. */
function argon2id(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const parameters = {
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: cost.lanes,
    tagLength: hashBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { invariant } from '../core/invariant.ts';

/**
 * Argon2id with the OWASP minimum: 19 MiB, two passes, one lane; measured at 33 ms on one core. Each hash contains its parameters, so that
 * existing passwords stay valid when the parameters grow.
 */
const memoryKib = 19_456;
const passes = 2;
const lanes = 1;
const saltBytes = 16;
const hashBytes = 32;

/**
 * Limits concurrent and queued hashes: at most 38 MiB and half of Node's four threads are used, and the last request in the queue
 * waits about a second. Requests beyond the queue are rejected with Retry-After.
 */
const concurrentMax = 2;
const waitingMax = 64;

/** Returns null when the queue is full. */
export async function hashPassword(password: string): Promise<string | null> {
  const salt = randomBytes(saltBytes);
  const hash = await computeHash(password, salt, { memoryKib, passes, lanes });
  return hash && formatHash(salt, hash);
}

export type PasswordCheck = 'right' | 'wrong' | 'busy';

/** Does the same work when there is no account or no password, so that timing does not reveal which accounts exist. */
export async function checkPassword(password: string, storedHash: string | null): Promise<PasswordCheck> {
  const { salt, hash, ...cost } = readHash(storedHash ?? dummyHash);
  const computed = await computeHash(password, salt, cost);
  if (computed === null) return 'busy';
  return timingSafeEqual(computed, hash) && storedHash !== null ? 'right' : 'wrong';
}

/** The format that other libraries use too: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const formatHash = (salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(hash)}`;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const dummyHash = formatHash(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

type Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };

function readHash(storedHash: string): Cost & { readonly salt: Buffer; readonly hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/.exec(storedHash);
  invariant(match, 'a stored password hash has the format that we write');
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

async function computeHash(password: string, salt: Buffer, cost: Cost): Promise<Buffer | null> {
  if (running >= concurrentMax) {
    if (waiting.length >= waitingMax) return null;
    // A finished hash starts the next one directly, so `running` stays the same.
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

/** Keyboards encode é as one or two code points; both are the same password. */
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

export const passwordLength = { least: 10, most: 200 } as const;
const distinctCharactersMin = 5;

/** Words of this product and its field, which an attacker tries first. Words shorter than `ownCharactersMin` are never checked. */
const productWords = [
  'tributary',
  'affiliate',
  'affiliates',
  'partner network',
  'partners',
  'creator',
  'creators',
  'merchant',
  'merchants',
  'operator',
  'operators',
  'commission',
  'commissions',
  'postback',
  'postbacks',
  'dashboard',
  'payout',
  'payouts',
  'sandbox',
];

/** The minimum that a password must contain in addition to a common word or public facts about the account. */
const ownCharactersMin = 6;

export type PasswordFacts = {
  readonly email: string;
  readonly name: string;
  readonly common: ReadonlySet<string>;
};

/**
 * Length makes a password strong; rules about digits and symbols only make people write it down. In addition to its length, a password must
 * not repeat one character, be a common one, or be a public fact about the account. Returns null for an acceptable password.
 */
export function findPasswordViolation(password: string, { email, name, common }: PasswordFacts): string | null {
  if (new Set(password).size < distinctCharactersMin) return `has fewer than ${distinctCharactersMin} different characters`;
  const lower = password.normalize('NFKC').toLowerCase();
  if (isCommon(lower, common)) return 'is a common password; choose several words in a row';
  if (isLittleMoreThan(lower, productWords)) return 'is close to the name of this service; choose several words in a row';
  const [localPart = '', domain = ''] = email.toLowerCase().split('@');
  if (isLittleMoreThan(lower, [email.toLowerCase(), localPart, domain])) return 'is your email address';
  return isLittleMoreThan(lower, [name.normalize('NFKC').toLowerCase()]) ? 'is your name' : null;
}

/** Also detects digits and symbols at either end, which people add first: `Password2024!`. */
function isCommon(lower: string, common: ReadonlySet<string>): boolean {
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return common.has(lower) || (lower.length - core.length < ownCharactersMin && common.has(core));
}

function isLittleMoreThan(lower: string, words: readonly string[]): boolean {
  const compact = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  return words.some((word) => {
    if (lower === word) return true;
    const known = compact(word);
    return (
      known.length >= ownCharactersMin && compact(lower).replace(known, '').length < ownCharactersMin && compact(lower).includes(known)
    );
  });
}

/**
 * The most common passwords according to lists of leaked ones, maintained by the package. It is loaded when the first password is chosen,
 * so that other processes save its 5 MB.
 */
let cachedPasswords: ReadonlySet<string> | null = null;

export async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  if (cachedPasswords !== null) return cachedPasswords;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const words = dictionary['passwords-common'];
  invariant(words.length > 0, 'the list of common passwords is not empty');
  cachedPasswords = new Set(words);
  return cachedPasswords;
}

import { spawn } from 'node:child_process';
import { explainServerWords, explainSpawnError } from './embedded-failure.ts';
import type { Account } from './embedded-account.ts';

/** The last words of a program are kept to explain its end; the rest is let go. */
export const wordsMax = 40;
export const wordLengthMax = 500;

/**
 * What PostgreSQL's programs get from our surroundings: nothing. A stray PGDATA, PGPORT or LC_ALL would change what they
 * do, and with TZ set initdb need not look through all time zones.
 */
export const bareEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as const;

export type Run = {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly folder: string;
  readonly account: Account | null;
  readonly limitMs: number;
};

/** Runs one of PostgreSQL's programs to its end; what it complains about becomes the one line of the failure. */
export async function runToEnd({ program, args, input = '', folder, account, limitMs }: Run): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder,
    env: bareEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
    ...identity(account),
  });
  const stopWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => keep(words, text.split('\n')));
  // A program that ends early closes its input before all was read: its exit code says more than that.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnError(error, program)));
    child.once('close', resolve);
  }).finally(() => process.off('exit', stopWithUs));
  // In its single-user mode PostgreSQL reports an error, then ends with 0.
  if (code !== 0 || words.some((word) => word.includes('ERROR:'))) throw explainServerWords(words, folder);
}

export function keep(words: string[], more: readonly string[]): void {
  words.push(...more.filter((word) => word.trim() !== '').map((word) => word.slice(0, wordLengthMax)));
  words.splice(0, words.length - wordsMax);
}

/** The user and group for a child; none where it runs as ourselves. */
export const identity = (account: Account | null): { readonly uid?: number; readonly gid?: number } =>
  account === null ? {} : { uid: account.uid, gid: account.gid };

import { spawn } from 'node:child_process';
import { explainServerOutput, explainSpawnError } from './start-errors.ts';
import type { Account } from './account.ts';

/** The last lines of output are kept to explain why a program ended. */
export const outputLinesMax = 40;
export const outputLineLengthMax = 500;

/**
 * The environment of PostgreSQL's programs, without ours: PGDATA, PGPORT or LC_ALL would change what they do. With TZ set, initdb
 * does not search all time zones.
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

/** Runs one of PostgreSQL's programs to its end; its errors become the message of the failure. */
export async function runToEnd({ program, args, input = '', folder, account, limitMs }: Run): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder,
    env: bareEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
    ...spawnIdentity(account),
  });
  const stopWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  const outputLines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => keepLastLines(outputLines, text.split('\n')));
  // A program that ends early closes its input; its exit code explains the failure better than this error.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnError(error, program)));
    child.once('close', resolve);
  }).finally(() => process.off('exit', stopWithUs));
  // In single-user mode PostgreSQL reports an error and still exits with 0.
  if (code !== 0 || outputLines.some((line) => line.includes('ERROR:'))) throw explainServerOutput(outputLines, folder);
}

export function keepLastLines(outputLines: string[], more: readonly string[]): void {
  outputLines.push(...more.filter((line) => line.trim() !== '').map((line) => line.slice(0, outputLineLengthMax)));
  outputLines.splice(0, outputLines.length - outputLinesMax);
}

/** The uid and gid of a child process; none if it runs as the current user. */
export const spawnIdentity = (account: Account | null): { readonly uid?: number; readonly gid?: number } =>
  account === null ? {} : { uid: account.uid, gid: account.gid };

import { spawn } from 'node:child_process';

const outputLengthMax = 8_000;

type Run = {
  readonly cwd: string;
  /** Inherited when it is left out. */
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout: number;
  readonly failure: string;
};

/** Runs one program of the build. It must not outlive this process, which may be stopped while it waits. */
export function runToEnd(command: string, args: readonly string[], { failure, ...options }: Run): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  child.once('close', () => process.off('exit', stop));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString('utf8')).slice(-outputLengthMax);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${failure}\n${error.message}`, { cause: error })));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${failure}\n${output.trim()}`))));
  });
}

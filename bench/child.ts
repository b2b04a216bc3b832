import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { must } from '../src/platform/must.ts';

/** A process of the benchmark: it is told its job in one line, answers in lines, and ends when we do. */
export type Child = {
  readonly line: () => Promise<string>;
  /** Tells it to stop; what it still says can be read after. */
  readonly letGo: () => void;
  readonly ended: Promise<void>;
};

export function startChild(file: string, job: object, nodeOptions: readonly string[] = []): Child {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  must(stdin !== null && stdout !== null, 'both are pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stdin.write(`${JSON.stringify(job)}\n`);
  return {
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${file} ended before it answered`);
      return value;
    },
    letGo: () => void stdin.end(),
    ended,
  };
}

/** The job of this process. When whoever gave it is gone, so are we. */
export async function readJob<Job>(): Promise<Job> {
  const lines = createInterface({ input: process.stdin });
  const line = await new Promise<string>((resolve) => lines.once('line', resolve));
  return JSON.parse(line) as Job;
}

/** Stops when whoever gave the job lets go, with a last line about what it was like. */
export function whenTold(end: () => Promise<void>, lastLine: () => Promise<object>): void {
  const stop = async () => {
    process.stdout.write(`${JSON.stringify(await lastLine())}\n`);
    await end();
  };
  // Whoever broke off the run hears no last line.
  process.stdout.on('error', () => {});
  process.stdin.once('end', () => void stop().finally(() => process.exit(0)));
}

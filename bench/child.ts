import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { invariant } from '../src/core/invariant.ts';

/** A process of the benchmark: it receives its job in one line, answers in lines, and ends with its parent. */
export type Child = {
  readonly pid: number;
  readonly line: () => Promise<string>;
  /** Asks for its counters, which it answers with a line. */
  readonly count: () => void;
  /** Asks it to stop; its remaining output can still be read. */
  readonly letGo: () => void;
  readonly ended: Promise<void>;
};

export function startChild(file: URL, job: object, nodeOptions: readonly string[] = []): Child {
  const path = fileURLToPath(file);
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  invariant(stdin !== null && stdout !== null && child.pid !== undefined, 'the process was started with pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stdin.write(`${JSON.stringify(job)}\n`);
  return {
    pid: child.pid,
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${path} ended before it answered`);
      return value;
    },
    count: () => void stdin.write('count\n'),
    letGo: () => void stdin.end(),
    ended,
  };
}

const parentCheckMs = 1_000;

/** Reads the job of this process, and ends the process with its parent, also if the parent is killed. */
export async function readJob<Job>(): Promise<Job> {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, parentCheckMs).unref();
  const line = await new Promise<string>((resolve) => createInterface({ input: process.stdin }).once('line', resolve));
  return JSON.parse(line) as Job;
}

/** Answers each further line of the parent, and the end of its lines, which ends the process, with a line. */
export function answerParent(answer: () => Promise<object>, end: () => Promise<void>): void {
  const send = async () => void process.stdout.write(`${JSON.stringify(await answer())}\n`);
  // A parent that ended does not read the last line.
  process.stdout.on('error', () => {});
  process.stdin.on('data', () => void send());
  process.stdin.once(
    'end',
    () =>
      void send()
        .then(end)
        .finally(() => process.exit(0)),
  );
}

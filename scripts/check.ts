import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run check`: all static checks. They run in parallel, and every error is reported, not only those of the first failing check. The
 * architecture rules and the search for unused code are tests, in test/architecture.
 */
const parts: ReadonlyArray<{ readonly name: string; readonly command: string; readonly args: readonly string[] }> = [
  { name: 'types and lint', command: 'node', args: ['scripts/lint.ts'] },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'message types', command: 'node', args: ['scripts/write-message-types.ts', '--check'] },
];

const root = join(import.meta.dirname, '..');

/**
 * The compiler and the type-aware linter are Go programs that end with most of their memory still in use (at most 2 GB): without garbage
 * collection below that limit they take less CPU time.
 */
const withoutCollection = { GOGC: 'off', GOMEMLIMIT: '2500MiB' };

const results = await Promise.all(parts.map(run));
for (const { isGood, output } of results) if (!isGood) process.stdout.write(`${output.trim()}\n\n`);
for (const { name, isGood, seconds } of results) process.stdout.write(`${isGood ? 'good ' : 'WRONG'} ${name} (${seconds} s)\n`);
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1;

type Result = { readonly name: string; readonly isGood: boolean; readonly output: string; readonly seconds: string };

function run({ name, command, args }: (typeof parts)[number]): Promise<Result> {
  const startedAt = performance.now();
  const env = { ...withoutCollection, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'tributary'), ...process.env };
  const child = spawn(join(root, 'node_modules', '.bin', command), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const end = (isGood: boolean) =>
      resolve({
        name,
        isGood,
        output: Buffer.concat(chunks).toString('utf8'),
        seconds: ((performance.now() - startedAt) / 1_000).toFixed(1),
      });
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${command} cannot be run: ${error.message}`));
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

import { execFileSync } from 'node:child_process';
import { cpus, totalmem, type as systemName } from 'node:os';

const gigabyte = 2 ** 30;

/** The machine of a measurement, in a few words. */
export function machineInWords(): string {
  const all = cpus();
  const model = (all[0]?.model ?? 'unknown processor').trim();
  return `${all.length} × ${model}, ${Math.round(totalmem() / gigabyte)} GB, ${systemName()}, Node ${process.version}`;
}

/** A `+` marks uncommitted changes; "unknown" outside of git. */
export function commitInWords(root: string): string {
  try {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time since the start, in milliseconds. Other load on the machine changes it much less than it changes throughput. Client backends of
 * PostgreSQL serve requests; its other processes write WAL, checkpoints, and pages, and vacuum.
 */
export type CpuTimes = { readonly application: number; readonly backends: number; readonly background: number };

const nsPerMs = 1_000_000;
/** Of Linux, on every architecture that Node supports. */
const msPerTick = 10;

export function cpuTimes(applicationPid: number, postmasterPid: number): CpuTimes {
  let [backends, background] = [0, endedChildrenMs(postmasterPid) + threadsMs(postmasterPid)];
  for (const pid of childrenOf(postmasterPid)) {
    if (isClientBackend(pid)) backends += threadsMs(pid);
    else background += threadsMs(pid);
  }
  return { application: threadsMs(applicationPid), backends, background };
}

export const cpuBetween = (before: CpuTimes, after: CpuTimes): CpuTimes => ({
  application: after.application - before.application,
  backends: after.backends - before.backends,
  background: after.background - before.background,
});

/** 0 for a process or thread that ended while it was read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const childrenOf = (pid: number): readonly number[] =>
  readOrEmpty(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);

/** The title of a client backend contains its user, its database, and its client: `postgres: postgres tributary [local] idle`. */
const isClientBackend = (pid: number): boolean => /\[local\]|\d\(\d+\)/.test(readOrEmpty(`/proc/${pid}/cmdline`));

/** The scheduler counts nanoseconds per thread. */
function threadsMs(pid: number): number {
  let threads: readonly string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return 0;
  }
  return (
    threads.reduce((sum, thread) => sum + Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0), 0) / nsPerMs
  );
}

/** User and system time of the children that ended, fields 16 and 17 of `stat`. The name in parentheses may contain spaces. */
function endedChildrenMs(pid: number): number {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * msPerTick;
}

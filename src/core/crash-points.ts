import { kill, pid } from 'node:process';

/**
 * Named points between two steps where a crash would do the most damage: before and after a commit, before and after a call to a
 * provider. A test throws there or lets the process be killed; otherwise a point does nothing.
 */
export type CrashPoints = { onReached: (point: string) => void };

/** Kills the process the n-th time that it reaches the point. */
export type DieAt = { readonly point: string; readonly time: number };

export type CrashPointHooks = { readonly crashPoints: CrashPoints; readonly reached: (point: string) => void };

export function createCrashPoints(dieAt: DieAt | null): CrashPointHooks {
  const crashPoints: CrashPoints = { onReached: () => {} };
  let times = 0;
  return {
    crashPoints,
    reached(point) {
      if (point === dieAt?.point && ++times === dieAt.time) killProcess();
      crashPoints.onReached(point);
    },
  };
}

/** Like a power failure: nothing is flushed, closed or written. */
function killProcess(): never {
  kill(pid, 'SIGKILL');
  // The signal ends the process; the loop keeps it from taking another step until then.
  for (;;);
}

import { kill, pid } from 'node:process';

/**
 * Named places between two steps where a death would hurt most: before and after a commit, before and after a call to the
 * outside. A test listens and throws there, or lets the process be killed; otherwise reaching one does nothing.
 */
export type FaultPoints = { onReached: (point: string) => void };

/** The n-th time that a point is reached, counted by this process. */
export type DieAt = { readonly point: string; readonly time: number };

export type Reaching = { readonly faultPoints: FaultPoints; readonly reached: (point: string) => void };

export function openFaultPoints(dieAt: DieAt | null): Reaching {
  const faultPoints: FaultPoints = { onReached: () => {} };
  let times = 0;
  return {
    faultPoints,
    reached(point) {
      if (point === dieAt?.point && ++times === dieAt.time) dieNow();
      faultPoints.onReached(point);
    },
  };
}

/** As a power cut would have it: nothing is finished, closed or written any more. */
function dieNow(): never {
  kill(pid, 'SIGKILL');
  // The signal has ended the process before this turn of the loop is over; no further step is taken meanwhile.
  for (;;);
}

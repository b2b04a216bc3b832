import { hourMs, minuteMs, secondMs } from '../platform/time.ts';

/** A page that was asked for, by real time. */
export type AskedFor = { readonly askedAt: Date; readonly isUnderWay: boolean };

export const checksPerHourMax = 10;
/** Longer than a page may take: what is still under way after that was broken off. */
const underWayMsMax = minuteMs;

export type CheckDecision =
  | { readonly do: 'go' }
  | { readonly do: 'refuse'; readonly why: 'under way' | 'too many'; readonly waitSeconds: number };

/** Whether a page is fetched for a store once more. `lastHour`: what was asked for in the last hour, oldest first. */
export function decideCheck(lastHour: readonly AskedFor[], now: Date): CheckDecision {
  const since = ({ askedAt }: AskedFor) => now.getTime() - askedAt.getTime();
  const underWay = lastHour.find((check) => check.isUnderWay && since(check) < underWayMsMax);
  if (underWay) return { do: 'refuse', why: 'under way', waitSeconds: seconds(underWayMsMax - since(underWay)) };
  const [oldest] = lastHour.slice(-checksPerHourMax);
  if (oldest && lastHour.length >= checksPerHourMax) return { do: 'refuse', why: 'too many', waitSeconds: seconds(hourMs - since(oldest)) };
  return { do: 'go' };
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / secondMs));

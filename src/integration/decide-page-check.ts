import { hourMs, minuteMs, secondMs } from '../core/time.ts';

/** A requested page check, in real time. */
export type RequestedCheck = { readonly requestedAt: Date; readonly isUnderWay: boolean };

export const checksPerHourMax = 10;
/** Longer than a check may take, so an older unfinished check was interrupted. */
const underWayMsMax = minuteMs;

export type PageCheckDecision =
  | { readonly do: 'go' }
  | { readonly do: 'refuse'; readonly why: 'under way' | 'too many'; readonly waitSeconds: number };

/** Whether a store may check another page. `lastHour`: the checks of the last hour, oldest first. */
export function decidePageCheck(lastHour: readonly RequestedCheck[], now: Date): PageCheckDecision {
  const since = ({ requestedAt }: RequestedCheck) => now.getTime() - requestedAt.getTime();
  const underWay = lastHour.find((check) => check.isUnderWay && since(check) < underWayMsMax);
  if (underWay) return { do: 'refuse', why: 'under way', waitSeconds: seconds(underWayMsMax - since(underWay)) };
  const [oldest] = lastHour.slice(-checksPerHourMax);
  if (oldest && lastHour.length >= checksPerHourMax) return { do: 'refuse', why: 'too many', waitSeconds: seconds(hourMs - since(oldest)) };
  return { do: 'go' };
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / secondMs));

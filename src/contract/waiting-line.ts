import { secondMs } from '../platform/time.ts';

const waitSecondsLeast = 2;
const waitSecondsMost = 30;

/**
 * When whoever finds no room is asked to come again. Each gets a place of its own in the seconds to come: told the same number, a crowd
 * would come back as one, and most of it would be refused once more.
 */
export function openWaitingLine(placesPerSecond: number): (nowMs: number) => number {
  let nextPlaceAt = 0;
  return (nowMs) => {
    const first = nowMs + waitSecondsLeast * secondMs;
    const last = nowMs + waitSecondsMost * secondMs;
    const placeAt = Math.min(last, Math.max(first, nextPlaceAt));
    nextPlaceAt = placeAt + secondMs / placesPerSecond;
    return Math.ceil((placeAt - nowMs) / secondMs);
  };
}

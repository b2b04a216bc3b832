import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from './merchant.ts';
import { isHard } from './size.ts';

const pauseMs = 100;

/**
 * Sends again after a 503, as a sender does: on a busy machine a row may be locked for more than a second. The hard tests have the machine
 * for themselves, and expect no 503. A 503 does not say whether the report was recorded.
 */
export async function sendAgain(send: () => Promise<ApiResponse>, onUnavailable = () => {}): Promise<ApiResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503 || isHard) return response;
    onUnavailable();
    await pause(pauseMs);
  }
}

/** How many responses have each status and reason. */
export function tally(responses: readonly ApiResponse[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, json } of responses) counts[`${status} ${json.reason}`] = (counts[`${status} ${json.reason}`] ?? 0) + 1;
  return counts;
}

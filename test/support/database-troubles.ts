import { expect } from 'vitest';
import type { ApiResponse } from './merchant.ts';
import { formatSpread, isHard, spreadOf, reportMeasurement, within } from './size.ts';

/** What a merchant's server and its shoppers may experience during a database outage. */
export const answerMsMax = within(5_000);
export const recoveryMsMax = within(5_000);
export const redirectMsMax = isHard ? 250 : 1_000;
/** For a busy machine: some visits may be slow, the fastest may not. */
export const loadedMsMax = within(1_000);

export type Timed<Result> = { readonly result: Result; readonly ms: number };

export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

/** Retries as a merchant's server would. */
export async function untilAccepted(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedAt = performance.now();
  for (;;) {
    const response = await send();
    if (response.status === 200) return response;
    expect(response.status).toBe(503);
    expect(performance.now() - startedAt, 'accepted in time after the database came back').toBeLessThan(recoveryMsMax);
  }
}

/** The wait times of all clients, during one kind of outage. */
export type Waits = { readonly answers: number[]; readonly redirects: number[]; readonly recoveries: number[] };
export const newWaits = (): Waits => ({ answers: [], redirects: [], recoveries: [] });

export function reportWaits(how: string, rounds: number, { answers, redirects, recoveries }: Waits): void {
  const parts = [
    ...(answers.length > 0
      ? [`${answers.length} replies, each correct or a 503 with Retry-After: ${formatSpread(spreadOf(answers))}`]
      : []),
    ...(redirects.length > 0 ? [`${redirects.length} redirects, all 302: ${formatSpread(spreadOf(redirects))}`] : []),
    ...(recoveries.length > 0 ? [`serving again: ${formatSpread(spreadOf(recoveries))}`] : []),
  ];
  const limits = `503 within ${answerMsMax / 1_000} s, serving again in ${recoveryMsMax / 1_000} s, redirects 302`;
  reportMeasurement({ what: `a database that is ${how}`, measured: `${rounds} times; ${parts.join('; ')}`, limit: limits });
}

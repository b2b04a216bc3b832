import type { Traffic } from './operator-api.ts';

export const rateWords = ({ per_second: rate }: Traffic): string =>
  `${rate.toLocaleString('en-GB', { maximumFractionDigits: rate < 10 ? 2 : 0 })} a second`;

export const latencyWords = ({ p50_ms: half, p99_ms: nearlyAll }: Traffic): string =>
  half === null || nearlyAll === null
    ? 'none in the last minute'
    : `half at most ${msWords(half)}, 99 of 100 at most ${msWords(nearlyAll)}`;

const msWords = (ms: number): string => `${ms.toLocaleString('en-GB', { maximumSignificantDigits: 2 })} ms`;

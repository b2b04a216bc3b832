import type { RequestRate } from '../../api/api-schema.ts';

export const formatRate = ({ per_second: rate }: RequestRate): string =>
  `${rate.toLocaleString('en-GB', { maximumFractionDigits: rate < 10 ? 2 : 0 })} a second`;

export const formatLatency = ({ p50_ms: half, p99_ms: nearlyAll }: RequestRate): string =>
  half === null || nearlyAll === null
    ? 'none in the last minute'
    : `half at most ${formatMs(half)}, 99 of 100 at most ${formatMs(nearlyAll)}`;

const formatMs = (ms: number): string => `${ms.toLocaleString('en-GB', { maximumSignificantDigits: 2 })} ms`;

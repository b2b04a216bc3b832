import type { RequestRate } from '../../../../sdk/src/api-schema.ts';
import { t } from './messages.ts';

export const formatRate = ({ per_second: rate }: RequestRate): string => t.request_rate_text.s({ rate });

export const formatLatency = ({ p50_ms: half, p99_ms: nearlyAll }: RequestRate): string =>
  half === null || nearlyAll === null
    ? t.request_rate_text.none_in_the_last_minute
    : t.request_rate_text.p50_p99({ half: formatMs(half), nearlyAll: formatMs(nearlyAll) });

const formatMs = (ms: number): string => t.request_rate_text.ms({ ms });

import type { RequestRate } from '../../api/api-schema.ts';
import { t } from './messages.ts';

export const formatRate = ({ per_second: rate }: RequestRate): string => t.request_rate_text.a_second({ rate });

export const formatLatency = ({ p50_ms: half, p99_ms: nearlyAll }: RequestRate): string =>
  half === null || nearlyAll === null
    ? t.request_rate_text.none_in_the_last_minute
    : t.request_rate_text.half_at_most_99_of({ half: formatMs(half), nearlyAll: formatMs(nearlyAll) });

const formatMs = (ms: number): string => t.request_rate_text.ms({ ms });

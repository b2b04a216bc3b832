import { answerBuckets, type Metrics } from '../platform/metrics.ts';
import type { Answered } from './door.ts';

/** What postbacks were answered, and how fast. Operations, statuses and reasons are all words of the contract: there are some hundred. */
export function openAnswerFigures({ counter, histogram, traffic }: Metrics): (answered: Answered) => void {
  const answers = counter('postbacks_total', 'Postbacks with a known key that were answered', ['operation', 'status', 'reason']);
  const help = 'From the headers of a postback to its answer';
  const took = histogram('postback_duration_seconds', help, ['operation', 'status'], answerBuckets);
  return ({ operation, status, reason, tookMs }) => {
    answers.inc({ operation, status, reason });
    took.observe({ operation, status }, tookMs / 1_000);
    traffic.postbacks.answered(tookMs);
  };
}

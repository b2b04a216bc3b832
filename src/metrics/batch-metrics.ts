import type { AttemptReport } from '../batch/attempts.ts';
import type { QueueStats } from '../batch/queue.ts';
import type { MetricFactory } from './metric-factory.ts';

/** The batches by the label of their metrics. */
type BatchName = 'clicks' | 'orders' | 'subscriptions' | 'refunds' | 'leads' | 'gate_lines';

export type BatchMetrics = {
  /** Records an attempt: batch size, duration and failure. */
  readonly recordAttempt: (batch: BatchName, report: AttemptReport<unknown>) => void;
  /** Registers the queue whose state the gauges read. */
  readonly watch: (batch: BatchName, readStats: () => QueueStats) => void;
};

const sizeBuckets = [1, 2, 5, 10, 25, 50, 100, 200, 500];
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createBatchMetrics({ counter, gauge, histogram }: MetricFactory): BatchMetrics {
  const watched = new Map<BatchName, () => QueueStats>();
  const each = (read: (stats: QueueStats) => number) => () =>
    [...watched].map(([batch, readStats]) => ({ labels: { batch }, value: read(readStats()) }));
  const size = histogram('batch_size', 'Items per batch transaction', ['batch'], sizeBuckets);
  const took = histogram('batch_duration_seconds', 'Time from the start of a batch attempt to its commit', ['batch'], secondsBuckets);
  const failed = counter('batch_failures_total', 'Batch attempts that did not commit; most are retried', ['batch', 'failure']);
  gauge(
    'batch_waiting',
    'Items waiting for a batch',
    each(({ waiting }) => waiting),
    ['batch'],
  );
  gauge(
    'batch_under_way',
    'Items in a running batch',
    each(({ running: underWay }) => underWay),
    ['batch'],
  );
  return {
    recordAttempt(batch, { items, tookMs, failure }) {
      size.observe({ batch }, items.length);
      took.observe({ batch }, tookMs / 1_000);
      if (failure !== null) failed.inc({ batch, failure });
    },
    watch: (batch, readStats) => void watched.set(batch, readStats),
  };
}

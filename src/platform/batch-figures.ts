import type { Tried } from './batch-attempts.ts';
import type { QueueFigures } from './batch-queue.ts';
import type { MakeFigures } from './metrics.ts';

/** The batches that there are, by the name that their figures have. */
type BatchName = 'clicks' | 'orders' | 'subscriptions' | 'gate_lines';

export type BatchFigures = {
  /** Every attempt of a batch: how many were in it, how long it took, and what it failed of. */
  readonly tried: (batch: BatchName, tried: Tried<unknown>) => void;
  /** Where its queue is read, when somebody asks. */
  readonly watch: (batch: BatchName, figures: () => QueueFigures) => void;
};

const sizeBuckets = [1, 2, 5, 10, 25, 50, 100, 200, 500];
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function openBatchFigures({ counter, gauge, histogram }: MakeFigures): BatchFigures {
  const watched = new Map<BatchName, () => QueueFigures>();
  const each = (read: (figures: QueueFigures) => number) => () =>
    [...watched].map(([batch, figures]) => ({ labels: { batch }, value: read(figures()) }));
  const size = histogram('batch_size', 'How many shared a transaction', ['batch'], sizeBuckets);
  const took = histogram('batch_duration_seconds', 'From the begin of an attempt to its commit', ['batch'], secondsBuckets);
  const failed = counter('batch_failures_total', 'Attempts that did not commit; most are tried again', ['batch', 'failure']);
  gauge(
    'batch_waiting',
    'How many wait for a transaction',
    each(({ waiting }) => waiting),
    ['batch'],
  );
  gauge(
    'batch_under_way',
    'How many are in a transaction',
    each(({ underWay }) => underWay),
    ['batch'],
  );
  return {
    tried(batch, { items, tookMs, failure }) {
      size.observe({ batch }, items.length);
      took.observe({ batch }, tookMs / 1_000);
      if (failure !== null) failed.inc({ batch, failure });
    },
    watch: (batch, figures) => void watched.set(batch, figures),
  };
}

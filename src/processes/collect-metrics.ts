import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { NamedMetrics } from './messages.ts';

type Metric = MetricObjectWithValues<MetricValue<string>>;

/**
 * The metrics of all processes of this machine, whichever of them was scraped, labeled by process: a sum would hide a process that
 * hangs, and gauges cannot be added. A process that did not answer is reported as down.
 */
export async function combinedMetricsText(all: readonly NamedMetrics[]): Promise<string> {
  const labelled = all.map(({ process, figures }) => (figures ?? []).map((metric) => labelledBy(metric, process)));
  return AggregatorRegistry.aggregate([...labelled, [upMetric(all)]]).metrics();
}

/** Every value has unique labels, so the aggregation by sum changes none. */
function labelledBy(metric: Metric, process: string): Metric {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
  return Object.assign({}, metric, { values, aggregator: 'sum' });
}

const upMetric = (all: readonly NamedMetrics[]): Metric =>
  Object.assign(
    { name: 'tributary_process_up', help: 'Whether the process answered the request for its metrics', aggregator: 'sum' },
    {
      // The library's constant for a gauge is printed as text.
      type: 'gauge',
      values: all.map(({ process, figures }) => ({ labels: { process }, value: figures === null ? 0 : 1 })),
    },
  ) as unknown as Metric;

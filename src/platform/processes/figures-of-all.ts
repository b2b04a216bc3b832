import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { FiguresOf } from './messages.ts';

type Metric = MetricObjectWithValues<MetricValue<string>>;

/**
 * The figures of all processes of this machine, whichever of them was asked, each under its process's name: added up they
 * would hide the one that hangs, and a gauge of one of them says nothing about another. Who did not answer is told as down.
 */
export async function textOfAll(all: readonly FiguresOf[]): Promise<string> {
  const labelled = all.map(({ process, figures }) => (figures ?? []).map((metric) => labelledBy(metric, process)));
  return AggregatorRegistry.aggregate([...labelled, [upOf(all)]]).metrics();
}

/** No two values have the same labels then, so that "adding up" changes none. */
function labelledBy(metric: Metric, process: string): Metric {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
  return Object.assign({}, metric, { values, aggregator: 'sum' });
}

const upOf = (all: readonly FiguresOf[]): Metric =>
  Object.assign(
    { name: 'tributary_process_up', help: 'Whether the process answered when it was asked for its figures', aggregator: 'sum' },
    {
      // The library's own number for a gauge is text in what it prints.
      type: 'gauge',
      values: all.map(({ process, figures }) => ({ labels: { process }, value: figures === null ? 0 : 1 })),
    },
  ) as unknown as Metric;

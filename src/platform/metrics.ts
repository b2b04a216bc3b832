import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { openBatchFigures, type BatchFigures } from './batch-figures.ts';
import { textOfAll } from './processes/figures-of-all.ts';
import type { Family } from './processes/worker.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** One registry per process; each room makes its own figures from it. No store, person or address is ever the value of a label. */
export type Metrics = MakeFigures & {
  readonly registry: Registry;
  /** What Prometheus reads: of this process, or of all processes of this machine where there are several. */
  readonly text: () => Promise<string>;
  /** What this process answers, for whoever looks at it now. */
  readonly traffic: { readonly postbacks: Traffic; readonly redirects: Traffic };
  readonly batches: BatchFigures;
  /** The management API, by method and status: which of its addresses is slow stands in the log at the level debug. */
  readonly apiRequests: Histogram<'method' | 'status'>;
  /** Requests that ended in a fault: `hearFaults` counts them. */
  readonly faults: Counter<'kind'>;
};

export type MakeFigures = {
  readonly counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  /** Read when somebody asks: a number, or one for each set of labels. */
  readonly gauge: <Label extends string = never>(
    name: string,
    help: string,
    read: () => number | ReadonlyArray<GaugeValue<Label>>,
    labels?: readonly Label[],
  ) => Gauge<Label>;
  readonly histogram: <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ) => Histogram<Label>;
};
export type GaugeValue<Label extends string> = { readonly labels: Readonly<Record<Label, string>>; readonly value: number };

/** Seconds of an answer: from one that waited for nothing to the 5 s after which a sender gives up. */
export const answerBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;
/** Seconds of work that nobody waits for. */
export const workBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800] as const;

const steadyMs = (): number => performance.now();

export function createMetrics(family: Family | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const traffic = { postbacks: createTraffic(steadyMs), redirects: createTraffic(steadyMs) };
  const make = makeIn(registry);
  return {
    ...make,
    registry,
    text: async () => (family === null ? registry.metrics() : textOfAll(await family.figuresOfAll())),
    traffic,
    batches: openBatchFigures(make),
    apiRequests: make.histogram(
      'api_request_duration_seconds',
      'From a request of the management API to its answer',
      ['method', 'status'],
      answerBuckets,
    ),
    faults: make.counter('request_faults_total', 'Requests that we could not answer as they should be', ['kind']),
  };
}

function makeIn(registry: Registry): MakeFigures {
  const named = (name: string, help: string) => ({ name: `tributary_${name}`, help, registers: [registry] });
  return {
    counter: (name, help, labelNames) => new Counter({ ...named(name, help), labelNames }),
    gauge: (name, help, read, labelNames = []) =>
      new Gauge({
        ...named(name, help),
        labelNames,
        collect() {
          const now = read();
          if (typeof now === 'number') return this.set(now);
          this.reset();
          for (const { labels, value } of now) this.set(labels, value);
        },
      }),
    histogram: (name, help, labelNames, buckets) => new Histogram({ ...named(name, help), labelNames, buckets: [...buckets] }),
  };
}

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type MetricFactory = {
  readonly counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  /** Read at scrape time: a number, or one per label set. */
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

/** Buckets for request durations in seconds, up to the 5 s after which a sender gives up. */
export const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;
/** Buckets for background jobs in seconds. */
export const jobBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800] as const;

export function createMetricFactory(registry: Registry): MetricFactory {
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

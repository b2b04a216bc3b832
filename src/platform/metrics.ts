import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One registry per process; each room makes its own figures from it. */
export type Metrics = {
  readonly registry: Registry;
  readonly counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  readonly gauge: (name: string, help: string, read: () => number) => Gauge;
  readonly histogram: <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ) => Histogram<Label>;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const named = (name: string, help: string) => ({ name: `tributary_${name}`, help, registers: [registry] });
  return {
    registry,
    counter: (name, help, labelNames) => new Counter({ ...named(name, help), labelNames }),
    gauge: (name, help, read) =>
      new Gauge({
        ...named(name, help),
        collect() {
          this.set(read());
        },
      }),
    histogram: (name, help, labelNames, buckets) => new Histogram({ ...named(name, help), labelNames, buckets: [...buckets] }),
  };
}

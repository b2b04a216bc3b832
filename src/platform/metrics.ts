import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { textOfAll } from './processes/figures-of-all.ts';
import type { Family } from './processes/worker.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** One registry per process; each room makes its own figures from it. */
export type Metrics = {
  readonly registry: Registry;
  /** What Prometheus reads: of this process, or of all processes of this machine where there are several. */
  readonly text: () => Promise<string>;
  /** What this process answers, for whoever looks at it now. */
  readonly traffic: { readonly postbacks: Traffic; readonly redirects: Traffic };
  readonly counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  readonly gauge: (name: string, help: string, read: () => number) => Gauge;
  readonly histogram: <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: readonly number[],
  ) => Histogram<Label>;
};

const steadyMs = (): number => performance.now();

export function createMetrics(family: Family | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const traffic = { postbacks: createTraffic(steadyMs), redirects: createTraffic(steadyMs) };
  const named = (name: string, help: string) => ({ name: `tributary_${name}`, help, registers: [registry] });
  return {
    registry,
    text: async () => (family === null ? registry.metrics() : textOfAll(await family.figuresOfAll())),
    traffic,
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

import { collectDefaultMetrics, Registry, type Counter, type Histogram } from 'prom-client';
import { createBatchMetrics, type BatchMetrics } from './batch-metrics.ts';
import { requestBuckets, createMetricFactory, type MetricFactory } from './metric-factory.ts';
import { combinedMetricsText } from '../processes/collect-metrics.ts';
import type { SupervisorClient } from '../processes/worker-process.ts';
import { droppedLogLines } from '../core/log.ts';
import { createRequestRate, type RequestRate } from '../core/request-rate.ts';

/** One registry per process; each module creates its own metrics from it. A store, person or address must never be a label value. */
export type Metrics = MetricFactory & {
  readonly registry: Registry;
  /** What Prometheus scrapes: the metrics of this process, or of all processes of this machine if there are several. */
  readonly text: () => Promise<string>;
  /** Current request rates of this process. */
  readonly requestRates: { readonly postbacks: RequestRate; readonly redirects: RequestRate };
  readonly batches: BatchMetrics;
  /** Management API requests by method and status; the debug log shows which URL is slow. */
  readonly apiRequests: Histogram<'method' | 'status'>;
  /** Requests that ended in an error, counted by `reportErrors`. */
  readonly errors: Counter<'kind'>;
};

/** The timer whose delay is measured; its period is part of the figure. The default of 10 ms takes 0.4 % of a core from an idle process. */
const eventLoopTickMs = 50;
const steadyMs = (): number => performance.now();

export function createMetrics(supervisor: SupervisorClient | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_', eventLoopMonitoringPrecision: eventLoopTickMs });
  const traffic = { postbacks: createRequestRate(steadyMs), redirects: createRequestRate(steadyMs) };
  const make = createMetricFactory(registry);
  make.gauge('log_lines_dropped', 'Log lines dropped since the process started, because standard output was not read', droppedLogLines);
  return {
    ...make,
    registry,
    text: async () => (supervisor === null ? registry.metrics() : combinedMetricsText(await supervisor.collectMetrics())),
    requestRates: traffic,
    batches: createBatchMetrics(make),
    apiRequests: make.histogram(
      'api_request_duration_seconds',
      'Duration of management API requests',
      ['method', 'status'],
      requestBuckets,
    ),
    errors: make.counter('request_faults_total', 'Requests that failed with an error on our side', ['kind']),
  };
}

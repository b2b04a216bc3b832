import { expect, test } from 'vitest';
import { combinedMetricsText } from '../../src/processes/collect-metrics.ts';
import { nextPauseMs } from '../../src/processes/supervise.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

test.each([
  [100, 0, 50],
  [200, 100, 50],
  [6_400, 3_200, 9_999],
  [10_000, 6_400, 0],
  [10_000, 10_000, 9_999],
  [0, 10_000, 10_001],
])('waits %i ms after a wait of %i ms and a run time of %i ms', (next, before, lived) => {
  expect(nextPauseMs(before, lived)).toBe(next);
});

test('the metrics of several processes are listed side by side, complete, with the name of each process', async () => {
  const [one, two] = ['web 1', 'web 2'].map((process, index) => {
    const { registry, counter, gauge, histogram } = createMetrics();
    counter('things_total', 'Things', ['kind']).inc({ kind: 'a' }, index + 1);
    gauge('waiting', 'Those that wait', () => 10 * (index + 1));
    histogram('took_seconds', 'How long it took', [], [1, 2]).observe({}, index + 1.5);
    return { process, registry };
  });
  const metrics = await Promise.all([one, two].flatMap((each) => (each ? [each.registry.getMetricsAsJSON()] : [])));
  // Processes exchange them as JSON.
  const [first = null, second = null] = JSON.parse(JSON.stringify(metrics)) as typeof metrics;
  const text = await combinedMetricsText([
    { process: 'web 1', figures: first },
    { process: 'web 2', figures: second },
    { process: 'jobs', figures: null },
  ]);
  const linesOf = (name: string) => text.split('\n').filter((line) => line.startsWith(`tributary_${name}`));
  expect(linesOf('things_total')).toEqual([
    'tributary_things_total{kind="a",process="web 1"} 1',
    'tributary_things_total{kind="a",process="web 2"} 2',
  ]);
  expect(linesOf('waiting')).toEqual(['tributary_waiting{process="web 1"} 10', 'tributary_waiting{process="web 2"} 20']);
  expect(linesOf('took_seconds_bucket{le="2"')).toEqual([
    'tributary_took_seconds_bucket{le="2",process="web 1"} 1',
    'tributary_took_seconds_bucket{le="2",process="web 2"} 0',
  ]);
  expect(linesOf('process_up')).toEqual([
    'tributary_process_up{process="web 1"} 1',
    'tributary_process_up{process="web 2"} 1',
    'tributary_process_up{process="jobs"} 0',
  ]);
  expect(linesOf('process_start_time_seconds')).toHaveLength(2);
});

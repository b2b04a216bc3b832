import type { Tasks } from './jobs.ts';
import { jobBuckets } from '../metrics/metric-factory.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Wraps each task so that its runs are measured. Errors are rethrown, so that the queue retries the task. */
export function countTasks({ histogram }: Metrics, tasks: Tasks): Tasks {
  const took = histogram('job_duration_seconds', 'Duration of queue tasks', ['task', 'ended'], jobBuckets);
  const counted =
    (task: string, run: Tasks[string]): Tasks[string] =>
    async (payload) => {
      const since = performance.now();
      let ended = 'failed';
      try {
        await run(payload);
        ended = 'done';
      } finally {
        took.observe({ task, ended }, (performance.now() - since) / 1_000);
      }
    };
  return Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, counted(task, run)]));
}

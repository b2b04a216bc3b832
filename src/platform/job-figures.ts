import type { Tasks } from './jobs.ts';
import { workBuckets, type Metrics } from './metrics.ts';

/** Each task of the queue with its runs counted. What failed is thrown on: the queue tries it again. */
export function countTasks({ histogram }: Metrics, tasks: Tasks): Tasks {
  const took = histogram('job_duration_seconds', 'Runs of the tasks of the queue', ['task', 'ended'], workBuckets);
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

import { createFirstOperatorLink } from '../people/operators.ts';
import type { Config } from '../core/config.ts';
import { ensureBuilt } from '../build/ensure-built.ts';
import type { Log } from '../core/log.ts';
import type { Task } from '../processes/messages.ts';
import type { SupervisorClient, WorkerHandle } from '../processes/worker-process.ts';
import { startService } from './server.ts';

/** Runs one of several processes. It builds the dashboards itself, because it may be newer than its supervisor. */
export async function runWorker(
  config: Config,
  log: Log,
  { task, supervisor }: { readonly task: Task; readonly supervisor: SupervisorClient },
): Promise<WorkerHandle> {
  const { role, databaseUrl, listensApart, welcomes } = task;
  const service = await startService({
    config: { ...config, role },
    databaseUrl,
    secretKey: Buffer.from(task.secretKey, 'base64'),
    log: log.child({ process: task.name }),
    dashboardsFolder: role === 'jobs' ? null : await ensureBuilt('web'),
    workers: supervisor,
    hasOwnPort: listensApart,
  });
  const { platform, url } = service;
  return {
    ready: { url, firstOperatorLink: welcomes ? await createFirstOperatorLink(platform) : null },
    metrics: () => platform.metrics.registry.getMetricsAsJSON(),
    async shutDown(how) {
      await service.drain(how);
      await service.stop();
    },
  };
}

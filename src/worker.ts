import { firstOperatorLink } from './people/operators.ts';
import type { Config } from './platform/config.ts';
import { ensureWebBuilt } from './platform/http/ensure-web.ts';
import type { Log } from './platform/log.ts';
import type { Task } from './platform/processes/messages.ts';
import type { Family, Work } from './platform/processes/worker.ts';
import { startService } from './service.ts';

/** One of several processes: what it is for, it is told. It builds the pages itself, because it may be newer than the one above it. */
export async function work(config: Config, log: Log, { task, family }: { readonly task: Task; readonly family: Family }): Promise<Work> {
  const { role, databaseUrl, listensApart, welcomes } = task;
  const service = await startService({
    config: { ...config, role },
    databaseUrl,
    secretKey: Buffer.from(task.secretKey, 'base64'),
    log: log.child({ process: task.name }),
    webFolder: role === 'jobs' ? null : await ensureWebBuilt(),
    family,
    listensApart,
  });
  const { platform, url } = service;
  return {
    ready: { url, firstOperatorLink: welcomes ? await firstOperatorLink(platform) : null },
    figures: () => platform.metrics.registry.getMetricsAsJSON(),
    async leave(how) {
      await service.leave(how);
      await service.stop();
    },
  };
}

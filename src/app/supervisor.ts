import type { Config } from '../core/config.ts';
import { startEmbedded } from '../embedded-postgres/start.ts';
import type { Log } from '../core/log.ts';
import type { Task } from '../processes/messages.ts';
import { supervise } from '../processes/supervise.ts';
import { loadSecretKey } from '../core/secrets.ts';

export type Supervisor = { readonly stop: () => Promise<void>; readonly replaceAll: () => Promise<void> };

/* oxlint-disable no-console -- It speaks to a terminal. */
/**
 * Runs several processes on one machine. This process owns the embedded database, holds the port, and restarts the others. If it is
 * stopped while they start, it stops them immediately; the caller stops everything else.
 */
export async function startWorkers(
  config: Config,
  log: Log,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (line: string) => void },
): Promise<Supervisor> {
  const embedded =
    config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line), onProgress }) : null;
  const secretKey = await loadSecretKey(config);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  const supervisor = supervise({
    tasks: tasksOf(config, { databaseUrl, secretKey: secretKey.toString('base64') }),
    log,
    drainMs: config.drainMs,
  });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await embedded?.stop();
  };
  if (signal.aborted) return { stop, replaceAll: supervisor.replaceAll };
  signal.addEventListener('abort', () => void supervisor.stop(), { once: true });
  const serving = await supervisor.start();
  if (signal.aborted) return { stop, replaceAll: supervisor.replaceAll };
  if (serving === null) {
    await embedded?.stop();
    throw new Error('a process failed to start, so no process was started; see its error above');
  }
  console.log(`Tributary is ready at ${serving[0]?.url}`);
  for (const { firstOperatorLink } of serving) if (firstOperatorLink !== null) printOperatorLink(firstOperatorLink);
  return { stop, replaceAll: supervisor.replaceAll };
}

export const printOperatorLink = (link: string): void =>
  console.log(`There is no operator yet. Open this link to become the operator; it works once:\n${link}`);

/** As many processes for requests as configured. Jobs run in a separate process, so that they do not delay redirects. */
function tasksOf({ role, workers }: Config, given: Pick<Task, 'databaseUrl' | 'secretKey'>): readonly Task[] {
  const shared = role === 'jobs' ? 'jobs' : 'web';
  const sharing = Array.from({ length: workers }, (_none, index): Task => {
    return { ...given, name: `${shared} ${index + 1}`, role: shared, listensApart: false, welcomes: index === 0 };
  });
  return role === 'all' ? [...sharing, { ...given, name: 'jobs', role: 'jobs', listensApart: true, welcomes: false }] : sharing;
}

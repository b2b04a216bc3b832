import type { Config } from './platform/config.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import type { Log } from './platform/log.ts';
import type { Task } from './platform/processes/messages.ts';
import { supervise } from './platform/processes/supervise.ts';
import { keyOf } from './platform/secrets.ts';

export type FamilyOf = { readonly stop: () => Promise<void>; readonly replaceAll: () => Promise<void> };

/* oxlint-disable no-console -- It speaks to a terminal. */
/**
 * Several processes of one machine: this one owns the embedded database, holds the port, and keeps the others running. Told to stop
 * while they start, it tells them at once; what has begun by then is stopped by who called.
 */
export async function startFamily(config: Config, log: Log, signal: AbortSignal): Promise<FamilyOf> {
  const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: (line) => log.info(line) }) : null;
  const secretKey = await keyOf(config);
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
    throw new Error('a process could not start, so none was; what it said stands above');
  }
  console.log(`Tributary is ready at ${serving[0]?.url}`);
  for (const { firstOperatorLink } of serving) if (firstOperatorLink !== null) welcome(firstOperatorLink);
  return { stop, replaceAll: supervisor.replaceAll };
}

export const welcome = (link: string): void =>
  console.log(`Nobody operates it yet. Open this link to become the operator; it works once:\n${link}`);

/** As many processes for requests as were asked for. The jobs have one of their own: a run of the night holds up no redirect. */
function tasksOf({ role, workers }: Config, given: Pick<Task, 'databaseUrl' | 'secretKey'>): readonly Task[] {
  const shared = role === 'jobs' ? 'jobs' : 'web';
  const sharing = Array.from({ length: workers }, (_none, index): Task => {
    return { ...given, name: `${shared} ${index + 1}`, role: shared, listensApart: false, welcomes: index === 0 };
  });
  return role === 'all' ? [...sharing, { ...given, name: 'jobs', role: 'jobs', listensApart: true, welcomes: false }] : sharing;
}

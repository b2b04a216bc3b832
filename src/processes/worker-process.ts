import type { ProcessMetrics, NamedMetrics, FromWorker, ShutdownOptions, Ready, Task, ToWorker } from './messages.ts';
import { endMsMax } from './supervise.ts';

/** What a worker process provides to its supervisor. */
export type WorkerHandle = {
  readonly ready: Ready;
  readonly metrics: () => Promise<ProcessMetrics>;
  /** Shuts the process down. */
  readonly shutDown: (how: ShutdownOptions) => Promise<void>;
};
export type SupervisorClient = { readonly collectMetrics: () => Promise<readonly NamedMetrics[]> };

/**
 * The lifecycle of a worker process: it receives its task, reports that it is ready, and shuts down on request. It ignores signals,
 * because the supervisor handles them; a terminal or a service manager sends them to all processes.
 */
export function runWorkerProcess(
  work: (task: Task, supervisor: SupervisorClient) => Promise<WorkerHandle>,
  explain: (error: unknown) => void,
): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
  const waiting = new Map<number, (all: readonly NamedMetrics[]) => void>();
  let requestCount = 0;
  let working: Promise<WorkerHandle> | null = null;

  const begin = async (task: Task): Promise<void> => {
    const collectAll = () =>
      new Promise<readonly NamedMetrics[]>((resolve) => {
        waiting.set((requestCount += 1), resolve);
        send({ say: 'ask all figures', asked: requestCount });
      });
    try {
      working = work(task, { collectMetrics: collectAll });
      send({ say: 'ready', ready: (await working).ready });
    } catch (error) {
      explain(error);
      process.exit(1);
    }
  };
  const leave = async (how: ShutdownOptions): Promise<void> => {
    setTimeout(() => process.exit(1), how.acceptingMs + how.restingMs + endMsMax).unref();
    await (await working)?.shutDown(how);
    process.exit(0);
  };
  process.on('message', (message: ToWorker) => {
    switch (message.say) {
      case 'begin':
        return void begin(message.task);
      case 'leave':
        return void leave(message.how);
      case 'tell figures':
        return void working?.then(async ({ metrics }) => send({ say: 'figures', asked: message.asked, figures: await metrics() }));
      case 'figures of all':
        waiting.get(message.asked)?.(message.all);
        return void waiting.delete(message.asked);
    }
  });
}

/** The supervisor may have ended; then this process ends soon as well. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

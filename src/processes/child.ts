import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessMetrics, NamedMetrics, FromWorker, ShutdownOptions, Ready, Task, ToWorker } from './messages.ts';

/** A worker process. */
export type Child = {
  readonly name: string;
  /** Null: it ended before it was ready, and has logged why. */
  readonly ready: Promise<Ready | null>;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  readonly shutDown: (how: ShutdownOptions) => void;
  readonly kill: () => void;
  readonly metrics: () => Promise<NamedMetrics>;
};

const metricsTimeoutMs = 1_000;

export function startChild(task: Task, collectAll: () => Promise<readonly NamedMetrics[]>): Child {
  const worker = cluster.fork();
  const isReady = Promise.withResolvers<Ready | null>();
  const waiting = new Map<number, (metrics: ProcessMetrics) => void>();
  let requestCount = 0;

  /** Nothing needs to be sent to a process that has ended. */
  const send = (message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signalName) => {
      isReady.resolve(null);
      resolve(signalName ? `it was ended by ${signalName}` : `it ended with code ${code}`);
    });
  });
  worker.on('error', () => {});
  worker.on('message', (message: FromWorker) => {
    if (message.say === 'ready') isReady.resolve(message.ready);
    else if (message.say === 'figures') waiting.get(message.asked)?.(message.figures);
    else void collectAll().then((all) => send({ say: 'figures of all', asked: message.asked, all }));
  });
  send({ say: 'begin', task });
  return {
    name: task.name,
    ready: isReady.promise,
    ended,
    shutDown: (how) => send({ say: 'leave', how }),
    kill: () => void worker.process.kill('SIGKILL'),
    async metrics() {
      const id = (requestCount += 1);
      const answered = new Promise<ProcessMetrics>((resolve) => waiting.set(id, resolve));
      send({ say: 'tell figures', asked: id });
      const reported = await Promise.race([answered, pause(metricsTimeoutMs, null)]);
      waiting.delete(id);
      return { process: task.name, figures: reported };
    },
  };
}

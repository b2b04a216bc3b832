import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figures, FiguresOf, FromWorker, HowToLeave, Ready, Task, ToWorker } from './messages.ts';

/** A process beneath ours. */
export type Child = {
  readonly name: string;
  /** Null: it ended before it was ready, and has said why by itself. */
  readonly ready: Promise<Ready | null>;
  /** Settles with how it ended. */
  readonly ended: Promise<string>;
  readonly leave: (how: HowToLeave) => void;
  readonly kill: () => void;
  readonly figures: () => Promise<FiguresOf>;
};

const figuresMs = 1_000;

export function startChild(task: Task, figuresOfAll: () => Promise<readonly FiguresOf[]>): Child {
  const worker = cluster.fork();
  const isReady = Promise.withResolvers<Ready | null>();
  const waiting = new Map<number, (figures: Figures) => void>();
  let asked = 0;

  /** To one that is gone already nothing need be said. */
  const say = (message: ToWorker): void => {
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
    else void figuresOfAll().then((all) => say({ say: 'figures of all', asked: message.asked, all }));
  });
  say({ say: 'begin', task });
  return {
    name: task.name,
    ready: isReady.promise,
    ended,
    leave: (how) => say({ say: 'leave', how }),
    kill: () => void worker.process.kill('SIGKILL'),
    async figures() {
      const id = (asked += 1);
      const told = new Promise<Figures>((resolve) => waiting.set(id, resolve));
      say({ say: 'tell figures', asked: id });
      const figures = await Promise.race([told, pause(figuresMs, null)]);
      waiting.delete(id);
      return { process: task.name, figures };
    },
  };
}

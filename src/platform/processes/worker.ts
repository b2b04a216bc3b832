import type { Figures, FiguresOf, FromWorker, HowToLeave, Ready, Task, ToWorker } from './messages.ts';
import { endMsMax } from './supervise.ts';

/** What a process does that has one above it. */
export type Work = {
  readonly ready: Ready;
  readonly figures: () => Promise<Figures>;
  /** Ends all of it. */
  readonly leave: (how: HowToLeave) => Promise<void>;
};
export type Family = { readonly figuresOfAll: () => Promise<readonly FiguresOf[]> };

/**
 * The life of such a process: it is told what to do, says when it serves, and goes when it is told to. Signals are for the one
 * above, which passes them on; a terminal or a service manager sends them to all at once.
 */
export function workForParent(work: (task: Task, family: Family) => Promise<Work>, explain: (error: unknown) => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
  const waiting = new Map<number, (all: readonly FiguresOf[]) => void>();
  let asked = 0;
  let working: Promise<Work> | null = null;

  const begin = async (task: Task): Promise<void> => {
    const figuresOfAll = () =>
      new Promise<readonly FiguresOf[]>((resolve) => {
        waiting.set((asked += 1), resolve);
        say({ say: 'ask all figures', asked });
      });
    try {
      working = work(task, { figuresOfAll });
      say({ say: 'ready', ready: (await working).ready });
    } catch (error) {
      explain(error);
      process.exit(1);
    }
  };
  const leave = async (how: HowToLeave): Promise<void> => {
    setTimeout(() => process.exit(1), how.acceptingMs + how.restingMs + endMsMax).unref();
    await (await working)?.leave(how);
    process.exit(0);
  };
  process.on('message', (message: ToWorker) => {
    switch (message.say) {
      case 'begin':
        return void begin(message.task);
      case 'leave':
        return void leave(message.how);
      case 'tell figures':
        return void working?.then(async ({ figures }) => say({ say: 'figures', asked: message.asked, figures: await figures() }));
      case 'figures of all':
        waiting.get(message.asked)?.(message.all);
        return void waiting.delete(message.asked);
    }
  });
}

/** The one above may be gone; then so are we in a moment. */
function say(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

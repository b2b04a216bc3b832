import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { startChild, type Child } from './child.ts';
import type { ShutdownOptions, Ready, Task } from './messages.ts';

/** Keeps one worker process running for each task. */
export type Supervisor = {
  /** Null if a process could not start; the others are then stopped. */
  readonly start: () => Promise<readonly Ready[] | null>;
  /** Replaces the workers one by one, each after its replacement serves, without downtime. */
  readonly replaceAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A process that ran this long was stable; otherwise the pause before the next restart grows. */
const stableMs = 10_000;
const pauseMsFirst = 100;
const pauseMsMax = 10_000;
const startMsMax = 120_000;
/** How long an idle keep-alive connection may still carry one last request. */
const restingMs = 5_000;
/** How long a process may take to end after it stopped accepting requests; then it is killed. */
export const endMsMax = 30_000;
const killAfterMs = endMsMax + 5_000;

export const nextPauseMs = (pauseMs: number, livedMs: number): number =>
  livedMs > stableMs ? 0 : Math.min(pauseMsMax, Math.max(pauseMsFirst, pauseMs * 2));

type WorkerSlot = { readonly task: Task; child: Child };
type Options = { readonly tasks: readonly Task[]; readonly log: Log; readonly drainMs: number };
/** What restarting and replacing workers have in common. */
type SupervisorContext = { readonly startWorker: (task: Task) => Child; readonly log: Log; readonly stopping: AbortSignal };

export function supervise({ tasks, log, drainMs }: Options): Supervisor {
  const stopping = new AbortController();
  const alive = new Set<Child>();
  const slots: WorkerSlot[] = [];
  let replacing: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;

  const startWorker = (task: Task): Child => {
    const child = startChild(task, () => Promise.all(slots.map((slot) => slot.child.metrics())));
    alive.add(child);
    void child.ended.then(() => alive.delete(child));
    return child;
  };
  const context: SupervisorContext = { startWorker, log, stopping: stopping.signal };
  const startWorkers = (some: readonly Task[]): Promise<ReadonlyArray<Ready | null>> => {
    const started = some.map((task): WorkerSlot => ({ task, child: startWorker(task) }));
    slots.push(...started);
    return Promise.all(started.map(({ child }) => child.ready));
  };
  async function replaceEach(): Promise<void> {
    for (const slot of slots) if (stopping.signal.aborted || !(await replace(slot, context))) return;
  }
  async function stopAll(): Promise<void> {
    stopping.abort();
    await Promise.all([...alive].map((child) => shutDownChild(child, { isAnnounced: true, acceptingMs: drainMs, restingMs: 0 })));
  }
  const stop = (): Promise<void> => (stopped ??= stopAll());
  return {
    async start() {
      // The first worker starts alone: it applies migrations and reports configuration errors once.
      const ready = [...(await startWorkers(tasks.slice(0, 1)))];
      if (ready[0] && !stopping.signal.aborted) ready.push(...(await startWorkers(tasks.slice(1))));
      const serving = ready.flatMap((one) => (one ? [one] : []));
      if (serving.length < tasks.length) {
        await stop();
        return null;
      }
      for (const slot of slots) void keepRunning(slot, context);
      return serving;
    },
    replaceAll: () => (replacing = replacing.then(replaceEach)),
    stop,
  };
}

async function keepRunning(slot: WorkerSlot, { startWorker, log, stopping }: SupervisorContext): Promise<void> {
  let pauseMs = 0;
  let since = performance.now();
  while (!stopping.aborted) {
    const { child } = slot;
    const how = await child.ended;
    // The worker was replaced and shut down on purpose.
    if (slot.child !== child) continue;
    if (stopping.aborted) return;
    pauseMs = nextPauseMs(pauseMs, performance.now() - since);
    log.error({ process: child.name, how, pauseMs }, 'a process has ended and is restarted');
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    if (slot.child === child) slot.child = startWorker({ ...slot.task, welcomes: false });
    since = performance.now();
  }
}

/** False: the new process did not become ready, and the old one stays. */
async function replace(slot: WorkerSlot, { startWorker, log, stopping }: SupervisorContext): Promise<boolean> {
  const next = startWorker({ ...slot.task, welcomes: false });
  const ready = await within(startMsMax, next.ready);
  if (stopping.aborted) return false;
  if (ready === null) {
    next.kill();
    log.error({ process: next.name }, 'the new process did not become ready; the old one keeps running, and no other is replaced');
    return false;
  }
  const before = slot.child;
  slot.child = next;
  await shutDownChild(before, { isAnnounced: false, acceptingMs: 0, restingMs });
  log.info({ process: next.name }, 'replaced');
  return true;
}

/** Shuts a worker down, and kills it if it does not end. */
async function shutDownChild(child: Child, how: ShutdownOptions): Promise<void> {
  child.shutDown(how);
  if ((await within(how.acceptingMs + how.restingMs + killAfterMs, child.ended)) !== null) return;
  child.kill();
  await child.ended;
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | null> {
  const waiting = new AbortController();
  const late = pause(ms, null, { signal: waiting.signal }).catch(() => null);
  const result = await Promise.race([value, late]);
  waiting.abort();
  return result;
}

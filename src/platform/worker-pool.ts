import { Worker, type Transferable } from 'node:worker_threads';

/** How a task in a thread of its own ended. Input of strangers may stop it; that is an outcome, not an error. */
export type WorkerEnd<Value> =
  | { readonly is: 'done'; readonly value: Value }
  /** It took too long, needed too much memory, threw, found no place in the queue, or the service stops. */
  | { readonly is: 'stopped'; readonly why: 'time' | 'memory' | 'error' | 'busy' | 'closed' };

export type WorkerTask = {
  /** The module that does the work: it reads `workerData` and posts one message. */
  readonly entry: URL;
  readonly data: unknown;
  readonly transfer?: readonly Transferable[];
};

export type WorkerPool<Value> = {
  readonly run: (task: WorkerTask) => Promise<WorkerEnd<Value>>;
  /** Ends every thread that still works; each of their tasks ends as `closed`. */
  readonly close: () => Promise<void>;
};

export type WorkerLimits = {
  readonly atOnce: number;
  /** More than so many that wait are refused. */
  readonly waitingMax: number;
  /** For one task, from its start. */
  readonly timeoutMs: number;
  readonly heapMb: number;
};

const youngHeapMb = 16;
const stackMb = 4;

/**
 * Work on the input of strangers, away from the thread that answers requests. Each task has a thread of its own, which ends with it:
 * nothing of one input is there when the next comes, and a thread that is stopped leaves nothing half done. It gets no environment, so no
 * secret. `Value` is what its module posts.
 */
export function openWorkerPool<Value>({ atOnce, waitingMax, timeoutMs, heapMb }: WorkerLimits): WorkerPool<Value> {
  const running = new Set<(end: WorkerEnd<Value>) => Promise<void>>();
  const waiting: Array<{ readonly start: () => void; readonly refuse: (end: WorkerEnd<Value>) => void }> = [];
  let isClosed = false;

  const start = (task: WorkerTask, resolve: (end: WorkerEnd<Value>) => void): void => {
    const worker = new Worker(task.entry, {
      workerData: task.data,
      transferList: [...(task.transfer ?? [])],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb, stackSizeMb: stackMb },
    });
    let isOver = false;
    const finish = async (end: WorkerEnd<Value>): Promise<void> => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      await worker.terminate();
      running.delete(finish);
      resolve(end);
      waiting.shift()?.start();
    };
    const timer = setTimeout(() => void finish({ is: 'stopped', why: 'time' }), timeoutMs);
    running.add(finish);
    worker.once('message', (value: Value) => void finish({ is: 'done', value }));
    worker.once('error', (error) => void finish({ is: 'stopped', why: isOutOfMemory(error) ? 'memory' : 'error' }));
    worker.once('exit', () => void finish({ is: 'stopped', why: 'error' }));
  };

  return {
    run: (task) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ is: 'stopped', why: 'closed' });
        if (running.size < atOnce) return start(task, resolve);
        if (waiting.length >= waitingMax) return resolve({ is: 'stopped', why: 'busy' });
        waiting.push({ start: () => start(task, resolve), refuse: resolve });
      }),
    async close() {
      isClosed = true;
      for (const { refuse } of waiting.splice(0)) refuse({ is: 'stopped', why: 'closed' });
      await Promise.all([...running].map((finish) => finish({ is: 'stopped', why: 'closed' })));
    },
  };
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

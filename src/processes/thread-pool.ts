import { Worker, type Transferable } from 'node:worker_threads';

/** How a task in a worker thread ended. Untrusted input may stop a task, so that is a result, not an error. */
export type ThreadResult<Value> =
  | { readonly is: 'done'; readonly value: Value }
  /** The task took too long, needed too much memory, threw, was rejected by a full queue, or the pool was closed. */
  | { readonly is: 'stopped'; readonly why: 'time' | 'memory' | 'error' | 'busy' | 'closed' };

export type ThreadTask = {
  /** The module that does the work: it reads `workerData` and posts one message. */
  readonly entry: URL;
  readonly data: unknown;
  readonly transfer?: readonly Transferable[];
};

export type ThreadPool<Value> = {
  readonly run: (task: ThreadTask) => Promise<ThreadResult<Value>>;
  /** Terminates all threads; their tasks end as `closed`. */
  readonly close: () => Promise<void>;
};

export type ThreadPoolLimits = {
  readonly atOnce: number;
  /** More waiting tasks are rejected. */
  readonly waitingMax: number;
  /** For one task, from its start. */
  readonly timeoutMs: number;
  readonly heapMb: number;
};

const youngHeapMb = 16;
const stackMb = 4;

/**
 * Processes untrusted input outside the thread that answers requests. Each task has a new thread that ends with it, so no input
 * affects the next, and terminating a thread leaves no partial state. A thread gets no environment, so no secrets. `Value` is what
 * the module posts.
 */
export function createThreadPool<Value>({ atOnce, waitingMax, timeoutMs, heapMb }: ThreadPoolLimits): ThreadPool<Value> {
  const running = new Set<(end: ThreadResult<Value>) => Promise<void>>();
  const waiting: Array<{ readonly start: () => void; readonly refuse: (end: ThreadResult<Value>) => void }> = [];
  let isClosed = false;

  const start = (task: ThreadTask, resolve: (end: ThreadResult<Value>) => void): void => {
    const worker = new Worker(task.entry, {
      workerData: task.data,
      transferList: [...(task.transfer ?? [])],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb, stackSizeMb: stackMb },
    });
    let isOver = false;
    const finish = async (end: ThreadResult<Value>): Promise<void> => {
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

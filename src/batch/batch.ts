import { runWithRetries, lostPauseMs, type AttemptResult, type RunBatch, type AttemptHandlers, type AttemptReport } from './attempts.ts';
import { createQueue, type QueueEntry, type QueueStats } from './queue.ts';
import { invariant } from '../core/invariant.ts';
import { createDeadline } from '../core/deadline.ts';

export type BatchOptions<Item, Answer> = {
  /** Concurrent transactions, each on its own connection. */
  readonly lanes: number;
  /** Additional lanes for items that are retried alone because of a locked row; each may hold a connection for a second. */
  readonly lanesAlone: number;
  /** Items in one transaction. */
  readonly sizeMax: number;
  /** By default, an item starts as soon as a lane is free. */
  readonly collecting?: Collecting;
  /** By default, an item that waited for a transaction starts when that transaction ends. */
  readonly returning?: Returning;
  /** The maximum number of waiting items, over all groups. */
  readonly waitingMax: number;
  /** The time for queueing, attempts and commit together. */
  readonly deadlineMs: number;
  /** The unit of fairness: the store. This and `keysOf` run inside `put`, which throws what they throw. */
  readonly groupOf: (item: Item) => string;
  /** Items with a common key never run at the same time. */
  readonly keysOf: (item: Item) => readonly string[];
  /**
   * The keys whose outcome this answer makes final: later items with such a key only read it, so they no longer run one by one.
   * (200 copies of one order took 200 transactions of 20 to 40 ms each on a loaded machine, longer than the deadline.)
   */
  readonly settledKeys?: (item: Item, answer: Answer) => readonly string[];
  readonly runBatch: RunBatch<Item, Answer>;
  /** The pause after a lost connection; the default is in `attempts.ts`. */
  readonly lostPauseMs?: number;
  /** Called after every attempt, for logs and metrics. */
  readonly onAttempt: (report: AttemptReport<Item>) => void;
};

/**
 * A transaction starts beside a running one only with this many items, or this long after the last start: few large transactions cost
 * less CPU than many small ones, and the time keeps one that waits for the database from holding up the others.
 */
type Collecting = { readonly itemsMin: number; readonly msMax: number };

/**
 * Clients that were just answered often send their next request. After a transaction of several items, the next one waits until as many
 * are ready, for this share of the time that the transaction took and for at most this long. Otherwise the clients split into two
 * halves, whose transactions alternate.
 */
type Returning = { readonly share: number; readonly msMax: number };

export type BatchResult<Answer> = AttemptResult<Answer> | { readonly is: 'overloaded' } | { readonly is: 'closed' };

export type Batch<Item, Answer> = {
  /** Resolves by the deadline and never rejects. */
  readonly put: (item: Item) => Promise<BatchResult<Answer>>;
  /** The same for frequent callers, without the cost of a promise; `onResult` must not throw. */
  readonly putWithCallback: (item: Item, tell: (end: BatchResult<Answer>) => void) => void;
  /** Rejects new items; resolves when all items are finished, at the latest after `deadlineMs`. */
  readonly close: () => Promise<void>;
  readonly stats: () => QueueStats & { readonly unanswered: number };
};

/**
 * Items that arrive while the last transactions commit form the next batch. If a lane is free and `returning` requires no wait, an item
 * waits only for the items of the same event loop turn; a batch of one uses the same code.
 */
export function createBatch<Item, Answer>(options: BatchOptions<Item, Answer>): Batch<Item, Answer> {
  const { deadlineMs, groupOf, keysOf, lanes, lanesAlone, sizeMax, waitingMax, lostPauseMs: pauseMs = lostPauseMs } = options;
  for (const limit of [deadlineMs, lanes, lanesAlone, sizeMax, waitingMax]) invariant(limit >= 1, 'every limit of a batch is at least 1');

  type Pending = PendingItem<Item, BatchResult<Answer>>;
  const queue = createQueue<Pending>({ waitingMax });
  const deadlines = createDeadline<Pending>(expire);
  const onAttempt = withWarnings<Pending>((one) => options.onAttempt({ ...one, items: one.items.map(itemOf) }));
  const runBatch: RunBatch<Pending, Answer> = (pendingItems, attempt) => options.runBatch(pendingItems.map(itemOf), attempt);
  const handlers: AttemptHandlers<Pending, Answer> = { runBatch, finish, retryAlone, onAttempt, lostPauseMs: pauseMs };
  const laneGroups = [
    newLaneGroup(lanes, { waitsForLocks: false, take: () => queue.take(sizeMax), waitMs: waitToCollect(options, queue.readyCount) }),
    newLaneGroup(lanesAlone, { waitsForLocks: true, take: queue.takeAlone, waitMs: () => 0 }),
  ];
  const { planStart } = createLanes<Pending>(laneGroups, carry);
  const closing = createCloser({ isEmpty: queue.isEmpty, boundMs: deadlineMs, atBound: deadlines.expireAll });

  async function carry(entries: Entries<Pending>, waitsForLocks: boolean): Promise<void> {
    try {
      await runWithRetries(entries, waitsForLocks, handlers);
    } catch (error) {
      // Only a bug of this mechanism gets here. It must be reported, and every item must be answered.
      onAttempt({ items: entries.map(itemOf), tookMs: 0, failure: 'unavailable', error });
      for (const entry of entries) finish(entry, { is: 'unavailable', why: 'unavailable' });
    }
  }
  /** The first result counts; later ones are discarded. */
  function answer(pending: Pending, end: BatchResult<Answer>): void {
    if (deadlines.remove(pending)) pending.onResult(end);
  }
  function finish(entry: QueueEntry<Pending>, end: AttemptResult<Answer>): void {
    answer(entry.item, end);
    queue.remove(entry, end.is === 'answered' ? options.settledKeys?.(entry.item.item, end.answer) : undefined);
    planStart();
    closing.endIfEmpty();
  }
  function retryAlone(entry: QueueEntry<Pending>): void {
    if (!entry.item.isWaiting) return finish(entry, deadlineResult);
    queue.retryAlone(entry);
    planStart();
  }
  /** Answers by the deadline; a running item keeps its keys until its transaction has ended. */
  function expire(pending: Pending): void {
    pending.onResult(deadlineResult);
    if (pending.entry !== null && pending.entry.state !== 'running') finish(pending.entry, deadlineResult);
  }
  function enter(item: Item, tell: (end: BatchResult<Answer>) => void): void {
    if (closing.hasStarted()) return tell({ is: 'closed' });
    const until = performance.now() + deadlineMs;
    const pending: Pending = { item, onResult: tell, until, entry: null, isWaiting: false, before: null, after: null };
    const { entry, refused } = queue.add({ item: pending, group: groupOf(item), keys: keysOf(item), deadlineAt: until });
    pending.entry = entry;
    deadlines.add(pending);
    if (refused) answer(refused.item, { is: 'overloaded' });
    planStart();
  }

  const stats = () => ({ ...queue.stats(), unanswered: deadlines.size() });
  return { putWithCallback: enter, put: promised(enter), close: closing.begin, stats };
}

function promised<Item, End>(enter: (item: Item, tell: (end: End) => void) => void): (item: Item) => Promise<End> {
  return (item) => {
    const { promise, resolve } = Promise.withResolvers<End>();
    enter(item, resolve);
    return promise;
  };
}

/** An item with its callback, its queue entry, and its position in the deadline queue (`deadline.ts`). */
type PendingItem<Item, End> = {
  readonly item: Item;
  readonly onResult: (end: End) => void;
  entry: QueueEntry<PendingItem<Item, End>> | null;
  readonly until: number;
  isWaiting: boolean;
  before: PendingItem<Item, End> | null;
  after: PendingItem<Item, End> | null;
};

const itemOf = <Item>({ item }: { readonly item: Item }): Item => item;

type Entries<Item> = ReadonlyArray<QueueEntry<Item>>;
const deadlineResult = { is: 'unavailable', why: 'deadline' } as const;

/** Resolves when the queue is empty or the time is up: a hanging transaction must not keep the process alive. */
function createCloser(of: { readonly isEmpty: () => boolean; readonly boundMs: number; readonly atBound: () => void }) {
  let ended: Promise<void> | null = null;
  let end = () => {};

  const started = () =>
    new Promise<void>((resolve) => {
      const bound = setTimeout(() => {
        of.atBound();
        end();
      }, of.boundMs);
      end = () => {
        clearTimeout(bound);
        resolve();
      };
      if (of.isEmpty()) end();
    });
  return {
    hasStarted: () => ended !== null,
    begin: (): Promise<void> => (ended ??= started()),
    endIfEmpty(): void {
      if (ended && of.isEmpty()) end();
    },
  };
}

type LaneState = {
  readonly lanes: number;
  freeLanes: number;
  startedAt: number;
  /** The transaction that ended last. */
  ended: { readonly at: number; readonly items: number; readonly tookMs: number };
};

type LaneGroup<Item> = LaneState & {
  readonly waitsForLocks: boolean;
  readonly take: () => Entries<Item>;
  /** How long the next transaction still has to wait. */
  readonly waitMs: (state: LaneState, now: number) => number;
};

const newLaneGroup = <Item>(lanes: number, of: Pick<LaneGroup<Item>, 'waitsForLocks' | 'take' | 'waitMs'>): LaneGroup<Item> => ({
  ...of,
  lanes,
  freeLanes: lanes,
  startedAt: -Infinity,
  ended: { at: -Infinity, items: 0, tookMs: 0 },
});

type Waits = { readonly collecting?: Collecting; readonly returning?: Returning };

function waitToCollect({ collecting, returning }: Waits, readyCount: () => number): (state: LaneState, now: number) => number {
  return ({ lanes, freeLanes, startedAt, ended }, now) => {
    const ready = readyCount();
    if (ready === 0) return 0;
    if (freeLanes < lanes) {
      if (collecting === undefined || ready >= collecting.itemsMin) return 0;
      return Math.max(0, startedAt + collecting.msMax - now);
    }
    if (returning === undefined || ended.items <= 1 || ready >= ended.items) return 0;
    return Math.max(0, ended.at + Math.min(returning.msMax, ended.tookMs * returning.share) - now);
  };
}

/** A timer cannot be set more exactly. */
const timerMsMin = 1;

/** Starts batches while a lane is free. */
function createLanes<Item>(
  laneGroups: ReadonlyArray<LaneGroup<Item>>,
  carry: (entries: Entries<Item>, waitsForLocks: boolean) => Promise<void>,
) {
  let isPlanned = false;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  /**
   * Starts after this turn of the event loop, so that all items of the turn share a batch. Refilling a lane within the turn in
   * which it became free was measured through an HTTP server: no faster.
   */
  function planStart(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      for (const laneGroup of laneGroups) start(laneGroup);
    });
  }
  function start(laneGroup: LaneGroup<Item>): void {
    while (laneGroup.freeLanes > 0) {
      const now = performance.now();
      const waitMs = laneGroup.waitMs(laneGroup, now);
      if (waitMs > 0) return planStartAfter(waitMs);
      const entries = laneGroup.take();
      if (entries.length === 0) return;
      laneGroup.startedAt = now;
      laneGroup.freeLanes -= 1;
      void run(laneGroup, entries);
    }
  }
  /** Mostly a lane becomes free before. A shorter wait replaces a longer one. */
  function planStartAfter(waitMs: number): void {
    const at = performance.now() + waitMs;
    if (at > timerAt - timerMsMin) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Infinity;
      planStart();
    }, waitMs);
  }
  async function run(laneGroup: LaneGroup<Item>, entries: Entries<Item>): Promise<void> {
    const startedAt = performance.now();
    await carry(entries, laneGroup.waitsForLocks);
    const at = performance.now();
    laneGroup.ended = { at, items: entries.length, tookMs: at - startedAt };
    laneGroup.freeLanes += 1;
    planStart();
  }
  return { planStart };
}

/** A metric that cannot be recorded must not cost an item its answer. */
function withWarnings<Item>(listener: (report: AttemptReport<Item>) => void): (report: AttemptReport<Item>) => void {
  return (report) => {
    try {
      listener(report);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };
}

import { carryThrough, lostPauseMs, type AttemptEnd, type CarryOut, type Hands, type Tried } from './batch-attempts.ts';
import { createQueue, type Place, type QueueFigures } from './batch-queue.ts';
import { must } from './must.ts';

export type BatchOptions<Item, Answer> = {
  /** Transactions under way at once, each with a connection of its own. */
  readonly lanes: number;
  /** Beside them, items tried alone because their row was taken: each may hold a connection for a second. */
  readonly lanesAlone: number;
  /** Items in one transaction. */
  readonly sizeMax: number;
  /** Items that wait, in all groups together. */
  readonly waitingMax: number;
  /** For queue, tries and commit together. */
  readonly deadlineMs: number;
  /** Among whom batches are divided fairly: the store. This and `keysOf` run inside of `put`, and what they throw it throws. */
  readonly groupOf: (item: Item) => string;
  /** Whether no transaction may have items of two groups: on a distributed database they may stand on two machines. */
  readonly apart?: (() => boolean) | undefined;
  /** What no two items may touch at once. */
  readonly keysOf: (item: Item) => readonly string[];
  /**
   * The keys on which an answer is final: what comes after it can only read what was decided, so it need not wait in line
   * for its turn. (200 copies of one order took 200 transactions, 20 to 40 ms each on a loaded machine: more than the deadline.)
   */
  readonly settles?: (item: Item, answer: Answer) => readonly string[];
  readonly carryOut: CarryOut<Item, Answer>;
  /** Before a lost connection is followed by another: as in `batch-attempts.ts` where it is left out. */
  readonly lostPauseMs?: number;
  /** Hears of every attempt, for logs and metrics. */
  readonly tried: (tried: Tried<Item>) => void;
};

export type BatchEnd<Answer> = AttemptEnd<Answer> | { readonly is: 'overloaded' } | { readonly is: 'closed' };

export type Batch<Item, Answer> = {
  /** Has its end by the deadline at the latest, and never rejects. */
  readonly put: (item: Item) => Promise<BatchEnd<Answer>>;
  /** Takes no more; ends when all that was put is through, after `deadlineMs` at the latest. */
  readonly close: () => Promise<void>;
  readonly figures: () => QueueFigures & { readonly unanswered: number };
};

/**
 * Items that arrive while the last transactions commit form the next batch. An item that finds a free lane does not
 * wait for company, only for what arrives in the same turn of the event loop: a batch of one is the same code.
 */
export function createBatch<Item, Answer>(options: BatchOptions<Item, Answer>): Batch<Item, Answer> {
  const { carryOut, deadlineMs, groupOf, keysOf, lanes, lanesAlone, sizeMax, waitingMax } = options;
  for (const limit of [deadlineMs, lanes, lanesAlone, sizeMax, waitingMax]) must(limit >= 1, 'every limit of a batch is at least 1');

  const queue = createQueue<Item>({ waitingMax });
  const awaited = createAwaited<Item, BatchEnd<Answer>>(expire);
  const tried = heardSafely(options.tried);
  const hands: Hands<Item, Answer> = { carryOut, finish, waitAlone, tried, lostPauseMs: options.lostPauseMs ?? lostPauseMs };
  const ways = [
    { freeLanes: lanes, waitsForLocks: false, take: () => queue.take(sizeMax, options.apart?.()) },
    { freeLanes: lanesAlone, waitsForLocks: true, take: queue.takeAlone },
  ];
  const { planStart } = createLanes<Item>(ways, carry);
  const closing = createClosing({ isEmpty: queue.isEmpty, boundMs: deadlineMs, atBound: awaited.expireAll });

  async function carry(places: Places<Item>, waitsForLocks: boolean): Promise<void> {
    try {
      await carryThrough(places, waitsForLocks, hands);
    } catch (error) {
      // Only a mistake of this mechanism comes here. It must be heard, and nobody may be left waiting.
      tried({ items: places.map(({ item }) => item), tookMs: 0, failure: 'unavailable', error });
      for (const place of places) finish(place, { is: 'unavailable', why: 'unavailable' });
    }
  }
  function finish(place: Place<Item>, end: BatchEnd<Answer>): void {
    awaited.answer(place, end);
    queue.leave(place, end.is === 'answered' ? options.settles?.(place.item, end.answer) : []);
    planStart();
    closing.lookAgain();
  }
  function waitAlone(place: Place<Item>): void {
    if (!awaited.has(place)) return finish(place, timeIsUp);
    queue.waitAlone(place);
    planStart();
  }
  /** The answer goes out in time; what is under way keeps its keys until its transaction has ended. */
  function expire(place: Place<Item>): void {
    if (place.state === 'under way') awaited.answer(place, timeIsUp);
    else finish(place, timeIsUp);
  }

  return {
    put(item) {
      if (closing.hasBegun()) return Promise.resolve({ is: 'closed' });
      const { place, refused } = queue.join({ item, group: groupOf(item), keys: keysOf(item), deadlineAt: performance.now() + deadlineMs });
      const end = awaited.add(place);
      if (refused) awaited.answer(refused, { is: 'overloaded' });
      planStart();
      return end;
    },
    close: closing.begin,
    figures: () => ({ ...queue.figures(), unanswered: awaited.size() }),
  };
}

type Places<Item> = ReadonlyArray<Place<Item>>;
const timeIsUp = { is: 'unavailable', why: 'deadline' } as const;

/** Who waits for an answer, the earliest deadline first because all are given the same time. One timer watches the first. */
function createAwaited<Item, End>(expire: (place: Place<Item>) => void) {
  const resolves = new Map<Place<Item>, (end: End) => void>();
  let timer: NodeJS.Timeout | undefined;

  function watch(deadlineAt: number, now: number): void {
    // Rounded up, and not trusted: a timer may fire a little early.
    timer = setTimeout(() => expireUntil(performance.now()), Math.max(1, Math.ceil(deadlineAt - now)));
  }
  function expireUntil(now: number): void {
    clearTimeout(timer);
    timer = undefined;
    for (const place of resolves.keys()) {
      if (place.deadlineAt > now) return watch(place.deadlineAt, now);
      expire(place);
    }
  }
  return {
    add(place: Place<Item>): Promise<End> {
      if (timer === undefined) watch(place.deadlineAt, performance.now());
      return new Promise((resolve) => resolves.set(place, resolve));
    },
    size: () => resolves.size,
    has: (place: Place<Item>): boolean => resolves.has(place),
    /** The first answer counts; later ones come too late. */
    answer(place: Place<Item>, end: End): void {
      const resolve = resolves.get(place);
      if (!resolve) return;
      resolves.delete(place);
      resolve(end);
      if (resolves.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
    },
    expireAll: () => expireUntil(Infinity),
  };
}

/** Ends when nobody is left, or when the time for that is up: a transaction that hangs must not keep the process. */
function createClosing(of: { readonly isEmpty: () => boolean; readonly boundMs: number; readonly atBound: () => void }) {
  let ended: Promise<void> | null = null;
  let end = () => {};

  const begun = () =>
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
    hasBegun: () => ended !== null,
    begin: (): Promise<void> => (ended ??= begun()),
    lookAgain(): void {
      if (ended && of.isEmpty()) end();
    },
  };
}

type Way<Item> = { freeLanes: number; readonly waitsForLocks: boolean; readonly take: () => Places<Item> };

/** Starts what may start while a lane is free. */
function createLanes<Item>(ways: ReadonlyArray<Way<Item>>, carry: (places: Places<Item>, waitsForLocks: boolean) => Promise<void>) {
  let isPlanned = false;

  /**
   * After this turn of the event loop, so that all who arrived in it share a batch. To refill a lane within the turn in
   * which it got free was measured through an HTTP server: no faster.
   */
  function planStart(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      for (const way of ways) start(way);
    });
  }
  function start(way: Way<Item>): void {
    while (way.freeLanes > 0) {
      const places = way.take();
      if (places.length === 0) return;
      way.freeLanes -= 1;
      void run(way, places);
    }
  }
  async function run(way: Way<Item>, places: Places<Item>): Promise<void> {
    await carry(places, way.waitsForLocks);
    way.freeLanes += 1;
    planStart();
  }
  return { planStart };
}

/** A figure that cannot be counted must not cost anybody an answer. */
function heardSafely<Item>(hear: (tried: Tried<Item>) => void): (tried: Tried<Item>) => void {
  return (tried) => {
    try {
      hear(tried);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };
}

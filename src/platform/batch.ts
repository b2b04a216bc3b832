import { carryThrough, lostPauseMs, type AttemptEnd, type CarryOut, type Hands, type Tried } from './batch-attempts.ts';
import { createQueue, type Place, type QueueFigures } from './batch-queue.ts';
import { must } from './must.ts';
import { createPatience } from './patience.ts';

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
  /** The same for who comes so often that a promise counts; `tell` must not throw. */
  readonly enter: (item: Item, tell: (end: BatchEnd<Answer>) => void) => void;
  /** Takes no more; ends when all that was put is through, after `deadlineMs` at the latest. */
  readonly close: () => Promise<void>;
  readonly figures: () => QueueFigures & { readonly unanswered: number };
};

/**
 * Items that arrive while the last transactions commit form the next batch. An item that finds a free lane does not
 * wait for company, only for what arrives in the same turn of the event loop: a batch of one is the same code.
 */
export function createBatch<Item, Answer>(options: BatchOptions<Item, Answer>): Batch<Item, Answer> {
  const { deadlineMs, groupOf, keysOf, lanes, lanesAlone, sizeMax, waitingMax } = options;
  for (const limit of [deadlineMs, lanes, lanesAlone, sizeMax, waitingMax]) must(limit >= 1, 'every limit of a batch is at least 1');

  type Asker = Asked<Item, BatchEnd<Answer>>;
  const queue = createQueue<Asker>({ waitingMax });
  const patience = createPatience<Asker>(expire);
  const tried = heardSafely<Asker>((one) => options.tried({ ...one, items: one.items.map(itemOf) }));
  const carryOut: CarryOut<Asker, Answer> = (askers, attempt) => options.carryOut(askers.map(itemOf), attempt);
  const hands: Hands<Asker, Answer> = { carryOut, finish, waitAlone, tried, lostPauseMs: options.lostPauseMs ?? lostPauseMs };
  const ways = [
    { freeLanes: lanes, waitsForLocks: false, take: () => queue.take(sizeMax, options.apart?.()) },
    { freeLanes: lanesAlone, waitsForLocks: true, take: queue.takeAlone },
  ];
  const { planStart } = createLanes<Asker>(ways, carry);
  const closing = createClosing({ isEmpty: queue.isEmpty, boundMs: deadlineMs, atBound: patience.endAll });

  async function carry(places: Places<Asker>, waitsForLocks: boolean): Promise<void> {
    try {
      await carryThrough(places, waitsForLocks, hands);
    } catch (error) {
      // Only a mistake of this mechanism comes here. It must be heard, and nobody may be left waiting.
      tried({ items: places.map(itemOf), tookMs: 0, failure: 'unavailable', error });
      for (const place of places) finish(place, { is: 'unavailable', why: 'unavailable' });
    }
  }
  /** The first answer counts; later ones come too late. */
  function answer(asker: Asker, end: BatchEnd<Answer>): void {
    if (patience.leave(asker)) asker.tell(end);
  }
  function finish(place: Place<Asker>, end: AttemptEnd<Answer>): void {
    answer(place.item, end);
    queue.leave(place, end.is === 'answered' ? options.settles?.(place.item.item, end.answer) : undefined);
    planStart();
    closing.lookAgain();
  }
  function waitAlone(place: Place<Asker>): void {
    if (!place.item.isWaiting) return finish(place, timeIsUp);
    queue.waitAlone(place);
    planStart();
  }
  /** The answer goes out in time; what is under way keeps its keys until its transaction has ended. */
  function expire(asker: Asker): void {
    asker.tell(timeIsUp);
    if (asker.place !== null && asker.place.state !== 'under way') finish(asker.place, timeIsUp);
  }
  function enter(item: Item, tell: (end: BatchEnd<Answer>) => void): void {
    if (closing.hasBegun()) return tell({ is: 'closed' });
    const until = performance.now() + deadlineMs;
    const asker: Asker = { item, tell, until, place: null, isWaiting: false, before: null, after: null };
    const { place, refused } = queue.join({ item: asker, group: groupOf(item), keys: keysOf(item), deadlineAt: until });
    asker.place = place;
    patience.add(asker);
    if (refused) answer(refused.item, { is: 'overloaded' });
    planStart();
  }

  const figures = () => ({ ...queue.figures(), unanswered: patience.size() });
  return { enter, put: promised(enter), close: closing.begin, figures };
}

function promised<Item, End>(enter: (item: Item, tell: (end: End) => void) => void): (item: Item) => Promise<End> {
  return (item) => {
    const { promise, resolve } = Promise.withResolvers<End>();
    enter(item, resolve);
    return promise;
  };
}

/** Who asked for what, whom to tell, its place in the queue, and how long it waits, as `patience.ts` has it. */
type Asked<Item, End> = {
  readonly item: Item;
  readonly tell: (end: End) => void;
  place: Place<Asked<Item, End>> | null;
  readonly until: number;
  isWaiting: boolean;
  before: Asked<Item, End> | null;
  after: Asked<Item, End> | null;
};

const itemOf = <Item>({ item }: { readonly item: Item }): Item => item;

type Places<Item> = ReadonlyArray<Place<Item>>;
const timeIsUp = { is: 'unavailable', why: 'deadline' } as const;

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

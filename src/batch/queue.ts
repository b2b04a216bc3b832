import { createTenantQueue } from './tenant-queue.ts';
import { createFairScheduler } from './fair-scheduling.ts';
import { invariant } from '../core/invariant.ts';

/**
 * An item in the queue: `blocked` behind another item on one of its keys, `ready`, ready to be retried `alone` (its row was
 * locked), `running`, or `done`.
 */
export type QueueEntry<Item> = {
  readonly item: Item;
  readonly group: string;
  readonly arrival: number;
  readonly deadlineAt: number;
  readonly keyClaims: Array<KeyClaim<Item>>;
  state: 'blocked' | 'ready' | 'alone' | 'running' | 'done';
  blockedClaims: number;
  heapIndex: number;
  before: QueueEntry<Item> | null;
  after: QueueEntry<Item> | null;
};

/** An item's claim on one key, in the queue of that key. The entry is null once the claim is over. */
type KeyClaim<Item> = {
  readonly key: string;
  entry: QueueEntry<Item> | null;
  ahead: KeyClaim<Item> | null;
  behind: KeyClaim<Item> | null;
};

type NewItem<Item> = { readonly item: Item; readonly group: string; readonly keys: readonly string[]; readonly deadlineAt: number };

export type Queue<Item> = {
  /** When the queue is full, `refused` is the evicted entry, or the new entry itself. */
  readonly add: (newcomer: NewItem<Item>) => { readonly entry: QueueEntry<Item>; readonly refused: QueueEntry<Item> | null };
  /** Takes items of all groups in rotation. */
  readonly take: (countMax: number) => ReadonlyArray<QueueEntry<Item>>;
  readonly takeAlone: () => ReadonlyArray<QueueEntry<Item>>;
  /** The number of items that `take` could return. */
  readonly readyCount: () => number;
  /** Puts a running item back: it keeps its keys and will be retried alone. */
  readonly retryAlone: (entry: QueueEntry<Item>) => void;
  /**
   * Removes an entry in any state. The next items on its keys may start, and so may all items that wait for a key in `settled`,
   * because its outcome is final. Idempotent.
   */
  readonly remove: (entry: QueueEntry<Item>, settled?: readonly string[]) => void;
  /** Nothing waits and nothing runs. */
  readonly isEmpty: () => boolean;
  readonly stats: () => QueueStats;
};

export type QueueStats = { readonly waiting: number; readonly running: number; readonly groups: number; readonly keys: number };

/**
 * Decides which items may start, in which order, and which are rejected. An item claims all of its keys when it is added and queues
 * for each; it may start when it is first in all of them, and keeps them until it is done. So items that share a key never run
 * concurrently, run strictly in order of arrival, and cannot deadlock (the earliest item is first everywhere). No item is ever
 * examined and skipped: a thousand items that wait for one key cost a batch nothing.
 */
export function createQueue<Item>({ waitingMax }: { readonly waitingMax: number }): Queue<Item> {
  const tenants = createTenantQueue<QueueEntry<Item>>();
  const schedulers = { ready: createFairScheduler<QueueEntry<Item>>(), alone: createFairScheduler<QueueEntry<Item>>() };
  const keyQueues = createKeyQueues<Item>();
  let arrivals = 0;
  let running = 0;

  function begin(entries: ReadonlyArray<QueueEntry<Item>>): ReadonlyArray<QueueEntry<Item>> {
    for (const entry of entries) {
      tenants.remove(entry);
      entry.state = 'running';
    }
    running += entries.length;
    return entries;
  }
  function leave(entry: QueueEntry<Item>, settled?: readonly string[]): void {
    if (entry.state === 'done') return;
    if (entry.state === 'running') running -= 1;
    else tenants.remove(entry);
    if (entry.state === 'ready' || entry.state === 'alone') schedulers[entry.state].remove(entry);
    entry.state = 'done';
    for (const claim of entry.keyClaims) {
      const next = settled?.includes(claim.key) ? keyQueues.settle(claim) : keyQueues.release(claim);
      for (const free of next) makeStartable(free, 'ready');
    }
  }
  function makeStartable(entry: QueueEntry<Item>, state: 'ready' | 'alone'): void {
    entry.state = state;
    schedulers[state].add(entry);
  }
  return {
    add({ item, group, keys, deadlineAt }) {
      const entry = createEntry({ item, group, deadlineAt, arrival: arrivals++ });
      const refused = tenants.size() < waitingMax ? null : (tenants.entryToEvictFor(group) ?? entry);
      if (refused === entry) {
        entry.state = 'done';
        return { entry, refused };
      }
      if (refused) leave(refused);
      tenants.addLast(entry);
      for (const key of keys) keyQueues.claim(key, entry);
      if (entry.blockedClaims === 0) makeStartable(entry, 'ready');
      return { entry, refused };
    },
    take: (countMax) => begin(schedulers.ready.take(countMax)),
    takeAlone: () => begin(schedulers.alone.take(1)),
    readyCount: schedulers.ready.size,
    retryAlone(entry) {
      invariant(entry.state === 'running', 'only who was started can be found to need another row');
      running -= 1;
      tenants.addFirst(entry);
      makeStartable(entry, 'alone');
    },
    remove: leave,
    isEmpty: () => tenants.size() === 0 && running === 0,
    stats: () => ({ waiting: tenants.size(), running, groups: tenants.groups(), keys: keyQueues.size() }),
  };
}

/** One blocked claim less. */
function unblock<Item>({ entry }: KeyClaim<Item>): ReadonlyArray<QueueEntry<Item>> {
  invariant(entry, 'a claim that is not over has an entry');
  entry.blockedClaims -= 1;
  return entry.blockedClaims === 0 ? [entry] : [];
}

function createEntry<Item>(of: Pick<QueueEntry<Item>, 'item' | 'group' | 'arrival' | 'deadlineAt'>): QueueEntry<Item> {
  const { item, group, arrival, deadlineAt } = of;
  return { item, group, arrival, deadlineAt, keyClaims: [], state: 'blocked', blockedClaims: 0, heapIndex: 0, before: null, after: null };
}

/**
 * V8 copies a map that grows or shrinks, and the former copy refers to the next one: once one of them is in the old space, all later ones
 * live until the next full garbage collection. They still refer to claims that are over, and these must not refer to their items
 * (docs/decisions/0173).
 */
function end<Item>(claim: KeyClaim<Item>): void {
  claim.entry = null;
  claim.ahead = null;
  claim.behind = null;
}

/** A queue of claims per key. The map holds only the last claim; claims are linked. */
function createKeyQueues<Item>() {
  const lastOf = new Map<string, KeyClaim<Item>>();
  return {
    claim(key: string, entry: QueueEntry<Item>): void {
      const last = lastOf.get(key) ?? null;
      // A key that an item names twice is one claim; otherwise the item would wait for itself.
      if (last?.entry === entry) return;
      const claim: KeyClaim<Item> = { key, entry, ahead: last, behind: null };
      if (last) {
        last.behind = claim;
        entry.blockedClaims += 1;
      }
      lastOf.set(key, claim);
      entry.keyClaims.push(claim);
    },
    /** Returns the entry that is no longer blocked on any key, if there is one. */
    release(claim: KeyClaim<Item>): ReadonlyArray<QueueEntry<Item>> {
      const { key, ahead, behind } = claim;
      if (ahead) ahead.behind = behind;
      if (behind) behind.ahead = ahead;
      else if (ahead) lastOf.set(key, ahead);
      else lastOf.delete(key);
      end(claim);
      return ahead || !behind ? [] : unblock(behind);
    },
    /** Ends a key's queue and returns each entry that is not blocked on its other keys, in order. */
    settle(first: KeyClaim<Item>): ReadonlyArray<QueueEntry<Item>> {
      invariant(first.ahead === null, 'only the first claim of a key can settle it');
      lastOf.delete(first.key);
      const free: Array<QueueEntry<Item>> = [];
      for (let claim = first.behind; claim;) {
        const { behind } = claim;
        claim.entry?.keyClaims.splice(claim.entry.keyClaims.indexOf(claim), 1);
        free.push(...unblock(claim));
        end(claim);
        claim = behind;
      }
      end(first);
      return free;
    },
    size: () => lastOf.size,
  };
}

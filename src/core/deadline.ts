import { link, unlink, type LinkedList, type ListNode } from './linked-list.ts';

/** A waiter and its deadline on the clock of `performance.now()`. */
type Waiter<T> = ListNode<T> & { readonly until: number; isWaiting: boolean };

type DeadlineQueue<T> = {
  readonly add: (waiter: T) => void;
  /** Returns whether the waiter was still waiting. */
  readonly remove: (waiter: T) => boolean;
  readonly size: () => number;
  readonly expireAll: () => void;
};

/**
 * Calls `onExpired` for each waiter whose deadline has passed. The list is sorted by deadline, which is nearly always the order of
 * arrival, so one timer for the first waiter is enough.
 */
export function createDeadline<T extends Waiter<T>>(onExpired: (waiter: T) => void): DeadlineQueue<T> {
  const list: LinkedList<T> = { first: null, last: null };
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    clearTimeout(timer);
    timer = undefined;
    if (list.first === null) return;
    // Rounded up and checked again, because a timer may fire slightly early.
    timer = setTimeout(() => expireUntil(performance.now()), Math.max(1, Math.ceil(list.first.until - performance.now())));
  }
  function expireUntil(now: number): void {
    while (list.first !== null && list.first.until <= now) {
      const waiter = list.first;
      leave(waiter);
      onExpired(waiter);
    }
    schedule();
  }
  function leave(waiter: T): boolean {
    if (!waiter.isWaiting) return false;
    waiter.isWaiting = false;
    unlink(list, waiter);
    size -= 1;
    if (size === 0) schedule();
    return true;
  }
  return {
    add(waiter) {
      let before = list.last;
      while (before !== null && before.until > waiter.until) before = before.before;
      link(list, waiter, before);
      waiter.isWaiting = true;
      size += 1;
      if (before === null) schedule();
    },
    remove: leave,
    size: () => size,
    expireAll: () => expireUntil(Infinity),
  };
}

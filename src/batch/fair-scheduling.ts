import { invariant } from '../core/invariant.ts';
import { link, unlink, type LinkedList } from '../core/linked-list.ts';
import { createGroups } from './groups.ts';

/** A waiting item: its group, its arrival number, and its index in the heap of its group. */
export type Schedulable = { readonly group: string; readonly arrival: number; heapIndex: number };

type FairScheduler<T> = {
  readonly add: (turn: T) => void;
  readonly remove: (turn: T) => void;
  /** Takes one item of each group in rotation until there are enough; the earliest of a group first. */
  readonly take: (countMax: number) => T[];
  readonly size: () => number;
};

type Group<T> = { readonly name: string; readonly heap: T[]; before: Group<T> | null; after: Group<T> | null };

/**
 * The items that may start: a heap by arrival per group, and a rotation of groups. A heap instead of a queue, because an item that
 * waited for its key arrived early and must not run after the burst that came since.
 */
export function createFairScheduler<T extends Schedulable>(): FairScheduler<T> {
  const groups = createGroups<Group<T>>(
    (name) => ({ name, heap: [], before: null, after: null }),
    ({ heap }) => heap.length === 0,
  );
  /** The groups that are not empty. After its turn a group is last. */
  const rotation: LinkedList<Group<T>> = { first: null, last: null };
  let size = 0;
  return {
    add(turn) {
      size += 1;
      const group = groups.get(turn.group);
      if (group.heap.length === 0) link(rotation, group, rotation.last);
      rise(group.heap, turn, group.heap.length);
    },
    remove(turn) {
      const group = groups.get(turn.group);
      const { heap } = group;
      invariant(heap[turn.heapIndex] === turn, 'a removed item is in its heap');
      removeAt(heap, turn.heapIndex);
      size -= 1;
      if (heap.length === 0) unlink(rotation, group);
    },
    take(countMax) {
      const taken: T[] = [];
      for (let group = rotation.first; group !== null && taken.length < countMax; group = rotation.first) {
        const [earliest] = group.heap;
        invariant(earliest, 'a group in the rotation has at least one item');
        removeAt(group.heap, 0);
        taken.push(earliest);
        unlink(rotation, group);
        if (group.heap.length > 0) link(rotation, group, rotation.last);
      }
      size -= taken.length;
      return taken;
    },
    size: () => size,
  };
}

function removeAt<T extends Schedulable>(heap: T[], index: number): void {
  const last = heap.pop();
  if (last === undefined || index === heap.length) return;
  const above = heap[(index - 1) >> 1];
  if (index > 0 && above !== undefined && above.arrival > last.arrival) rise(heap, last, index);
  else sink(heap, last, index);
}

function rise<T extends Schedulable>(heap: T[], turn: T, from: number): void {
  let index = from;
  while (index > 0) {
    const aboveIndex = (index - 1) >> 1;
    const above = heap[aboveIndex];
    if (above === undefined || above.arrival < turn.arrival) break;
    put(heap, above, index);
    index = aboveIndex;
  }
  put(heap, turn, index);
}

function sink<T extends Schedulable>(heap: T[], turn: T, from: number): void {
  let index = from;
  for (;;) {
    const leftIndex = 2 * index + 1;
    const left = heap[leftIndex];
    const right = heap[leftIndex + 1];
    const below = right !== undefined && left !== undefined && right.arrival < left.arrival ? right : left;
    if (below === undefined || below.arrival > turn.arrival) break;
    const belowIndex = below.heapIndex;
    put(heap, below, index);
    index = belowIndex;
  }
  put(heap, turn, index);
}

function put<T extends Schedulable>(heap: T[], turn: T, index: number): void {
  heap[index] = turn;
  turn.heapIndex = index;
}

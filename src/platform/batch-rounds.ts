import { must } from './must.ts';

/** Who waits for a turn: of which group, when it came, and where it stands in its group's heap. */
export type Turn = { readonly group: string; readonly arrival: number; heapIndex: number };

type Rounds<T> = {
  readonly add: (turn: T) => void;
  readonly remove: (turn: T) => void;
  /** One of each group in turn until there are enough; a group's earliest first. */
  readonly take: (countMax: number) => T[];
  /** The same of one group only, whose turn it is. */
  readonly takeOfOne: (countMax: number) => T[];
};

/**
 * Those who may start now: a heap by arrival for each group, and the groups taking turns. A heap and not a line, because
 * who had to wait for its key came early and must not stand behind the storm that came since.
 */
export function createRounds<T extends Turn>(): Rounds<T> {
  // The order of this map is the order of the turns: after its turn a group is put in again, at the end.
  const heaps = new Map<string, T[]>();
  return {
    add(turn) {
      const heap = heaps.get(turn.group) ?? [];
      if (heap.length === 0) heaps.set(turn.group, heap);
      rise(heap, turn, heap.length);
    },
    remove(turn) {
      const heap = heaps.get(turn.group);
      must(heap?.[turn.heapIndex] === turn, 'who is removed from the rounds stands in them');
      removeAt(heap, turn.heapIndex);
      if (heap.length === 0) heaps.delete(turn.group);
    },
    take(countMax) {
      const taken: T[] = [];
      // What is put in during the loop is visited by the same loop, so it goes round and round until all are taken.
      for (const [group, heap] of heaps) {
        if (taken.length >= countMax) break;
        const earliest = heap[0];
        must(earliest, 'a group without anybody to start has no turn');
        removeAt(heap, 0);
        taken.push(earliest);
        heaps.delete(group);
        if (heap.length > 0) heaps.set(group, heap);
      }
      return taken;
    },
    takeOfOne(countMax) {
      const taken: T[] = [];
      for (const [group, heap] of heaps) {
        while (taken.length < countMax && heap[0] !== undefined) {
          taken.push(heap[0]);
          removeAt(heap, 0);
        }
        heaps.delete(group);
        if (heap.length > 0) heaps.set(group, heap);
        break;
      }
      return taken;
    },
  };
}

function removeAt<T extends Turn>(heap: T[], index: number): void {
  const last = heap.pop();
  if (last === undefined || index === heap.length) return;
  const above = heap[(index - 1) >> 1];
  if (index > 0 && above !== undefined && above.arrival > last.arrival) rise(heap, last, index);
  else sink(heap, last, index);
}

function rise<T extends Turn>(heap: T[], turn: T, from: number): void {
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

function sink<T extends Turn>(heap: T[], turn: T, from: number): void {
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

function put<T extends Turn>(heap: T[], turn: T, index: number): void {
  heap[index] = turn;
  turn.heapIndex = index;
}

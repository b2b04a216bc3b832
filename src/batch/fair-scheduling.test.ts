import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairScheduler, type Schedulable } from './fair-scheduling.ts';

test('a group returns its earliest items first, whatever the order of insertions and removals', () => {
  const arrivals = fc.shuffledSubarray([...Array(60).keys()]);
  fc.assert(
    fc.property(arrivals, fc.array(fc.nat(), { maxLength: 40 }), (wanted, removals) => {
      const schedulers = createFairScheduler<Schedulable>();
      let waiting: readonly Schedulable[] = wanted.map((arrival) => ({ group: 'g', arrival, heapIndex: 0 }));
      waiting.forEach(schedulers.add);
      for (const removal of removals) {
        const gone = waiting[removal % waiting.length];
        if (!gone) continue;
        schedulers.remove(gone);
        waiting = waiting.filter((turn) => turn !== gone);
      }
      expect(schedulers.size()).toBe(waiting.length);
      expect(schedulers.take(100)).toEqual(waiting.toSorted((one, other) => one.arrival - other.arrival));
      expect(schedulers.take(1)).toEqual([]);
      expect(schedulers.size()).toBe(0);
    }),
    // Removing 11 moves 3 to its position, below 10, so 3 has to rise.
    { numRuns: 500, examples: [[[0, 10, 1, 11, 12, 2, 3], [3]]] },
  );
});

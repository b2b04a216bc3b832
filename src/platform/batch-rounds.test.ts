import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRounds, type Turn } from './batch-rounds.ts';

test('a group gives its earliest first, in whatever order they came in and whoever was taken out between', () => {
  const arrivals = fc.shuffledSubarray([...Array(60).keys()]);
  fc.assert(
    fc.property(arrivals, fc.array(fc.nat(), { maxLength: 40 }), (wanted, removals) => {
      const rounds = createRounds<Turn>();
      let waiting: readonly Turn[] = wanted.map((arrival) => ({ group: 'g', arrival, heapIndex: 0 }));
      waiting.forEach(rounds.add);
      for (const removal of removals) {
        const gone = waiting[removal % waiting.length];
        if (!gone) continue;
        rounds.remove(gone);
        waiting = waiting.filter((turn) => turn !== gone);
      }
      expect(rounds.take(100)).toEqual(waiting.toSorted((one, other) => one.arrival - other.arrival));
      expect(rounds.take(1)).toEqual([]);
    }),
    // Taking 11 out puts 3 in its place, below 10: it has to rise there.
    { numRuns: 500, examples: [[[0, 10, 1, 11, 12, 2, 3], [3]]] },
  );
});

/** A sender may use at most this many times the free capacity: alone, four fifths of the total. */
const shareOfFree = 4;

/**
 * Limits concurrent requests, in total and for each sender. A request counts from its headers until its reply, so the sender is the
 * tracking key, authenticated or not. A store that sends a burst, or sends its bodies slowly, leaves capacity for other stores.
 */
export type ConcurrencyLimiter = {
  /** Returns the function that releases the capacity, to be called once. Null if the sender has no capacity left. */
  readonly take: (sender: string) => (() => void) | null;
};

export function createConcurrencyLimiter(totalMax: number, perSenderMax = totalMax): ConcurrencyLimiter {
  const taken = new Map<string, number>();
  let free = totalMax;
  return {
    take(sender) {
      const own = taken.get(sender) ?? 0;
      if (own >= Math.min(perSenderMax, shareOfFree * free)) return null;
      free--;
      taken.set(sender, own + 1);
      return () => {
        free++;
        const left = (taken.get(sender) ?? 0) - 1;
        if (left > 0) taken.set(sender, left);
        else taken.delete(sender);
      };
    },
  };
}

/** The share of a sender that is alone. */
export const maxForOneSender = (totalMax: number): number => (totalMax * shareOfFree) / (shareOfFree + 1);

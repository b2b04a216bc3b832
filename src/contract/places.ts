/** One sender may have so many times under way what is free: alone four fifths of all places. */
const timesWhatIsFree = 4;

/**
 * Who may be under way at once. A place is taken on headers alone, and held while the body comes and the answer is made: so it is
 * shared by the tracking key, proved or not, and a store that storms, or sends its bodies a byte a second, is told to come again
 * while others find room.
 */
export type Places = {
  /** What gives the place back, called once. Null: there is none for this sender just now. */
  readonly take: (sender: string) => (() => void) | null;
};

/** `ofOneMax`: where one sender has a limit of its own besides. */
export function openPlaces(placesMax: number, ofOneMax = placesMax): Places {
  const taken = new Map<string, number>();
  let free = placesMax;
  return {
    take(sender) {
      const own = taken.get(sender) ?? 0;
      if (own >= Math.min(ofOneMax, timesWhatIsFree * free)) return null;
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

/** How many one sender has where nobody else is there. */
export const placesOfOne = (placesMax: number): number => (placesMax * timesWhatIsFree) / (timesWhatIsFree + 1);

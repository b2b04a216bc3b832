/**
 * Copies of what is under way in this process wait for its end. Where it left something to be read again, they need no turn
 * of their own: all of them are answered together, instead of one transaction after the other (200 copies took 200 turns of
 * their relationship, on a loaded machine more than the deadline). Where it left nothing, the next of them is the first.
 */
export function createCopies<End>(isSettledBy: (end: End) => boolean) {
  const underWay = new Map<string, Promise<boolean>>();

  return async (name: string, put: (isCopy: boolean) => Promise<End>): Promise<End> => {
    // Each round ends with one that was ahead, so there are at most as many as requests under way.
    for (let ahead = underWay.get(name); ahead; ahead = underWay.get(name)) if (await ahead) return put(true);
    const end = put(false);
    const settled = end.then((value) => {
      underWay.delete(name);
      return isSettledBy(value);
    });
    underWay.set(name, settled);
    await settled;
    return end;
  };
}

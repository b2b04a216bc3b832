/**
 * Copies of a running request in this process wait for its end. If it stored the event, all copies are answered together in one batch,
 * instead of one transaction each (200 copies took 200 transactions, longer than the deadline on a loaded machine). If it stored nothing,
 * the next copy runs first.
 */
export function shareCopies<End>(isSettledBy: (end: End) => boolean) {
  const underWay = new Map<string, Promise<boolean>>();

  return async (name: string, put: (isCopy: boolean) => Promise<End>): Promise<End> => {
    // Each iteration waits for one earlier request, so there are at most as many as concurrent requests.
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

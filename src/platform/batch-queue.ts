import { createCrowd } from './batch-crowd.ts';
import { createRounds } from './batch-rounds.ts';
import { must } from './must.ts';

/**
 * An item's place: `behind` another one on one of its keys, `ready`, ready to be tried `alone` (its row was taken),
 * `under way`, or `over`.
 */
export type Place<Item> = {
  readonly item: Item;
  readonly group: string;
  readonly arrival: number;
  readonly deadlineAt: number;
  readonly claims: Array<Claim<Item>>;
  state: 'behind' | 'ready' | 'alone' | 'under way' | 'over';
  claimsBehind: number;
  heapIndex: number;
  before: Place<Item> | null;
  after: Place<Item> | null;
};

/** One item's claim on one key, in the line of that key. */
type Claim<Item> = { readonly key: string; readonly place: Place<Item>; ahead: Claim<Item> | null; behind: Claim<Item> | null };

type Newcomer<Item> = { readonly item: Item; readonly group: string; readonly keys: readonly string[]; readonly deadlineAt: number };

export type Queue<Item> = {
  /** Where there is no room, `refused` is somebody else's place, or the very one given: it is over. */
  readonly join: (newcomer: Newcomer<Item>) => { readonly place: Place<Item>; readonly refused: Place<Item> | null };
  /** Of all groups in turn, or `apart`: of one group only. */
  readonly take: (countMax: number, apart?: boolean) => ReadonlyArray<Place<Item>>;
  readonly takeAlone: () => ReadonlyArray<Place<Item>>;
  /** Back from under way: its keys stay its own, and it will be begun alone. */
  readonly waitAlone: (place: Place<Item>) => void;
  /**
   * Wherever it stands; whoever is next on its keys may start now, and all who wait for a key that it leaves `settled`: there
   * what was decided is final, and they only read it. Done twice it does nothing.
   */
  readonly leave: (place: Place<Item>, settled?: readonly string[]) => void;
  /** Nobody waits and nobody is under way. */
  readonly isEmpty: () => boolean;
  readonly figures: () => QueueFigures;
};

export type QueueFigures = { readonly waiting: number; readonly underWay: number; readonly groups: number; readonly keys: number };

/**
 * Who may start, in which order, and who is refused. An item claims all of its keys when it joins, and stands in a line
 * for each; it may start when it is first in all of them, and keeps them until it is over. So items that share a key are
 * never under way together, go strictly in the order they came, cannot block one another for ever (the earliest of all
 * is first everywhere), and nobody is ever looked at and skipped: a thousand waiting for one key cost a batch nothing.
 */
export function createQueue<Item>({ waitingMax }: { readonly waitingMax: number }): Queue<Item> {
  const crowd = createCrowd<Place<Item>>();
  const rounds = { ready: createRounds<Place<Item>>(), alone: createRounds<Place<Item>>() };
  const lines = createLines<Item>();
  let arrivals = 0;
  let underWay = 0;

  function begin(places: ReadonlyArray<Place<Item>>): ReadonlyArray<Place<Item>> {
    for (const place of places) {
      crowd.leave(place);
      place.state = 'under way';
    }
    underWay += places.length;
    return places;
  }
  function leave(place: Place<Item>, settled?: readonly string[]): void {
    if (place.state === 'over') return;
    if (place.state === 'under way') underWay -= 1;
    else crowd.leave(place);
    if (place.state === 'ready' || place.state === 'alone') rounds[place.state].remove(place);
    place.state = 'over';
    for (const claim of place.claims) {
      const next = settled?.includes(claim.key) ? lines.settle(claim) : lines.release(claim);
      for (const free of next) stand(free, 'ready');
    }
  }
  function stand(place: Place<Item>, state: 'ready' | 'alone'): void {
    place.state = state;
    rounds[state].add(place);
  }
  return {
    join({ item, group, keys, deadlineAt }) {
      const place = newPlace({ item, group, deadlineAt, arrival: arrivals++ });
      const refused = crowd.size() < waitingMax ? null : (crowd.whoMakesRoomFor(group) ?? place);
      if (refused === place) {
        place.state = 'over';
        return { place, refused };
      }
      if (refused) leave(refused);
      crowd.joinLast(place);
      for (const key of keys) lines.claim(key, place);
      if (place.claimsBehind === 0) stand(place, 'ready');
      return { place, refused };
    },
    take: (countMax, apart = false) => begin(apart ? rounds.ready.takeOfOne(countMax) : rounds.ready.take(countMax)),
    takeAlone: () => begin(rounds.alone.take(1)),
    waitAlone(place) {
      must(place.state === 'under way', 'only who was begun can be found to need another row');
      underWay -= 1;
      crowd.joinFirst(place);
      stand(place, 'alone');
    },
    leave,
    isEmpty: () => crowd.size() === 0 && underWay === 0,
    figures: () => ({ waiting: crowd.size(), underWay, groups: crowd.groups(), keys: lines.size() }),
  };
}

/** One claim less to wait for. */
function standsFree<Item>(place: Place<Item>): ReadonlyArray<Place<Item>> {
  place.claimsBehind -= 1;
  return place.claimsBehind === 0 ? [place] : [];
}

function newPlace<Item>(of: Pick<Place<Item>, 'item' | 'group' | 'arrival' | 'deadlineAt'>): Place<Item> {
  const { item, group, arrival, deadlineAt } = of;
  return { item, group, arrival, deadlineAt, claims: [], state: 'behind', claimsBehind: 0, heapIndex: 0, before: null, after: null };
}

/** A line of claims for each key; only its end is kept, each claim knows its neighbours. */
function createLines<Item>() {
  const lastOf = new Map<string, Claim<Item>>();
  return {
    claim(key: string, place: Place<Item>): void {
      const last = lastOf.get(key) ?? null;
      // A key that the same item names twice is one claim, or the item would wait for itself.
      if (last?.place === place) return;
      const claim: Claim<Item> = { key, place, ahead: last, behind: null };
      if (last) {
        last.behind = claim;
        place.claimsBehind += 1;
      }
      lastOf.set(key, claim);
      place.claims.push(claim);
    },
    /** The place that has nobody ahead of it any more on any key, if there is one. */
    release({ key, ahead, behind }: Claim<Item>): ReadonlyArray<Place<Item>> {
      if (ahead) ahead.behind = behind;
      if (behind) behind.ahead = ahead;
      else if (ahead) lastOf.set(key, ahead);
      else lastOf.delete(key);
      return ahead || !behind ? [] : standsFree(behind.place);
    },
    /** Ends a whole line: each place in it that has nobody ahead of it on its other keys, first come first. */
    settle(first: Claim<Item>): ReadonlyArray<Place<Item>> {
      must(first.ahead === null, 'a line is settled by who stood first in it');
      lastOf.delete(first.key);
      const free: Array<Place<Item>> = [];
      for (let claim = first.behind; claim; claim = claim.behind) {
        claim.place.claims.splice(claim.place.claims.indexOf(claim), 1);
        free.push(...standsFree(claim.place));
      }
      return free;
    },
    size: () => lastOf.size,
  };
}

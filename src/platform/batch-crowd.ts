import { link, unlink, type Chain, type Link } from './chain.ts';

/** Who waits, between those of its group who came before and after it. */
type Member<T> = Link<T> & { readonly group: string };

type Crowd<T> = {
  readonly joinLast: (member: T) => void;
  /** For who was under way already and waits again: it came before those of its group who were never begun. */
  readonly joinFirst: (member: T) => void;
  readonly leave: (member: T) => void;
  /** Who makes room for a newcomer of this group; null where no other group would be larger than the newcomer's. */
  readonly whoMakesRoomFor: (group: string) => T | null;
  readonly size: () => number;
  readonly groups: () => number;
};

type Group<T> = Chain<T> & { readonly name: string; size: number };

/**
 * All who wait, counted by group, so that one group's storm is its own: where there is no room, the newest of the
 * largest group goes. Every step is constant work, because it is in a storm that it runs most often.
 */
export function createCrowd<T extends Member<T>>(): Crowd<T> {
  const groups = new Map<string, Group<T>>();
  const sizes = createSizes<Group<T>>();
  let size = 0;

  function groupOf(name: string): Group<T> {
    const known = groups.get(name);
    if (known) return known;
    const group: Group<T> = { name, size: 0, first: null, last: null };
    groups.set(name, group);
    return group;
  }
  function join(group: Group<T>, member: T, before: T | null): void {
    link(group, member, before);
    sizes.change(group, 1);
    size += 1;
  }
  return {
    joinLast(member) {
      const group = groupOf(member.group);
      join(group, member, group.last);
    },
    joinFirst: (member) => join(groupOf(member.group), member, null),
    leave(member) {
      const group = groupOf(member.group);
      unlink(group, member);
      sizes.change(group, -1);
      size -= 1;
      if (group.size === 0) groups.delete(group.name);
    },
    whoMakesRoomFor(name) {
      // Counted with the newcomer, and on a tie the newcomer goes: else two equal groups would push each other out for nothing.
      const sizeWithNewcomer = (groups.get(name)?.size ?? 0) + 1;
      return sizes.largest() > sizeWithNewcomer ? (sizes.oneOfTheLargest()?.last ?? null) : null;
    },
    size: () => size,
    groups: () => groups.size,
  };
}

/** Which group is the largest, without looking at all of them: each stands in the set of its size, and moves by one. */
function createSizes<G extends { size: number }>() {
  const bySize = new Map<number, Set<G>>();
  let largest = 0;

  return {
    change(group: G, by: 1 | -1): void {
      const before = bySize.get(group.size);
      before?.delete(group);
      if (before?.size === 0) bySize.delete(group.size);
      group.size += by;
      const after = bySize.get(group.size);
      if (after) after.add(group);
      // An emptied set is used again: a single group that grows and shrinks makes none.
      else if (group.size > 0) bySize.set(group.size, (before?.size === 0 ? before : new Set<G>()).add(group));
      // Where the largest size has lost its only group, that group is the one below it now.
      if (by === 1) largest = Math.max(largest, group.size);
      else if (!bySize.has(largest)) largest -= 1;
    },
    largest: () => largest,
    oneOfTheLargest: (): G | undefined => bySize.get(largest)?.values().next().value,
  };
}

import { link, unlink, type LinkedList, type ListNode } from '../core/linked-list.ts';
import { createGroups } from './groups.ts';

/** A waiting entry, linked to the entries of its group before and after it. */
type TenantEntry<T> = ListNode<T> & { readonly group: string };

type TenantQueue<T> = {
  readonly addLast: (member: T) => void;
  /** For an entry that has already run: it arrived before the entries of its group that have not. */
  readonly addFirst: (member: T) => void;
  readonly remove: (member: T) => void;
  /** The entry to evict for a new one of this group; null if no other group would be larger. */
  readonly entryToEvictFor: (group: string) => T | null;
  readonly size: () => number;
  readonly groups: () => number;
};

/** A list of entries, and itself in the list of the groups of its size. */
type Group<T> = LinkedList<T> & { readonly name: string; size: number; before: Group<T> | null; after: Group<T> | null };

/**
 * All waiting entries, counted by group, so that a burst of one group affects only that group: when the queue is full, the newest
 * entry of the largest group is evicted. Every operation takes constant time, because a burst runs it most often.
 */
export function createTenantQueue<T extends TenantEntry<T>>(): TenantQueue<T> {
  const groups = createGroups<Group<T>>(
    (name) => ({ name, size: 0, first: null, last: null, before: null, after: null }),
    (group) => group.size === 0,
  );
  const sizes = createSizes<Group<T>>();
  let size = 0;

  function join(group: Group<T>, member: T, before: T | null): void {
    link(group, member, before);
    sizes.change(group, 1);
    size += 1;
  }
  return {
    addLast(member) {
      const group = groups.get(member.group);
      join(group, member, group.last);
    },
    addFirst: (member) => join(groups.get(member.group), member, null),
    remove(member) {
      const group = groups.get(member.group);
      unlink(group, member);
      sizes.change(group, -1);
      size -= 1;
    },
    entryToEvictFor(name) {
      // Counts the new entry, and on a tie evicts it: otherwise two equal groups would evict each other's entries.
      const sizeWithNewcomer = (groups.find(name)?.size ?? 0) + 1;
      return sizes.largest() > sizeWithNewcomer ? (sizes.oneOfTheLargest()?.last ?? null) : null;
    },
    size: () => size,
    groups: sizes.groups,
  };
}

/** Finds the largest group without visiting all of them: groups are listed by size, and each change moves a group by one. */
function createSizes<G extends ListNode<G> & { size: number }>() {
  const lists: Array<LinkedList<G>> = [];
  let largest = 0;
  let groups = 0;

  function join(group: G): void {
    const list = (lists[group.size] ??= { first: null, last: null });
    link(list, group, list.last);
  }
  function leave(group: G): void {
    const list = lists[group.size];
    if (list) unlink(list, group);
  }
  return {
    change(group: G, by: 1 | -1): void {
      if (group.size > 0) leave(group);
      else groups += 1;
      group.size += by;
      if (group.size > 0) join(group);
      else groups -= 1;
      // If the largest size has lost its only group, that group now has the next smaller size.
      if (by === 1) largest = Math.max(largest, group.size);
      else if (lists[largest]?.first === null) largest -= 1;
    },
    largest: () => largest,
    oneOfTheLargest: (): G | null => lists[largest]?.first ?? null,
    /** The number of groups that are not empty. */
    groups: () => groups,
  };
}

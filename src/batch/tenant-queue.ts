import { link, unlink, type LinkedList, type ListNode } from '../core/linked-list.ts';

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

type Group<T> = LinkedList<T> & { readonly name: string; size: number };

/**
 * All waiting entries, counted by group, so that a burst of one group affects only that group: when the queue is full, the newest
 * entry of the largest group is evicted. Every operation takes constant time, because a burst runs it most often.
 */
export function createTenantQueue<T extends TenantEntry<T>>(): TenantQueue<T> {
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
    addLast(member) {
      const group = groupOf(member.group);
      join(group, member, group.last);
    },
    addFirst: (member) => join(groupOf(member.group), member, null),
    remove(member) {
      const group = groupOf(member.group);
      unlink(group, member);
      sizes.change(group, -1);
      size -= 1;
      if (group.size === 0) groups.delete(group.name);
    },
    entryToEvictFor(name) {
      // Counts the new entry, and on a tie evicts it: otherwise two equal groups would evict each other's entries.
      const sizeWithNewcomer = (groups.get(name)?.size ?? 0) + 1;
      return sizes.largest() > sizeWithNewcomer ? (sizes.oneOfTheLargest()?.last ?? null) : null;
    },
    size: () => size,
    groups: () => groups.size,
  };
}

/** Finds the largest group without visiting all of them: groups are indexed by size, and each change moves a group by one. */
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
      // An emptied set is reused, so a single group that grows and shrinks allocates none.
      else if (group.size > 0) bySize.set(group.size, (before?.size === 0 ? before : new Set<G>()).add(group));
      // If the largest size has lost its only group, that group now has the next smaller size.
      if (by === 1) largest = Math.max(largest, group.size);
      else if (!bySize.has(largest)) largest -= 1;
    },
    largest: () => largest,
    oneOfTheLargest: (): G | undefined => bySize.get(largest)?.values().next().value,
  };
}

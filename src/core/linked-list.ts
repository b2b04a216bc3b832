/** An entry of a linked list, with the entries before and after it. */
export type ListNode<T> = { before: T | null; after: T | null };
export type LinkedList<T> = { first: T | null; last: T | null };

/** Inserts an entry after the given one, or as the first. */
export function link<T extends ListNode<T>>(chain: LinkedList<T>, one: T, before: T | null): void {
  const after = before === null ? chain.first : before.after;
  one.before = before;
  one.after = after;
  if (before) before.after = one;
  else chain.first = one;
  if (after) after.before = one;
  else chain.last = one;
}

export function unlink<T extends ListNode<T>>(chain: LinkedList<T>, one: T): void {
  const { before, after } = one;
  if (before) before.after = after;
  else chain.first = after;
  if (after) after.before = before;
  else chain.last = before;
  one.before = one.after = null;
}

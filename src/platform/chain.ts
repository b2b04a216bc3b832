/** One of a chain, between those before and after it. */
export type Link<T> = { before: T | null; after: T | null };
export type Chain<T> = { first: T | null; last: T | null };

/** Behind the one named, or as the first of all. */
export function link<T extends Link<T>>(chain: Chain<T>, one: T, before: T | null): void {
  const after = before === null ? chain.first : before.after;
  one.before = before;
  one.after = after;
  if (before) before.after = one;
  else chain.first = one;
  if (after) after.before = one;
  else chain.last = one;
}

export function unlink<T extends Link<T>>(chain: Chain<T>, one: T): void {
  const { before, after } = one;
  if (before) before.after = after;
  else chain.first = after;
  if (after) after.before = before;
  else chain.last = before;
  one.before = one.after = null;
}

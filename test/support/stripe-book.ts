/** The state of Stripe, as far as we use it: objects in the form of its API, and when each appeared in its lists. */
export type StripeObject = { readonly id: string; readonly object: string } & Record<string, unknown>;

export type StripeBook = {
  readonly add: (object: StripeObject) => StripeObject;
  readonly change: (id: string, to: Record<string, unknown>) => StripeObject;
  readonly find: (id: string) => StripeObject | undefined;
  readonly all: (kind: string) => readonly StripeObject[];
  /** The visible part of a list: newest first, and nothing younger than the lag. */
  readonly listed: (kind: string) => readonly StripeObject[];
  readonly newId: (prefix: string) => string;
};

export function openStripeBook(now: () => number, lagMs: number): StripeBook {
  const objects = new Map<string, StripeObject>();
  const madeAt = new Map<string, number>();
  let made = 0;
  const all = (kind: string) => [...objects.values()].filter(({ object }) => object === kind);
  return {
    add(object) {
      objects.set(object.id, object);
      madeAt.set(object.id, now());
      return object;
    },
    change(id, to) {
      const object = objects.get(id);
      if (object === undefined) throw new Error(`the stand-in knows no ${id}`);
      const changed = { ...object, ...to };
      objects.set(id, changed);
      return changed;
    },
    find: (id) => objects.get(id),
    all,
    listed: (kind) =>
      all(kind)
        .filter(({ id }) => (madeAt.get(id) ?? 0) + lagMs <= now())
        .reverse(),
    newId: (prefix) => `${prefix}_${String(++made).padStart(6, '0')}`,
  };
}

/** A group of waiting items, which has a name. */
export type Named = { readonly name: string };

type Groups<Group> = {
  readonly find: (name: string) => Group | undefined;
  /** Creates the group if there is none of this name. */
  readonly get: (name: string) => Group;
};

const emptyMax = 1_000;

/**
 * Finds groups by name. An empty group is kept and used again: V8 copies a map in which entries come and go, and the former copy refers to
 * the next one, so that once one of them is in the old space, all later ones live until the next full garbage collection. When more than
 * half of the groups, and more than a thousand, may be empty, all empty ones are forgotten.
 */
export function createGroups<Group extends Named>(create: (name: string) => Group, isEmpty: (group: Group) => boolean): Groups<Group> {
  const byName = new Map<string, Group>();
  let sizeMax = emptyMax;
  return {
    find: (name) => byName.get(name),
    get(name) {
      const known = byName.get(name);
      if (known) return known;
      if (byName.size >= sizeMax) {
        for (const group of byName.values()) if (isEmpty(group)) byName.delete(group.name);
        sizeMax = Math.max(emptyMax, 2 * byName.size);
      }
      const group = create(name);
      byName.set(name, group);
      return group;
    },
  };
}

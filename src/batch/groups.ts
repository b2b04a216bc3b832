/** A group of waiting items, which has a name. */
type Named = { readonly name: string };

type Groups<Group> = {
  readonly find: (name: string) => Group | undefined;
  /** Creates the group if there is none of this name. */
  readonly get: (name: string) => Group;
};

const sizeMaxFirst = 1_000;

/**
 * Finds groups by name. An empty group is kept and used again, because a map whose entries come and go keeps former items in memory
 * (docs/decisions/0173). The empty groups are forgotten when there are a thousand groups, or twice as many as were left the last time.
 */
export function createGroups<Group extends Named>(create: (name: string) => Group, isEmpty: (group: Group) => boolean): Groups<Group> {
  const byName = new Map<string, Group>();
  let sizeMax = sizeMaxFirst;
  return {
    find: (name) => byName.get(name),
    get(name) {
      const known = byName.get(name);
      if (known) return known;
      if (byName.size >= sizeMax) {
        for (const group of byName.values()) if (isEmpty(group)) byName.delete(group.name);
        sizeMax = Math.max(sizeMaxFirst, 2 * byName.size);
      }
      const group = create(name);
      byName.set(name, group);
      return group;
    },
  };
}

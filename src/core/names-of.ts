/** Object.keys, typed with the literal names. */
export const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));

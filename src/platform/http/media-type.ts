import { nameAndQuality } from './negotiate.ts';

const entriesMax = 64;

/**
 * In which of the offered forms an answer goes out, by the Accept header. The first one offered is the usual one: it goes to
 * whoever names none, and to whoever would take anything. Another goes only to who names it and likes it at least as well.
 */
export function chooseType<Type extends string>(accept: string, offered: readonly [Type, ...Type[]]): Type {
  const named = new Map(accept.split(',', entriesMax).map(nameAndQuality));
  const [usual, ...others] = offered;
  return others.reduce<Type>((best, type) => {
    const quality = named.get(type) ?? 0;
    return quality > 0 && quality >= (named.get(best) ?? 0) ? type : best;
  }, usual);
}

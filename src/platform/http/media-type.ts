const entriesMax = 64;

/**
 * In which of the offered forms an answer goes out, by the Accept header. The first one offered is the usual one: it goes to
 * whoever names none, and to whoever would take anything. Another goes only to who names it and likes it at least as well.
 */
export function chooseType<Type extends string>(accept: string, offered: readonly [Type, ...Type[]]): Type {
  const named = new Map(accept.split(',', entriesMax).map(typeAndQuality));
  const [usual, ...others] = offered;
  return others.reduce<Type>((best, type) => {
    const quality = named.get(type) ?? 0;
    return quality > 0 && quality >= (named.get(best) ?? 0) ? type : best;
  }, usual);
}

function typeAndQuality(entry: string): [string, number] {
  const [type = '', ...parameters] = entry
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [type, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0];
}

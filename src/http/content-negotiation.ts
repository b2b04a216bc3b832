/** The supported content encodings, smallest result first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const entriesMax = 64;
/** Lower than every quality in a header: `identity` is allowed without being named, but everything named is preferred. */
const implicitQuality = 0.0001;

/** The encoding with the highest quality, and of equal ones the smallest. If the client accepts none, the bytes are sent unencoded. */
export function chooseEncoding(header: string | undefined): Encoding {
  const qualities = new Map(entriesOf(header).map(parseEntry));
  const qualityFor = (encoding: Encoding) =>
    qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? implicitQuality : 0);
  const best = encodings.reduce((better, encoding) => (qualityFor(encoding) > qualityFor(better) ? encoding : better));
  return qualityFor(best) > 0 ? best : 'identity';
}

/** Whether If-None-Match contains this ETag. Uses weak comparison, because proxies that recompress prefix the ETag with `W/`. */
export function matchesEtag(etag: string, header: string | undefined): boolean {
  return entriesOf(header).some((entry) => entry === '*' || entry.replace(/^W\//, '') === etag);
}

const entriesOf = (header = '') => header.split(',', entriesMax).map((entry) => entry.trim());

/** Parses an entry of an Accept header into its name and its quality, from 0 to 1. */
export function parseEntry(entry: string): [string, number] {
  const [name = '', ...parameters] = entry
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0];
}

/**
 * Chooses a media type by the Accept header. The first offered type is the default, also if the header accepts any type. Another type is
 * chosen only if the header names it with at least the same quality.
 */
export function chooseType<Type extends string>(accept: string, offered: readonly [Type, ...Type[]]): Type {
  const named = new Map(accept.split(',', entriesMax).map(parseEntry));
  const [usual, ...others] = offered;
  return others.reduce<Type>((best, type) => {
    const quality = named.get(type) ?? 0;
    return quality > 0 && quality >= (named.get(best) ?? 0) ? type : best;
  }, usual);
}

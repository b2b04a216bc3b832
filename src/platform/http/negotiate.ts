/** The ways in which bytes that are sent again and again can be packed, the smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const entriesMax = 64;
const lastResort = 0.0001; // below every quality that can be written: `identity` unasked is allowed, and worse than what was asked

/** The encoding that the browser likes best; of those it likes equally the smallest. Where it takes none, the bytes go as they are. */
export function chooseEncoding(header: string | undefined): Encoding {
  const asked = new Map(entriesOf(header).map(nameAndQuality));
  const qualityFor = (encoding: Encoding) => asked.get(encoding) ?? asked.get('*') ?? (encoding === 'identity' ? lastResort : 0);
  const best = encodings.reduce((better, encoding) => (qualityFor(encoding) > qualityFor(better) ? encoding : better));
  return qualityFor(best) > 0 ? best : 'identity';
}

/** Whether If-None-Match names this ETag. The comparison is the weak one: proxies that pack again send our ETag back with `W/`. */
export function isNamed(etag: string, header: string | undefined): boolean {
  return entriesOf(header).some((entry) => entry === '*' || entry.replace(/^W\//, '') === etag);
}

const entriesOf = (header = '') => header.split(',', entriesMax).map((entry) => entry.trim());

/** One entry of an Accept header of any kind: what it names, and how much it is liked, from 0 to 1. */
export function nameAndQuality(entry: string): [string, number] {
  const [name = '', ...parameters] = entry
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0];
}

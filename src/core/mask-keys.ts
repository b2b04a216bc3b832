/**
 * Finds and masks our keys in text that someone else wrote: a postback body, a pasted command. Only hashes of keys are stored, so a
 * key is recognized by its shape alone, and every key of that shape is masked, whichever store it belongs to and whether or not it
 * is valid.
 */
export type KeyKind = 'postback key' | 'API key' | 'webhook secret';

const kinds: Readonly<Record<string, KeyKind>> = { pbk: 'postback key', trb: 'API key', whsec: 'webhook secret' };

/** The look-ahead also finds a key that begins inside another match. Shapes: src/people/tokens.ts, src/webhooks/signatures.ts. */
const keyShape = /(?=((pbk|trb)_[A-Za-z0-9_-]{43}|(whsec)_[A-Za-z0-9+/]{43}=?))/g;
const marker = /(?:pbk|trb|whsec)_/;

/**
 * How a character of a key may be written: as a JSON escape, possibly escaped again, percent-encoded, or with the NULs of UTF-16. A
 * body that cannot be parsed is searched as well. The number of backslashes is bounded, so that matching stays linear.
 */
const escaped = /\\{1,8}u00([0-9a-f]{2})|%([0-9a-f]{2})|\\{1,8}(\/)|\0/gi;

/**
 * The beginning of a key, each character plain or escaped: matches every text whose decoded form contains a key. A body of 600
 * bytes with escaped slashes takes 0.5 µs with this and 4 µs if all of it is decoded.
 */
const markerMaybeEscaped = new RegExp(['pbk_', 'trb_', 'whsec_'].map(plainOrEscaped).join('|'));

function plainOrEscaped(text: string): string {
  const characters = [...text].map((character) => {
    const hex = [...character.charCodeAt(0).toString(16)].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
    return String.raw`(?:${character}|%${hex}|\\{1,8}[uU]00${hex})`;
  });
  return characters.join(String.raw`\0*`);
}

const shownLength = 4;

export type Masked = { readonly text: string; readonly kinds: readonly KeyKind[] };

/** Masks all but the last four characters of each key. A text without a key is returned unchanged. */
export function maskKeys(text: string): Masked {
  if (!/[\\%\0]/.test(text)) return marker.test(text) ? maskPlain(text, [...text.matchAll(keyShape)]) : { text, kinds: [] };
  if (!markerMaybeEscaped.test(text)) return { text, kinds: [] };
  const matches = [...text.replace(escaped, decodedUnit).matchAll(keyShape)];
  return matches.length === 0 ? { text, kinds: [] } : maskPlain(unitsOf(text), matches);
}

/** Treats bytes as latin1, one character each: ASCII keys are found, and every other byte is preserved. */
export function maskKeysInBytes(bytes: Buffer): { readonly bytes: Buffer; readonly kinds: readonly KeyKind[] } {
  const masked = maskKeys(bytes.toString('latin1'));
  return masked.kinds.length === 0 ? { bytes, kinds: [] } : { bytes: Buffer.from(masked.text, 'latin1'), kinds: masked.kinds };
}

/** Returns the same value if it contains no key. Member names are masked like values; dates, numbers and cents are left unchanged. */
export function maskKeysIn<Value>(value: Value): Value;
export function maskKeysIn(value: unknown): unknown {
  return mayContainKey(value) ? maskValue(value) : value;
}

/** Most values contain nothing that begins like a key, and need no copy to compare with. */
function mayContainKey(value: unknown): boolean {
  if (typeof value === 'string') return beginsLikeKey.test(value);
  if (!isRecord(value)) return false;
  if (Array.isArray(value)) return value.some(mayContainKey);
  for (const name of Object.keys(value)) if (beginsLikeKey.test(name) || mayContainKey(value[name])) return true;
  return false;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const beginsLikeKey = new RegExp(String.raw`${marker.source}|[\\%\0]`);

function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskKeys(value).text;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const masked = value.map(maskValue);
    return masked.some((member, place) => member !== value[place]) ? masked : value;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const members = Object.entries(value);
  const masked = members.map(([name, member]) => [maskKeys(name).text, maskValue(member)] as const);
  return masked.some(([name, member], place) => name !== members[place]?.[0] || member !== members[place]?.[1])
    ? Object.fromEntries(masked)
    : value;
}

function decodedUnit(_all: string, json?: string, percent?: string, slash?: string): string {
  const code = json ?? percent;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return slash ?? '';
}

/** The pieces of the text that decode to one character each. A NUL decodes to nothing, so it is part of the piece that follows. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let nuls = '';
  const add = (unit: string): void => {
    units.push(nuls + unit);
    nuls = '';
  };
  let at = 0;
  for (const { 0: unit, index } of text.matchAll(escaped)) {
    for (let place = at; place < index; place += 1) add(text.charAt(place));
    if (unit === '\0') nuls += unit;
    else add(unit);
    at = index + unit.length;
  }
  for (let place = at; place < text.length; place += 1) add(text.charAt(place));
  return nuls === '' ? units : [...units, nuls];
}

function maskPlain(source: string | string[], matches: readonly RegExpMatchArray[]): Masked {
  const units = typeof source === 'string' ? source.split('') : source;
  const found = new Set<KeyKind>();
  for (const { index = 0, 1: key = '', 2: token = '', 3: secret = '' } of matches) {
    const kind = kinds[token || secret];
    if (kind !== undefined) found.add(kind);
    units.fill('*', index, index + key.length - shownLength);
  }
  return { text: units.join(''), kinds: [...found] };
}

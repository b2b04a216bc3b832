/**
 * Finds and masks keys of ours in text that someone else wrote: a postback body, a pasted command. Only hashes of keys are kept, so a key
 * is known by its shape alone, and every key of that shape is masked, whichever store it belongs to and whether it still works.
 */
export type KeyKind = 'postback key' | 'API key' | 'webhook secret';

const kinds: Readonly<Record<string, KeyKind>> = { pbk: 'postback key', trb: 'API key', whsec: 'webhook secret' };

/** A look-ahead finds a key also where it begins within another match. Shapes: src/people/tokens.ts, src/webhooks/sign.ts. */
const keyShape = /(?=((pbk|trb)_[A-Za-z0-9_-]{43}|(whsec)_[A-Za-z0-9+/]{43}=?))/g;
const marker = /(?:pbk|trb|whsec)_/;

/**
 * How a character of a key may be written: as a JSON escape, also one that was escaped again, percent-encoded, or with the NULs of UTF-16.
 * A body that could not be parsed is searched like one that could. The number of backslashes is bounded, so that a text of nothing else
 * takes no longer than its length.
 */
const escaped = /\\{1,8}u00([0-9a-f]{2})|%([0-9a-f]{2})|\\{1,8}(\/)|\0/gi;

const shownLength = 4;

export type Masked = { readonly text: string; readonly kinds: readonly KeyKind[] };

/** All but the last four characters of each key become asterisks. A text without a key is returned as it is. */
export function maskKeys(text: string): Masked {
  if (!/[\\%\0]/.test(text)) {
    if (!marker.test(text)) return { text, kinds: [] };
    return maskPlain(text, [...text.matchAll(keyShape)]);
  }
  const matches = [...text.replace(escaped, decodedUnit).matchAll(keyShape)];
  return matches.length === 0 ? { text, kinds: [] } : maskPlain(unitsOf(text), matches);
}

/** Bytes as latin1, one character each: what is ASCII in them is found, and everything else comes back as it was. */
export function maskKeysInBytes(bytes: Buffer): { readonly bytes: Buffer; readonly kinds: readonly KeyKind[] } {
  const masked = maskKeys(bytes.toString('latin1'));
  return masked.kinds.length === 0 ? { bytes, kinds: [] } : { bytes: Buffer.from(masked.text, 'latin1'), kinds: masked.kinds };
}

/** The same value where nothing in it is a key. Names of members are masked like values; dates, numbers and cents are left alone. */
export function maskKeysIn<Value>(value: Value): Value;
export function maskKeysIn(value: unknown): unknown {
  return maskValue(value);
}

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

import { invariant } from '../core/invariant.ts';
import { sha256 } from '../core/sha256.ts';
import type { Operation } from './reasons.ts';

/**
 * The fields of an operation in one version. A new field adds a list with the next version and keeps the earlier ones. A replay is compared
 * by the list of the stored report, so that an upgrade never turns a replay into a conflict.
 */
export type FieldList = { readonly operation: Operation; readonly version: number; readonly names: readonly string[] };

/**
 * A report's known fields by their wire names, parsed and with defaults filled in. Null and undefined count as absent. A time is a Date; an
 * unreadable one is the text that was sent, because different unreadable texts are different content.
 */
export type Content = Readonly<Record<string, unknown>>;

/** SHA-256 of an ID as it was received. Orders, events, and invoices are found by it, even if the stored ID is masked. */
export function hashId(content: Content, name: string): Buffer {
  const id = content[name];
  invariant(typeof id === 'string', 'an ID that was read is text');
  return sha256(id);
}

const versionMax = 255;

/** 33 bytes: the version of the field list, then the SHA-256 of the content. */
export function contentHash(list: FieldList, content: Content): Buffer {
  invariant(Number.isInteger(list.version) && list.version >= 1 && list.version <= versionMax, 'the version of a field list fits a byte');
  const digest = sha256(`${list.operation}\n${canonicalOf(list, content)}`);
  const bytes = Buffer.allocUnsafe(1 + digest.length);
  bytes.writeUInt8(list.version);
  digest.copy(bytes, 1);
  return bytes;
}

/** The same text as `canonical`, but sorts the names once for each list. */
function canonicalOf(list: FieldList, content: Content): string {
  let text = '';
  for (const { name, json } of sortedNamesOf(list)) {
    const value = content[name];
    if (value !== null && value !== undefined) text += `${text === '' ? '' : ','}${json}:${canonical(value)}`;
  }
  return `{${text}}`;
}

type SortedName = { readonly name: string; readonly json: string };
const sortedNames = new WeakMap<FieldList, readonly SortedName[]>();

function sortedNamesOf(list: FieldList): readonly SortedName[] {
  const known = sortedNames.get(list);
  if (known !== undefined) return known;
  const sorted = list.names.toSorted((one, other) => (one < other ? -1 : 1)).map((name) => ({ name, json: JSON.stringify(name) }));
  sortedNames.set(list, sorted);
  return sorted;
}

export function isSameContent(stored: Buffer, lists: readonly FieldList[], content: Content): boolean {
  const list = lists.find(({ version }) => version === stored[0]);
  invariant(list, 'the field list of a stored report is never removed');
  return contentHash(list, content).equals(stored);
}

/**
 * The same text for all spellings of a value: sorted keys, absent members left out, numbers by value, times in UTC, arrays in their
 * order. A Date begins with @, which no JSON value does. A null inside metadata is kept, because it is the merchant's data.
 */
export function canonical(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  // Minus zero equals zero, and an infinite number is not null as in JSON.stringify.
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `@${value.getTime()}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  invariant(typeof value === 'object', 'content is made of JSON values, cents and times');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

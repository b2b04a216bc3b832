import { hash } from 'node:crypto';
import { must } from '../platform/must.ts';
import type { Operation } from './reasons.ts';

/**
 * The fields that were known when a report was judged. When a field is added, a list with the next version is added and
 * the former ones stay: a repetition of an old report is compared by the list it was kept under, so that an upgrade never
 * turns a replay into a conflict.
 */
export type FieldList = { readonly operation: Operation; readonly version: number; readonly names: readonly string[] };

/**
 * A report's known fields by their wire names, as parsed and with defaults filled in. Null and undefined are absent. A time
 * is a Date; one that cannot be read is the text that was sent, since other nonsense is other content.
 */
export type Content = Readonly<Record<string, unknown>>;

/** The SHA-256 of an ID as it was received: what orders, events and invoices are found by, also where the stored ID is masked. */
export function hashOfId(content: Content, name: string): Buffer {
  const id = content[name];
  must(typeof id === 'string', 'an ID that was read is text');
  return hash('sha256', id, 'buffer');
}

const versionMax = 255;

/** 33 bytes: the version of the field list, then SHA-256 of the content. */
export function contentHash(list: FieldList, content: Content): Buffer {
  must(Number.isInteger(list.version) && list.version >= 1 && list.version <= versionMax, 'the version of a field list fits a byte');
  const digest = hash('sha256', `${list.operation}\n${canonicalOf(list, content)}`, 'buffer');
  return Buffer.concat([Buffer.of(list.version), digest]);
}

/** As `canonical` writes an object of the known fields; their names are sorted once for each list. */
function canonicalOf(list: FieldList, content: Content): string {
  let text = '';
  for (const name of sortedNamesOf(list)) {
    const value = content[name];
    if (value !== null && value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(value)}`;
  }
  return `{${text}}`;
}

const sortedNames = new WeakMap<FieldList, readonly string[]>();

function sortedNamesOf(list: FieldList): readonly string[] {
  const known = sortedNames.get(list) ?? list.names.toSorted((one, other) => (one < other ? -1 : 1));
  sortedNames.set(list, known);
  return known;
}

export function isSameContent(kept: Buffer, lists: readonly FieldList[], content: Content): boolean {
  const list = lists.find(({ version }) => version === kept[0]);
  must(list, 'the field list under which a report was kept is never taken away');
  return contentHash(list, content).equals(kept);
}

/**
 * One text for all spellings of one value: keys sorted, what is absent left out, numbers by value, times in UTC, arrays in
 * their order. A Date is written with an @, which no JSON value begins with. A null inside of metadata is the merchant's own.
 */
export function canonical(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  // Minus zero is zero, and a number beyond all bounds is not null as JSON.stringify would have it.
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `@${value.getTime()}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  must(typeof value === 'object', 'content is made of JSON values, cents and times');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

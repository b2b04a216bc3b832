import { maskKeys } from '../core/mask-keys.ts';
import { isObject, lineFields, escapePointer, type Fields, type JsonObject } from './fields.ts';

/** A field that no operation reads, its JSON pointer, and the field that was probably meant. */
export type UnknownField = { readonly field: string; readonly name: string; readonly meant: string | null };

export const unknownFieldsMax = 20;
const nameLengthMax = 100;
const spellingErrorsMax = 2;

/** Unknown fields have no effect. The tracking log shows them to the merchant, because most are misspellings. */
export function unknownFields(known: Fields, json: JsonObject): readonly UnknownField[] {
  const found = unknownIn(Object.keys(known), json, '');
  const lines = 'line_items' in known && Array.isArray(json['line_items']) ? json['line_items'] : [];
  for (const [index, line] of lines.entries()) {
    if (found.length >= unknownFieldsMax) break;
    if (isObject(line)) found.push(...unknownIn(Object.keys(lineFields), line, `/line_items/${index}`));
  }
  return found.slice(0, unknownFieldsMax);
}

function unknownIn(known: readonly string[], json: JsonObject, parent: string): UnknownField[] {
  return Object.keys(json)
    .filter((name) => !known.includes(name))
    .slice(0, unknownFieldsMax)
    .map((name) => ({ field: `${parent}/${storablePointerPart(name)}`, name: storableName(name), meant: probableField(name, known) }));
}

/** A log entry must be storable, whatever the name is. */
const storableName = (name: string): string => maskKeys(name).text.slice(0, nameLengthMax).toWellFormed().replaceAll('\0', '\uFFFD');

/** A name as part of a stored JSON pointer. */
export const storablePointerPart = (name: string): string => escapePointer(storableName(name));

/** `eligible_amount` means `eligible_amount_cents`, `orderId` means `order_id`, `curency` means `currency`. */
export function probableField(name: string, known: readonly string[]): string | null {
  if (name.length > nameLengthMax) return null;
  const words = wordsOf(name);
  const containing = known.filter((candidate) => words.length > 0 && words.every((word) => wordsOf(candidate).includes(word)));
  if (containing.length === 1) return containing[0] ?? null;
  const similar = known.filter((candidate) => name.length > 2 * spellingErrorsMax && spellingErrors(name, candidate) <= spellingErrorsMax);
  return similar.length === 1 ? (similar[0] ?? null) : null;
}

function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** The Levenshtein distance. */
function spellingErrors(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] ?? 0) + (character === other[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}

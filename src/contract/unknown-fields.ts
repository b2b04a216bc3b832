import { maskKeys } from '../platform/mask-keys.ts';
import { isObject, lineFields, pointed, type Fields, type JsonObject } from './fields.ts';

/** A field that nobody reads, its JSON pointer, and the one that was probably meant. */
export type UnknownField = { readonly field: string; readonly name: string; readonly meant: string | null };

export const unknownFieldsMax = 20;
const nameLengthMax = 100;
const spellingErrorsMax = 2;

/** Unknown fields change nothing. A merchant sees them in the tracking log, because most are typing errors. */
export function unknownFields(known: Fields, json: JsonObject): readonly UnknownField[] {
  const found = unknownIn(Object.keys(known), json, '');
  const lines = 'line_items' in known && Array.isArray(json['line_items']) ? json['line_items'] : [];
  for (const [index, line] of lines.entries()) {
    if (found.length >= unknownFieldsMax) break;
    if (isObject(line)) found.push(...unknownIn(Object.keys(lineFields), line, `/line_items/${index}`));
  }
  return found.slice(0, unknownFieldsMax);
}

function unknownIn(known: readonly string[], json: JsonObject, place: string): UnknownField[] {
  return Object.keys(json)
    .filter((name) => !known.includes(name))
    .slice(0, unknownFieldsMax)
    .map((name) => ({ field: `${place}/${pointedName(name)}`, name: shown(name), meant: probablyMeant(name, known) }));
}

/** What stands in a log must be storable, whatever it was called. */
const shown = (name: string): string => maskKeys(name).text.slice(0, nameLengthMax).toWellFormed().replaceAll('\0', '\uFFFD');

/** A name as a part of a JSON pointer that is stored. */
export const pointedName = (name: string): string => pointed(shown(name));

/** `eligible_amount` means `eligible_amount_cents`, `orderId` means `order_id`, `curency` means `currency`. */
export function probablyMeant(name: string, known: readonly string[]): string | null {
  if (name.length > nameLengthMax) return null;
  const words = wordsOf(name);
  const holding = known.filter((candidate) => words.length > 0 && words.every((word) => wordsOf(candidate).includes(word)));
  if (holding.length === 1) return holding[0] ?? null;
  const near = known.filter((candidate) => name.length > 2 * spellingErrorsMax && spellingErrors(name, candidate) <= spellingErrorsMax);
  return near.length === 1 ? (near[0] ?? null) : null;
}

function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** How many letters must be put in, taken out or changed (Levenshtein). */
function spellingErrors(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}

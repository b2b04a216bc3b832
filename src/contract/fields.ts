import { isCountryCode } from '../core/countries.ts';
import { maskKeysIn } from '../core/mask-keys.ts';
import { cents, sum, type Cents } from '../core/money.ts';
import { readTimestamp, type Timestamp } from './timestamp.ts';

/** An invalid field. It is a class, so that no JSON value can be mistaken for one. */
export class FieldError {
  readonly reason: 'invalid_payload' | 'unexpected_click_id';
  /** A JSON pointer. */
  readonly field: string;
  readonly message: string;
  constructor(field: string, message: string, reason: FieldError['reason'] = 'invalid_payload') {
    this.field = field;
    this.message = message;
    this.reason = reason;
  }
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads the value of a present field. Null if the value counts as absent. `field` is its JSON pointer. */
export type Reader<Value> = (given: unknown, field: string) => Value | null | FieldError;
/** A field of an operation, which also handles an absent value. */
export type Field<Value> = (given: unknown, field: string) => Value | FieldError;

/** The fields of an operation by their wire names, in the order in which they are checked. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Values<Known extends Fields> = { readonly [Name in keyof Known]: Exclude<ReturnType<Known[Name]>, FieldError> };

/**
 * The values of all known fields, or the first error. `content` is what hashes and comparisons use: the parsed values, and the text that
 * was sent for an unreadable time. `values` may be stored and shown: the service's own keys in them are masked. Unknown fields are
 * ignored.
 */
export function readFields<Known extends Fields>(
  known: Known,
  json: JsonObject,
): { readonly values: Values<Known>; readonly content: JsonObject } | FieldError {
  const values: Record<string, unknown> = {};
  const content: Record<string, unknown> = {};
  for (const { name, field, read } of fieldListOf(known)) {
    const given = Object.hasOwn(json, name) ? json[name] : null;
    const value = read(given, field);
    if (value instanceof FieldError) return value;
    values[name] = maskKeysIn(value);
    content[name] = value === 'unreadable' ? given : value;
  }
  return { values: values as Values<Known>, content };
}

type ListedField = { readonly name: string; readonly field: string; readonly read: Field<unknown> };
const fieldLists = new WeakMap<Fields, readonly ListedField[]>();

/** Made once for each operation. */
function fieldListOf(known: Fields): readonly ListedField[] {
  const made = fieldLists.get(known);
  if (made !== undefined) return made;
  const list = Object.entries(known).map(([name, read]) => ({ name, field: `/${name}`, read }));
  fieldLists.set(known, list);
  return list;
}

export function required<Value>(read: Reader<Value>): Field<Value> {
  return (given, field) => {
    const value = given === null ? null : read(given, field);
    return value ?? new FieldError(field, `${nameOf(field)} is required.`);
  };
}

export function optional<Value>(read: Reader<Value>): Field<Value | null> {
  return (given, field) => (given === null ? null : read(given, field));
}

export const textLengthMax = 500;

/** Stored and compared exactly as sent: never trimmed, folded, or normalized. The length counts code points. */
export function text(given: unknown, field: string): string | null | FieldError {
  if (typeof given !== 'string') return new FieldError(field, `${nameOf(field)} must be a string.`);
  if (given === '') return null;
  if (isLongerThan(given, textLengthMax)) return new FieldError(field, `${nameOf(field)} must have at most ${textLengthMax} characters.`);
  return isStorable(given) ? given : new FieldError(field, `${nameOf(field)} must not contain U+0000 or an unpaired surrogate.`);
}

/** The longest `kind` of a lead. */
export const leadKindLengthMax = 64;

export const discountCodesMax = 20;

/** An empty text is no code. */
export function namedCodes(codes: readonly string[]): readonly string[] | null {
  const named = codes.filter((code) => code !== '');
  return named.length === 0 ? null : named;
}

/** Anything else than a list of codes was ignored before the field existed, so it fails only in a store whose terms count codes. */
export function discountCodes(given: unknown, field: string): readonly string[] | 'unreadable' | null {
  if (!Array.isArray(given) || given.length > discountCodesMax) return 'unreadable';
  const codes = given.map((code) => (code === '' ? '' : text(code, field)));
  if (!codes.every((code) => typeof code === 'string')) return 'unreadable';
  return codes.length === 0 ? null : codes;
}

const clickIdLengthMax = 200;

/** Checks only type and length. Whether the click exists is decided later (422, not 400). */
export function clickId(given: unknown, field: string): string | null | FieldError {
  if (typeof given !== 'string') return new FieldError(field, `${nameOf(field)} must be a string.`);
  if (given === '') return null;
  return isLongerThan(given, clickIdLengthMax)
    ? new FieldError(field, `${nameOf(field)} must have at most ${clickIdLengthMax} characters.`)
    : given;
}

/** Anything else than the code of a country was ignored before the field existed, and still is. */
export function country(given: unknown): string | null {
  const code = typeof given === 'string' ? given.toUpperCase() : '';
  return isCountryCode(code) ? code : null;
}

/** Checks the parsed value: `1e3` and `10.0` are whole, `"10"` is not a number, and 2^53 + 1 was already parsed to 2^53. */
export function amount(given: unknown, field: string): Cents | FieldError {
  const whole = wholeNumber(given, 0);
  return whole === null
    ? new FieldError(field, `${nameOf(field)} must be a whole number of cents from 0 to ${Number.MAX_SAFE_INTEGER}.`)
    : cents(whole);
}

/** A bigint, so that no product with an amount can overflow. */
export function quantity(given: unknown, field: string): bigint | FieldError {
  const whole = wholeNumber(given, 1);
  return whole === null
    ? new FieldError(field, `${nameOf(field)} must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`)
    : BigInt(whole);
}

/** Like a quantity, and 0 is possible. */
function units(given: unknown, field: string): bigint | FieldError {
  const whole = wholeNumber(given, 0);
  return whole === null
    ? new FieldError(field, `${nameOf(field)} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`)
    : BigInt(whole);
}

/** `false` counts as absent. */
export function flag(given: unknown, field: string): true | null | FieldError {
  if (typeof given !== 'boolean') return new FieldError(field, `${nameOf(field)} must be true or false.`);
  return given ? true : null;
}

/** Which currencies earn is decided later (422). */
export function currency(given: unknown, field: string): string | FieldError {
  const isCode = typeof given === 'string' && /^[A-Za-z]{3}$/.test(given);
  return isCode ? given : new FieldError(field, `${nameOf(field)} must be a three-letter currency code, such as USD.`);
}

function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (given, field) =>
    words.find((word) => word === given) ?? new FieldError(field, `${nameOf(field)} must be one of ${words.join(', ')}.`);
}

export const environment = oneOf(['live', 'test']);
export const paymentState = oneOf(['paid', 'failed', 'open', 'void', 'uncollectible']);

export function time(given: unknown, field: string): Timestamp | FieldError {
  return typeof given === 'string'
    ? readTimestamp(given)
    : new FieldError(field, `${nameOf(field)} must be a string such as 2026-03-01T12:00:00.000Z.`);
}

/** `amount` is the line's total for its whole quantity. */
export type Line = { readonly productId: string; readonly amount: Cents; readonly quantity: bigint };
export const linesMax = 200;

export const lineFields = { product_id: required(text), amount_minor_units: required(amount), quantity: required(quantity) };

export const lineItems = (given: unknown, field: string): readonly Line[] | null | FieldError =>
  readLines(given, field, lineFields.quantity);

/** An empty list counts as absent. */
function readLines(given: unknown, field: string, readQuantity: Field<bigint>): readonly Line[] | null | FieldError {
  if (!Array.isArray(given)) return new FieldError(field, `${nameOf(field)} must be an array.`);
  if (given.length === 0) return null;
  if (given.length > linesMax) return new FieldError(field, `${nameOf(field)} must have at most ${linesMax} items.`);
  const lines: Line[] = [];
  for (const [index, item] of given.entries()) {
    const place = `${field}/${index}`;
    if (!isObject(item)) return new FieldError(place, 'Each line item must be an object.');
    const line = readLine(item, readQuantity);
    if (line instanceof FieldError) return new FieldError(place + line.field, line.message);
    lines.push(line);
  }
  return lines;
}

/** Not masked, because the caller masks the whole list. */
function readLine(item: JsonObject, readQuantity: Field<bigint>): Line | FieldError {
  const given = (name: string): unknown => (Object.hasOwn(item, name) ? item[name] : null);
  const productId = lineFields.product_id(given('product_id'), '/product_id');
  if (productId instanceof FieldError) return productId;
  const total = lineFields.amount_minor_units(given('amount_minor_units'), '/amount_minor_units');
  if (total instanceof FieldError) return total;
  const count = readQuantity(given('quantity'), '/quantity');
  return count instanceof FieldError ? count : { productId, amount: total, quantity: count };
}

const returnedQuantity: Field<bigint> = (given, field) => (given === null ? 0n : units(given, field));

/** Lines of a refund. `quantity` is the number of units that came back; without it, the price was reduced and none did. */
export const refundedLines = (given: unknown, field: string): readonly Line[] | null | FieldError =>
  readLines(given, field, returnedQuantity);

/** The refunded part of the eligible amount, at least a cent: the amount, or the sum of the lines. With both, they must agree. */
export function refundedAmount(
  given: Cents | null,
  lines: readonly Line[] | null,
  names: { readonly amount: string; readonly lines: string },
): Cents | FieldError {
  const field = `/${names.amount}`;
  if (given === null && lines === null)
    return new FieldError(field, `${names.amount} or ${names.lines} is required: the refunded part of the eligible amount.`);
  const total = lines === null ? null : sum(lines.map((line) => line.amount));
  if (given !== null && total !== null && given !== total)
    return new FieldError(`/${names.lines}`, `${names.lines} must add up to ${names.amount}, which is ${given}. They add up to ${total}.`);
  const refunded = given ?? total ?? cents(0);
  if (refunded > BigInt(Number.MAX_SAFE_INTEGER)) return new FieldError(`/${names.lines}`, `${names.lines} add up to more than 2^53 - 1.`);
  return refunded > 0n ? refunded : new FieldError(given === null ? `/${names.lines}` : field, 'A refund is of at least 1 cent.');
}

export const metadataBytesMax = 4_096;

/** PHP encodes an empty map as an empty array. */
export function metadata(given: unknown, field: string): JsonObject | FieldError {
  const object = Array.isArray(given) && given.length === 0 ? {} : given;
  if (!isObject(object)) return new FieldError(field, `${nameOf(field)} must be an object.`);
  const pointer = unstorablePlace(object, field);
  if (pointer !== null) return new FieldError(pointer, `${nameOf(field)} must not contain U+0000 or an unpaired surrogate.`);
  const bytes = Buffer.byteLength(JSON.stringify(object));
  return bytes > metadataBytesMax
    ? new FieldError(field, `${nameOf(field)} must have at most ${metadataBytesMax} bytes; it has ${bytes}.`)
    : object;
}

function partOfARefund(given: unknown, field: string): null | FieldError {
  if (given === null) return null;
  return new FieldError(
    field,
    `${nameOf(field)} would mean a partial refund, and this operation reports full refunds only. Omit it if the order was refunded in full.`,
  );
}

/** A reversal with one of these fields is rejected, because nothing may turn a partial refund into a full one. */
export const partialRefundFields = {
  amount: partOfARefund,
  amount_cents: partOfARefund,
  amount_minor_units: partOfARefund,
  refund_amount_cents: partOfARefund,
};

/** A billing event must not carry a click, which the bind already has. */
export function unexpectedClickId(given: unknown, field: string): null | FieldError {
  if (given === null || given === '') return null;
  return new FieldError(
    field,
    'A billing event must not have a click_id. The click was sent once, when the subscription was bound.',
    'unexpected_click_id',
  );
}

export function checkEligible(eligible: Cents, total: Cents, field: string): FieldError | null {
  return eligible > total ? new FieldError(field, `${nameOf(field)} is ${eligible}, which is more than the total of ${total}.`) : null;
}

export function checkLineSum(lines: readonly Line[], eligible: Cents, field: string): FieldError | null {
  const total = sum(lines.map((line) => line.amount));
  return total === eligible
    ? null
    : new FieldError(field, `${nameOf(field)} must add up to the eligible amount of ${eligible}. They add up to ${total}.`);
}

export const nestingMax = 32;

/** An object inside an object has depth two. */
export function isTooDeep(json: unknown, depthLeft: number = nestingMax): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (depthLeft === 0) return true;
  return Object.values(json).some((member) => isTooDeep(member, depthLeft - 1));
}

export function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const nameOf = (field: string): string => field.slice(field.lastIndexOf('/') + 1);

function wholeNumber(given: unknown, least: number): number | null {
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= least ? given : null;
}

function isLongerThan(given: string, lengthMax: number): boolean {
  // A code point has one or two code units, so only lengths in between need counting.
  if (given.length <= lengthMax) return false;
  return given.length > 2 * lengthMax || [...given].length > lengthMax;
}

/** PostgreSQL rejects both, in text and in jsonb. */
const isStorable = (given: string): boolean => given.isWellFormed() && !given.includes('\0');

/** Escapes a name for a JSON pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function unstorablePlace(json: unknown, place: string): string | null {
  if (typeof json === 'string') return isStorable(json) ? null : place;
  if (typeof json !== 'object' || json === null) return null;
  for (const [name, member] of Object.entries(json)) {
    if (!isStorable(name)) return place;
    const below = unstorablePlace(member, `${place}/${escapePointer(name)}`);
    if (below !== null) return below;
  }
  return null;
}

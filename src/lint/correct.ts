import { clickIdPattern } from '../contract/click-id.ts';
import type { Fields, JsonObject } from '../contract/fields.ts';
import type { Operation } from '../contract/reasons.ts';
import { probableField } from '../contract/unknown-fields.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A change that makes a body say what was probably meant. */
export type Change = { readonly field: string; readonly message: string };
export type Corrected = { readonly json: JsonObject; readonly changes: readonly Change[] };

const amountNames = ['order_subtotal_cents', 'eligible_amount_cents', 'amount_paid_minor_units', 'eligible_amount_minor_units'];
const textNames = [
  'order_id',
  'event_id',
  'relationship_id',
  'invoice_id',
  'product_id',
  'price_id',
  'customer_id',
  'order_name',
  'discount_code',
];
const clickShape = new RegExp(clickIdPattern);
/** Maps, because the keys are untrusted: an object would also have `constructor`. */
const words: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['environment', new Map(Object.entries({ production: 'live', prod: 'live', sandbox: 'test', staging: 'test' }))],
  ['payment_state', new Map(Object.entries({ succeeded: 'paid', success: 'paid', unpaid: 'open', voided: 'void' }))],
]);

/**
 * Corrects values with one plausible meaning, and describes each correction. Values that could mean two things (a partial refund, a missing
 * order) stay, and are reported as errors.
 */
export function correct(operation: Operation, fields: Fields, json: JsonObject): Corrected {
  const changes: Change[] = [];
  const note = (name: string, message: string) => void changes.push({ field: `/${name}`, message });
  const better = betterNames(json, Object.keys(fields));
  const corrected: Array<readonly [string, unknown]> = [];
  for (const [given, value] of Object.entries(json)) {
    const name = better.get(given) ?? given;
    if (name !== given) note(given, apiMessage('correct.called', { name }));
    const right = correctValue(name, value);
    if (right !== null) note(name, right.message);
    if (operation === 'billing_event' && name === 'click_id') note(name, apiMessage('correct.billing_event_carries_no_click'));
    else corrected.push([name, right === null ? value : right.value]);
  }
  return { json: Object.fromEntries(corrected), changes };
}

/** Comparing names is slow, and no real report has more unknown fields. Further ones stay unchanged. */
const comparedNamesMax = 100;

/** Corrects a name only if one unknown field means it and the known field is absent; otherwise the intent is ambiguous. */
function betterNames(json: JsonObject, known: readonly string[]): ReadonlyMap<string, string> {
  const meaning = new Map<string, string[]>();
  const unknown = Object.keys(json).filter((given) => !known.includes(given));
  for (const given of unknown.slice(0, comparedNamesMax)) {
    const meant = probableField(given, known);
    if (meant !== null && !Object.hasOwn(json, meant)) meaning.set(meant, [...(meaning.get(meant) ?? []), given]);
  }
  return new Map([...meaning].flatMap(([meant, [given, another]]) => (given && another === undefined ? [[given, meant]] : [])));
}

type Better = { readonly value: unknown; readonly message: string };

function correctValue(name: string, value: unknown): Better | null {
  if (amountNames.includes(name)) return correctAmount(name, value);
  if (textNames.includes(name) && typeof value === 'number')
    return { value: String(value), message: apiMessage('correct.text', { name, value }) };
  if (name === 'occurred_at') return correctTime(value);
  if (name === 'line_items') return correctLineItems(value);
  if (typeof value !== 'string') return null;
  if (name === 'click_id') return correctClickId(value);
  if (name === 'currency' && value !== 'USD' && /^\s*(usd|us\$|\$)\s*$/i.test(value))
    return { value: 'USD', message: apiMessage('correct.currency_usd_exactly_so') };
  if (name === 'test' && /^(true|false)$/i.test(value))
    return { value: value.toLowerCase() === 'true', message: apiMessage('correct.test_true_or_false_without') };
  const wanted = words.get(name);
  if (wanted === undefined) return null;
  const lower = value.trim().toLowerCase();
  const word = wanted.get(lower) ?? lower;
  return word === value ? null : { value: word, message: apiMessage('correct.corrected', { name, word }) };
}

/**
 * Works on the digits, because `10.05 * 100` is not a whole number. No two parts of the pattern match the same text, so that a long run of
 * spaces takes linear time.
 */
function correctAmount(name: string, value: unknown): Better | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const [, sign, whole = '', fraction] = /^\s*(?:(\$)\s*)?(\d{1,12})(?:\.(\d{1,2}))?\s*$/.exec(text) ?? [];
  if (whole === '' || (typeof value === 'number' && Number.isInteger(value))) return null;
  if (sign === undefined && fraction === undefined)
    return { value: Number(whole), message: apiMessage('correct.number_without_quotes_taken', { name, whole }) };
  const cents = Number(whole + (fraction ?? '').padEnd(2, '0'));
  return { value: cents, message: apiMessage('correct.whole_cents_taken_for', { name, cents }) };
}

function correctClickId(value: string): Better | null {
  const click = clickShape.exec(value)?.[0];
  return click === undefined || click === value ? null : { value: click, message: apiMessage('correct.click_id_click_id_alone') };
}

/** No language writes a longer time, and the patterns below take quadratic time. */
const timeLengthMax = 64;

function correctTime(value: unknown): Better | null {
  if (typeof value === 'number') return correctUnixTime(value);
  if (typeof value !== 'string' || value.length > timeLengthMax || readTimestamp(value) !== 'unreadable') return null;
  const spaced = value.trim().replace(/^(\d{4}-\d\d-\d\d)[ t](\d\d:\d\d)/, '$1T$2');
  const seconds = spaced.replace(/^(.{16})(?=$|[Zz+-])/, '$1:00');
  const fraction = seconds.replace(/(\.\d{9})\d+/, '$1');
  const offset = fraction
    .replace(/\s*(z|utc|gmt)$/i, 'Z')
    .replace(/ ?([+-]\d\d)(\d\d)?$/, (_all, hours: string, minutes = '00') => `${hours}:${minutes}`);
  const isNaive = !/(Z|[+-]\d\d:\d\d)$/.test(offset);
  const time = isNaive ? `${offset}Z` : offset;
  if (readTimestamp(time) === 'unreadable') return null;
  const message = isNaive
    ? 'occurred_at needs an offset. It was read as UTC: check whether your server sends UTC.'
    : `occurred_at must be ${time}.`;
  return { value: time, message };
}

const millisecondsFrom = 100_000_000_000;

/** Seconds or milliseconds since 1970, distinguished by their size. */
function correctUnixTime(value: number): Better | null {
  const date = new Date(value < millisecondsFrom ? value * 1_000 : value);
  if (!(value > 0) || Number.isNaN(date.getTime())) return null;
  const time = date.toISOString();
  // Another unit, such as microseconds, would lead to a year of five digits, which is not accepted.
  if (readTimestamp(time) === 'unreadable') return null;
  return {
    value: time,
    message: apiMessage('correct.occurred_at_text_such_as_2026_03_01_t12'),
  };
}

function correctLineItems(value: unknown): Better | null {
  if (!Array.isArray(value)) return null;
  let isChanged = false;
  const lines = value.map((line: unknown) => {
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return line;
    const entries = Object.entries(line).map(([name, given]) => {
      const better =
        name === 'quantity' && typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : correctLineValue(name, given);
      isChanged ||= better !== given;
      return [name, better];
    });
    return Object.fromEntries(entries);
  });
  return isChanged ? { value: lines, message: apiMessage('correct.line_has_product_id_as_text') } : null;
}

function correctLineValue(name: string, given: unknown): unknown {
  if (name === 'amount_minor_units') return correctAmount(name, given)?.value ?? given;
  return name === 'product_id' && typeof given === 'number' ? String(given) : given;
}

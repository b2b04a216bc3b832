import { clickIdLength, clickIdPattern } from '../contract/click-id.ts';
import { isObject, isTooDeep, nestingMax, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { reasonRow, statusOf, type Operation, type Reason } from '../contract/reasons.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead, readTimestamp } from '../contract/timestamp.ts';
import { warningsOf, type Warning } from '../tracking/warnings.ts';
import { correct, type Change } from './correct.ts';
import { fieldErrors, kindOf, type PostbackKind } from './postback-kinds.ts';
import { isCurl, readCurl, type CurlRead } from './read-curl.ts';
import { maskKeys, type KeyKind } from '../core/mask-keys.ts';

/** What the service would answer, as far as the report alone determines it. */
export type LintError = { readonly reason: Reason; readonly status: number; readonly field: string | null; readonly message: string };

export type Lint = {
  /** The operation that was named or detected. Null if it is unknown. */
  readonly operation: Operation | null;
  /** Each would be rejected. */
  readonly faults: readonly LintError[];
  /** Accepted, but probably not what was meant. */
  readonly warnings: readonly Warning[];
  /** The report as it was probably meant. Null if nothing was changed, or the body could not be parsed. */
  readonly corrected: { readonly body: string; readonly changes: readonly Change[]; readonly faults: readonly LintError[] } | null;
  /** The parsed curl command. Null if the text is a body. */
  readonly curlRead: CurlRead | null;
};

/** Enough for a curl command with the largest body. */
export const lintTextLengthMax = 65_536;

type LintInput = {
  /** Null: detect it from the curl command or the fields. */
  readonly operation: Operation | null;
  /** A body, or a whole curl command. */
  readonly text: string;
  readonly now: Date;
};

/**
 * Validates a report that was not sent, with the parsers of real reports. It knows no store, so it does not look up clicks, orders, or
 * terms.
 */
export function lintPostback({ operation: named, text, now }: LintInput): Lint {
  const curlRead = isCurl(text) ? readCurl(text) : null;
  const body = curlRead === null ? text : curlRead.body;
  const around = curlRead === null ? [] : errorsOfCurl(curlRead);
  const json = body === null ? null : readLoosely(body);
  const operation = named ?? curlRead?.operation ?? (json?.value ? guess(json.value) : null);
  const kind = operation === null ? undefined : kindOf(operation);
  const keysInBody = maskKeys(body ?? '').kinds;
  const unread = { fields: {}, json: null, receivedAt: now, origin: null, secFetchSite: null, keysInBody };
  const warnings = warningsOf(unread, { outcome: { reason: 'json_required' }, why: {} });
  const end = { operation, warnings, corrected: null, curlRead };
  if (body === null) return { ...end, faults: around.length > 0 ? around : [lintError('json_required', null, 'There is no body.')] };
  // A value that is nested too deeply is not read, because it could overflow the stack.
  if (json === null || json.value === null || isTooDeep(json.value)) return { ...end, faults: [...around, ...errorsOfText(body)] };
  if (kind === undefined)
    return { ...end, faults: [...around, lintError('invalid_payload', null, 'Nothing shows which of the eight reports this is; say it.')] };
  const errors = [...around, ...errorsOfText(body), ...errorsIn(kind, json.value, now)];
  return {
    ...end,
    operation: kind.operation,
    faults: errors,
    warnings: warningsIn(kind, json.value, { now, keysInBody }),
    corrected: correctedOf(kind, { ...json, value: json.value }, now),
  };
}

function lintError(reason: Reason, field: string | null, message: string = reasonRow(reason).means): LintError {
  return { reason, status: statusOf(reason, null), field, message };
}

function errorsOfCurl({ method, url, operation, hasKey, contentType, bodyFile }: CurlRead): readonly LintError[] {
  const errors: LintError[] = [];
  if (url === null || operation === null)
    errors.push(lintError('not_found', null, 'The address is none of the eight that take reports; see docs/wire.md.'));
  if (method !== 'POST') errors.push(lintError('method_not_allowed', null));
  if (!hasKey) errors.push(lintError('missing_postback_key', null));
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
    const message = `It would be sent as ${contentType}: curl says so where no other Content-Type is given. Add -H "Content-Type: application/json".`;
    errors.push(lintError('json_required', null, message));
  }
  if (bodyFile !== null)
    errors.push(
      lintError('json_required', null, `The body is read from the file ${bodyFile}, which is not here: put its text in its place.`),
    );
  return errors;
}

type Loose = {
  /** Null if it is not an object. */
  readonly value: JsonObject | null;
  readonly changes: readonly Change[];
};

/** Parses JSON, or JSON with the mistakes that editors and other languages introduce. */
function readLoosely(body: string): Loose | null {
  const strict = parse(body);
  if (strict !== undefined) return { value: isObject(strict) ? strict : null, changes: [] };
  const repaired = body
    .trim()
    .replace(/^\uFEFF/, '')
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/,(\s*[}\]])/g, '$1');
  const value = parse(repaired);
  const changes = [{ field: '', message: 'It was no JSON: a comma before a closing bracket, typographic quotes, or a byte-order mark.' }];
  return isObject(value) ? { value, changes } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorsOfText(body: string): readonly LintError[] {
  if (Buffer.byteLength(body) > postbackBytesMax) return [lintError('payload_too_large', null)];
  const value = parse(body);
  if (value === undefined) return [lintError('json_required', null, `This is no JSON. ${whereItBreaks(body)}`)];
  if (!isObject(value)) return [lintError('invalid_payload', null, 'The body must be a JSON object.')];
  return isTooDeep(value) ? [lintError('invalid_payload', null, `The body is nested deeper than ${nestingMax}.`)] : [];
}

/** The parser's message quotes its input, so it gets the masked text. */
function whereItBreaks(body: string): string {
  try {
    JSON.parse(maskKeys(body).text);
    return '';
  } catch (error) {
    return error instanceof Error ? `The parser says: ${error.message}.` : '';
  }
}

function errorsIn(kind: PostbackKind, json: JsonObject, now: Date): readonly LintError[] {
  const { operation } = kind;
  const found = fieldErrors(kind, json).map(({ reason, field, message }) => lintError(reason, field, message));
  if (operation === 'conversion' && (json['click_id'] ?? '') === '') found.push(lintError('missing_referral_click', '/click_id'));
  const { currency, occurred_at: occurred } = json;
  if (typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency) && currency !== 'USD')
    found.push(lintError('unsupported_pricing_currency', '/currency'));
  if (typeof occurred === 'string') found.push(...errorsOfTime(operation, occurred, now));
  return found;
}

function errorsOfTime(operation: Operation, text: string, now: Date): readonly LintError[] {
  const at = readTimestamp(text);
  const blame = (message: string) => [lintError('invalid_occurred_at', '/occurred_at', message)];
  if (at === 'unreadable') return blame('occurred_at is not a time such as 2026-03-01T12:00:00.000Z: date, T, time, and an offset.');
  if (isTooFarAhead(at, now)) return blame('occurred_at lies more than 5 minutes ahead.');
  // The maximum age of an order depends on its program, which is not looked up here.
  const isOld = operation !== 'conversion' && isOlderThanDays(at, { now, daysMax: eventAgeDaysMax });
  return isOld ? blame(`occurred_at is more than ${eventAgeDaysMax} days old.`) : [];
}

const clickShape = new RegExp(`^${clickIdPattern}$`);

/** The warnings of the tracking log. A click ID is only checked for its format. */
type Seen = { readonly now: Date; readonly keysInBody: readonly KeyKind[] };

function warningsIn({ fields }: PostbackKind, json: JsonObject, { now, keysInBody }: Seen): readonly Warning[] {
  const click = json['click_id'];
  const isOurs = typeof click !== 'string' || click === '' || clickShape.test(click);
  const outcome = { reason: isOurs ? 'recorded' : 'unknown_referral_click' } as const;
  const warnings = warningsOf({ fields, json, receivedAt: now, origin: null, secFetchSite: null, keysInBody }, { outcome, why: {} });
  if (isOurs || warnings.some(({ field }) => field === '/click_id')) return warnings;
  const message = `This is no click ID of the service: it begins with rmc_ or rmv_ and has ${clickIdLength} characters.`;
  return [...warnings, { code: 'click_not_bare', field: '/click_id', message }];
}

function correctedOf(kind: PostbackKind, { value, changes: before }: Loose & { readonly value: JsonObject }, now: Date): Lint['corrected'] {
  const { json, changes } = correct(kind.operation, kind.fields, value);
  if (before.length + changes.length === 0) return null;
  return { body: JSON.stringify(json, null, 2), changes: [...before, ...changes], faults: errorsIn(kind, json, now) };
}

/** Detects the operation by fields that no other operation has. */
function guess(json: JsonObject): Operation | null {
  const has = (...names: readonly string[]) => names.some((name) => Object.hasOwn(json, name));
  if (has('refund_id')) return has('relationship_id', 'invoice_id') ? 'invoice_refund' : 'order_refund';
  if (has('payment_state', 'amount_paid_minor_units')) return 'billing_event';
  if (has('order_subtotal_cents')) return 'conversion';
  if (has('order_id')) return has('click_id', 'currency', 'line_items') ? 'conversion' : 'reversal';
  if (has('invoice_id')) return 'invoice_reversal';
  return has('relationship_id') && has('click_id', 'product_id') ? 'relationship' : null;
}

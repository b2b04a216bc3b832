import { clickIdLength, clickIdPattern } from '../contract/click-id.ts';
import { isObject, isTooDeep, nestingMax, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { reasonRow, statusOf, type Operation, type Reason } from '../contract/reasons.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead, readTimestamp } from '../contract/timestamp.ts';
import { warningsOf, type Warning } from '../tracking/warnings.ts';
import { correct, type Change } from './correct.ts';
import { namesPartnerFields } from '../subscriptions/report.ts';
import { fieldErrors, kindOf, type PostbackKind } from './postback-kinds.ts';
import { isCurl, readCurl, type CurlRead } from './read-curl.ts';
import { maskKeys, type KeyKind } from '../core/mask-keys.ts';
import { apiMessage } from '../messages/api-message.ts';

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
  if (body === null)
    return { ...end, faults: around.length > 0 ? around : [lintError('json_required', null, apiMessage('lint.there_no_body'))] };
  // A value that is nested too deeply is not read, because it could overflow the stack.
  if (json === null || json.value === null || isTooDeep(json.value)) return { ...end, faults: [...around, ...errorsOfText(body)] };
  if (kind === undefined)
    return { ...end, faults: [...around, lintError('invalid_payload', null, apiMessage('lint.nothing_shows_which_six_reports'))] };
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
  if (url === null || operation === null) errors.push(lintError('not_found', null, apiMessage('lint.address_none_six_take_reports')));
  if (method !== 'POST') errors.push(lintError('method_not_allowed', null));
  if (!hasKey) errors.push(lintError('missing_postback_key', null));
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
    const message = apiMessage('lint.would_sent_as_curl', { contentType });
    errors.push(lintError('json_required', null, message));
  }
  if (bodyFile !== null) errors.push(lintError('json_required', null, apiMessage('lint.body_read_from_file', { bodyFile })));
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
  const changes = [{ field: '', message: apiMessage('lint.no_json_comma_before_closing') }];
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
  if (value === undefined) return [lintError('json_required', null, apiMessage('lint.no_json', { body: whereItBreaks(body) }))];
  if (!isObject(value)) return [lintError('invalid_payload', null, apiMessage('shared.body_not_an_object'))];
  return isTooDeep(value) ? [lintError('invalid_payload', null, apiMessage('lint.body_nested_deeper_than', { nestingMax }))] : [];
}

/** The parser's message quotes its input, so it gets the masked text. */
function whereItBreaks(body: string): string {
  try {
    JSON.parse(maskKeys(body).text);
    return '';
  } catch (error) {
    return error instanceof Error ? apiMessage('lint.parser_says', { message: error.message }) : '';
  }
}

function errorsIn(kind: PostbackKind, json: JsonObject, now: Date): readonly LintError[] {
  const { operation } = kind;
  const found = fieldErrors(kind, json).map(({ reason, field, message }) => lintError(reason, field, message));
  // Whether a code or a customer counts depends on the store's terms, which are not looked up here.
  const canEarn = (json['click_id'] ?? '') !== '' || namesPartnerFields(json);
  if (operation === 'conversion' && !canEarn) found.push(lintError('missing_referral_click', '/click_id'));
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
  const isOld = operation !== 'conversion' && operation !== 'lead' && isOlderThanDays(at, { now, daysMax: eventAgeDaysMax });
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
  const message = apiMessage('lint.no_click_id_service_begins', { clickIdLength });
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
  if (has('lead_id')) return has('kind', 'click_id', 'discount_code', 'customer_id') ? 'lead' : 'lead_reversal';
  if (has('refund_id')) return has('relationship_id', 'invoice_id') ? 'invoice_refund' : 'order_refund';
  if (has('payment_state', 'amount_paid_minor_units')) return 'billing_event';
  if (has('order_subtotal_cents')) return 'conversion';
  if (has('order_id')) return has('click_id', 'currency', 'line_items') ? 'conversion' : 'reversal';
  if (has('invoice_id')) return 'invoice_reversal';
  return has('relationship_id') && has('click_id', 'product_id') ? 'relationship' : null;
}

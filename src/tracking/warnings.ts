import { clickIdLength } from '../contract/click-id.ts';
import { country, type Fields, type JsonObject } from '../contract/fields.ts';
import type { Outcome } from '../contract/reply.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { storablePointerPart, unknownFields } from '../contract/unknown-fields.ts';
import type { Why } from '../contract/why.ts';
import { maskKeys, type KeyKind } from '../core/mask-keys.ts';
import { cents, dollars } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A probable mistake in a request, which does not change its reply. */
export type Warning = { readonly code: WarningCode; readonly field: string | null; readonly message: string };
export type WarningCode =
  | 'unknown_field'
  | 'key_in_browser'
  | 'key_in_body'
  | 'amount_in_dollars'
  | 'amount_as_text'
  | 'amount_very_high'
  | 'amounts_in_two_units'
  | 'click_not_bare'
  | 'click_older_than_cookie'
  | 'clock_ahead'
  | 'country_not_a_code';

type Request = {
  readonly fields: Fields;
  /** Null if the body is not a JSON object. */
  readonly json: JsonObject | null;
  readonly receivedAt: Date;
  readonly origin: string | null;
  readonly secFetchSite: string | null;
  /** The service's own keys in the body, even if the body is not a JSON object. */
  readonly keysInBody: readonly KeyKind[];
};
type Judged = { readonly outcome: Outcome; readonly why: Why };

/** Uses only data that is already in memory, because it runs for every request. */
export function warningsOf(request: Request, judged: Judged): readonly Warning[] {
  const { json } = request;
  const warnings = [...keyInBrowser(request), ...keyInBody(request), ...clickOlderThanCookie(judged)];
  if (json !== null)
    warnings.push(
      ...unknown(request.fields, json),
      ...amounts(json),
      ...clickNotBare(json, judged),
      ...clockAhead(request, json),
      ...countryNotACode(request, json),
    );
  return warnings;
}

/** Servers do not send these headers. A key in a page is public. */
function keyInBrowser({ origin, secFetchSite }: Request): readonly Warning[] {
  if (origin === null && secFetchSite === null) return [];
  const message = apiMessage('warnings.request_came_from_browser_and');
  return [{ code: 'key_in_browser', field: null, message }];
}

const keyAdvice: Readonly<Record<KeyKind, string>> = {
  'postback key': apiMessage('warnings.postback_key'),
  'API key': apiMessage('warnings.api_key'),
  'webhook secret': apiMessage('warnings.webhook_secret'),
};

/** One warning for each kind of key, at the first field that contains it. */
function keyInBody({ keysInBody, json }: Request): readonly Warning[] {
  return keysInBody.map((kind) => ({
    code: 'key_in_body',
    field: json === null ? null : placeOfKey(json, kind, ''),
    message: keyAdvice[kind],
  }));
}

/** The pointer must not contain a key that is used as a member name. */
function placeOfKey(value: unknown, kind: KeyKind, place: string): string | null {
  if (typeof value === 'string') return maskKeys(value).kinds.includes(kind) ? place : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const here = `${place}/${storablePointerPart(name)}`;
    const found = maskKeys(name).kinds.includes(kind) ? here : placeOfKey(member, kind, here);
    if (found !== null) return found;
  }
  return null;
}

function unknown(fields: Fields, json: JsonObject): readonly Warning[] {
  return unknownFields(fields, json).map(({ field, name, meant }) => {
    const message =
      meant === null ? apiMessage('warnings.field_ignored', { name }) : apiMessage('warnings.field_ignored_did_you_mean', { name, meant });
    return { code: 'unknown_field', field, message };
  });
}

const totals = ['order_subtotal_cents', 'amount_paid_minor_units'] as const;
const parts = ['eligible_amount_cents', 'eligible_amount_minor_units'] as const;
/** Few stores sell anything below this, and many send dollars instead of cents. */
const likelyDollarsBelow = 100;
/** A sale of 100,000 USD in whole dollars is more likely one of 1,000 USD that was multiplied by 100 twice. */
const veryHighFrom = 10_000_000;
const centsInDollar = 100;

/** Based on the numbers alone, so an amount may be correct despite its warning. */
function amounts(json: JsonObject): readonly Warning[] {
  const found: Warning[] = [];
  for (const name of [...totals, ...parts]) {
    found.push(...asText(json, name));
    const dollarsMeant = asDollars(json[name]);
    if (dollarsMeant === null) continue;
    const meant = Math.round(dollarsMeant * centsInDollar);
    const message = apiMessage('warnings.looks_like_dollars_amounts', { name, dollarsMeant, meant });
    found.push({ code: 'amount_in_dollars', field: `/${name}`, message });
  }
  for (const [place, name] of totals.entries())
    found.push(...whole(json, name), ...twoUnits(json, { total: name, part: parts[place] ?? '' }));
  return found;
}

/** Digits in quotes are cents, as the linter corrects them. */
function asText(json: JsonObject, name: string): readonly Warning[] {
  const given = json[name];
  if (typeof given !== 'string' || !/^\d{1,12}$/.test(given)) return [];
  return [{ code: 'amount_as_text', field: `/${name}`, message: apiMessage('warnings.number_without_quotes', { name }) }];
}

/** `10.05`, `"$10"`, and `"10.05"` look like dollars; digits alone do not, and give null. */
function asDollars(given: unknown): number | null {
  if (typeof given === 'number') return Number.isInteger(given) || !Number.isInteger(Math.round(given * centsInDollar)) ? null : given;
  const [, sign, digits, fraction] = typeof given === 'string' ? (/^(\$)?(\d{1,9})(\.\d{1,2})?$/.exec(given) ?? []) : [];
  return sign === undefined && fraction === undefined ? null : Number(`${digits}${fraction ?? ''}`);
}

function whole(json: JsonObject, name: string): readonly Warning[] {
  const given = json[name];
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given <= 0) return [];
  if (given >= likelyDollarsBelow && (given < veryHighFrom || given % centsInDollar !== 0)) return [];
  const read = dollars(cents(given));
  if (given < likelyDollarsBelow) {
    return [
      {
        code: 'amount_in_dollars',
        field: `/${name}`,
        message: apiMessage('warnings.if_dollars_were', { name, read, given, cents: given * centsInDollar }),
      },
    ];
  }
  const message = apiMessage('warnings.if_were_meant', { name, read, given: dollars(cents(given / centsInDollar)) });
  return [{ code: 'amount_very_high', field: `/${name}`, message }];
}

/** Two amounts that differ by exactly a factor of 100 are probably in cents and dollars. */
function twoUnits(json: JsonObject, { total, part }: { readonly total: string; readonly part: string }): readonly Warning[] {
  const [all, some] = [json[total], json[part]];
  if (typeof all !== 'number' || typeof some !== 'number' || some <= 0) return [];
  if (all !== some * centsInDollar && some !== all * centsInDollar) return [];
  return [
    {
      code: 'amounts_in_two_units',
      field: `/${part}`,
      message: apiMessage('warnings.hundredth_or_other_way', { part, total }),
    },
  ];
}

/** A click ID that was copied from a URL together with other text. */
function clickNotBare({ click_id: click }: JsonObject, { outcome }: Judged): readonly Warning[] {
  if (outcome.reason !== 'unknown_referral_click' || typeof click !== 'string') return [];
  if (!/rm_click|[\s%&?/="']/.test(click)) return [];
  return [
    {
      code: 'click_not_bare',
      field: '/click_id',
      message: apiMessage('warnings.click_id_holds_more_than_click', { clickIdLength }),
    },
  ];
}

const cookieDays = 30;

function clickOlderThanCookie({ why: { clicked_at: clicked, occurred_at: occurred } }: Judged): readonly Warning[] {
  if (clicked === undefined || occurred === undefined) return [];
  const days = Math.floor((Date.parse(occurred) - Date.parse(clicked)) / dayMs);
  if (days < cookieDays) return [];
  const message = apiMessage('warnings.click_days_old_when_order', { days, cookieDays });
  return [{ code: 'click_older_than_cookie', field: '/click_id', message }];
}

function countryNotACode({ fields }: Request, { country: given }: JsonObject): readonly Warning[] {
  if (!Object.hasOwn(fields, 'country') || given === undefined || given === null || given === '' || country(given) !== null) return [];
  return [{ code: 'country_not_a_code', field: '/country', message: apiMessage('warnings.country_not_a_code') }];
}

/** The contract tolerates five minutes; a clock that is one minute ahead is still wrong. */
const aheadMsMax = minuteMs;

function clockAhead({ receivedAt }: Request, { occurred_at: occurred }: JsonObject): readonly Warning[] {
  const at = typeof occurred === 'string' ? readTimestamp(occurred) : 'unreadable';
  // A local time without an offset says nothing about the clock.
  if (at === 'unreadable') return [];
  const aheadMs = at.getTime() - receivedAt.getTime();
  if (aheadMs <= aheadMsMax) return [];
  const message = `occurred_at is ${Math.round(aheadMs / 1_000)} seconds ahead of our clock. Check the clock of your server.`;
  return [{ code: 'clock_ahead', field: '/occurred_at', message }];
}

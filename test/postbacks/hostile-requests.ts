import { requestText } from '../support/raw-socket.ts';
import type { Prng } from '../support/size.ts';

/** Requests of an attacker or a broken program: valid requests with random changes. */
export type Hostile = {
  readonly kind: 'postback' | 'management' | 'link' | 'bytes';
  readonly bytes: Buffer;
};
export type Target = {
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly operatorKey: string;
  readonly linkCode: string;
  /** A click that was never used, minted at the moment. */
  readonly click: () => string;
  /** As the document of the API has them: `POST /api/v1/stores/{store}/…`. */
  readonly operations: ReadonlyArray<readonly [method: string, path: string]>;
  readonly ids: readonly string[];
};

const event = ['event_id', 'relationship_id', 'environment', 'occurred_at'];
const billed = ['product_id', 'price_id', 'currency'];
const amounts = ['amount_paid_minor_units', 'eligible_amount_minor_units'];
const order = ['order_id', 'click_id', 'currency', 'occurred_at', 'order_subtotal_cents', 'eligible_amount_cents'];
/** The fields of a valid report of each kind: a body that fails the request checks would not test the code after them. */
const postbackKinds: readonly (readonly [path: string, fields: readonly string[]])[] = [
  ['conversions', [...order, 'line_items', 'metadata']],
  ['reversals', ['order_id', 'occurred_at', 'reason']],
  ['v2/recurring/relationships', [...event, ...billed, 'click_id']],
  ['v2/recurring/billing-events', [...event, ...billed, ...amounts, 'invoice_id', 'payment_state']],
  ['v2/recurring/reversals', [...event, 'invoice_id', 'reason']],
  ['v2/recurring/relationships/end', [...event, 'reason']],
];
/** Names that are invalid in some places, and names that no code reads. */
const invalidNames = [
  '__proto__',
  'constructor',
  'order_id',
  '',
  'x'.repeat(400),
  'ORDER_ID',
  'click_id',
  'amount_cents',
  'test',
  'line_items/~',
];

/** As JSON text, because some of them no value of ours could be. */
const values: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '-0',
  '0.1',
  '1e308',
  '1e400',
  '1E2',
  '9007199254740993',
  '99999999999999999999999999',
  '1'.repeat(4_000),
  '""',
  '" "',
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ud800"`,
  String.raw`"\udfff\ud800"`,
  '"\u202e\u200b\ufeff"',
  `"${'x'.repeat(501)}"`,
  `"${'𝕏'.repeat(400)}"`,
  '"../../etc/passwd"',
  `"'; drop table orders; --"`,
  `"=cmd|' /C calc'!A0"`,
  '"<script>alert(1)</script>"',
  '"2026-02-30T00:00:00Z"',
  '"0000-00-00T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"2026-11-21T24:00:00+99:99"',
  '"NaN"',
  '"USD "',
  '"usd"',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '[null]',
  '{"__proto__":{"ok":true}}',
  '{"constructor":{"prototype":{"ok":true}}}',
  `[${'{},'.repeat(600)}{}]`,
  `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '"rmc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"',
  '01',
  '.5',
  "'x'",
  'undefined',
  'NaN',
];

const headerTries: readonly (readonly [name: string, value: string | null])[] = [
  ['Authorization', null],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer  two  spaces'],
  ['Authorization', `Bearer ${'x'.repeat(9_000)}`],
  ['Authorization', 'Bearer \u00e9\u00ff'],
  ['Authorization', 'Basic YTpi'],
  ['Content-Type', null],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', ';;;'],
  ['Content-Encoding', 'gzip'],
  ['Content-Length', '-1'],
  ['Content-Length', '1'],
  ['Content-Length', '99999999999'],
  ['Content-Length', '0x10'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Expect', '100-continue'],
  ['Expect', 'a miracle'],
  ['Host', null],
  ['Host', 'a b'],
  ['X-Forwarded-For', `${'1.1.1.1, '.repeat(400)}x`],
  ['Idempotency-Key', 'k'.repeat(600)],
  ['Idempotency-Key', '\u0000'],
  ['Cookie', `tributary_session=${'%00'.repeat(900)}`],
  ['Origin', 'null'],
  ['Accept', 'text/html;q=zzz'],
];

const pathTries = [
  '%00',
  '%ff',
  '%',
  '..',
  '.',
  '//',
  '%2e%2e%2f',
  ' ',
  '?',
  '#',
  '\\',
  '*',
  '%c0%ae',
  'é',
  'x'.repeat(3_000),
  ';a=b',
  '{}',
];
const queryTries = [
  'limit=-1',
  'limit=1e9',
  'limit=',
  'cursor=%00',
  'cursor=AAAA',
  'from=0',
  'to=9999-99-99',
  'from=0000-01-01T00:00:00Z',
  'to=9999-12-31T23:59:59-05:00',
  'status[]=x',
  'q=%27',
  '&&&=&',
];

export function hostileFrom(prng: Prng, target: Target): Hostile {
  const roll = prng.below(20);
  if (roll < 11) return { kind: 'postback', bytes: postback(prng, target) };
  if (roll < 16) return { kind: 'management', bytes: management(prng, target) };
  if (roll < 18) return { kind: 'link', bytes: link(prng, target) };
  return { kind: 'bytes', bytes: anyBytes(prng, target) };
}

function postback(prng: Prng, { trackingKey, postbackKey, click }: Target): Buffer {
  const place = prng.isOneIn(20) ? prng.oneOf(pathTries) : trackingKey;
  const [kind, names] = prng.oneOf(postbackKinds);
  const path = `/api/partner-network/postbacks/${place}/${kind}`;
  // Few enough that refunds, invoices and ends refer to earlier reports.
  const name = (below: number) => JSON.stringify(`hostile ${prng.below(below)}`);
  const fields: Readonly<Record<string, string>> = {
    order_id: name(200),
    click_id: JSON.stringify(click()),
    currency: '"USD"',
    event_id: name(2_000),
    // After its end nothing more is learned of a subscription, so most ends name one that is none.
    relationship_id: name(kind.endsWith('/end') ? 400 : 60),
    invoice_id: name(5),
    product_id: '"plan-basic"',
    price_id: '"price-monthly"',
    environment: '"live"',
    payment_state: '"paid"',
    reason: '"refunded"',
    occurred_at: JSON.stringify(new Date().toISOString()),
    order_subtotal_cents: '4900',
    eligible_amount_cents: '4900',
    amount_paid_minor_units: '4900',
    eligible_amount_minor_units: '4900',
    line_items: '[{"product_id":"sku-a","quantity":1,"amount_minor_units":4900}]',
    metadata: '{"channel":"web"}',
  };
  const good = names.map((field) => [field, fields[field] ?? 'null'] as const);
  // A third is valid, so that the others find existing objects.
  const body = prng.isOneIn(3) ? Buffer.from(textOf(good)) : worse(prng, good);
  return request(prng, path, { Authorization: `Bearer ${postbackKey}` }, body);
}

function management(prng: Prng, { operatorKey, operations, ids }: Target): Buffer {
  const [method, template] = prng.oneOf(operations);
  const bad = () => (prng.isOneIn(2) ? prng.oneOf(ids) : prng.oneOf(pathTries));
  const query = method === 'GET' && prng.isOneIn(2) ? `?${prng.oneOf(queryTries)}&${prng.oneOf(queryTries)}` : '';
  const fields = ['name', 'email', 'ids', 'reason', 'amount_cents', 'minimum_cents', 'store_id', 'creator_id', 'url', 'text'];
  const body =
    method === 'GET'
      ? Buffer.alloc(0)
      : worse(
          prng,
          fields.map((field) => [field, prng.oneOf(values)] as const),
        );
  return request(prng, template.replaceAll(/\{\w+\}/g, bad) + query, { Authorization: `Bearer ${operatorKey}` }, body, method);
}

function link(prng: Prng, { linkCode }: Target): Buffer {
  const code = prng.isOneIn(3) ? linkCode : prng.oneOf(pathTries);
  const agent = prng.oneOf(['', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0', 'x'.repeat(8_000), '\u00ff\u00fe', "';--"]);
  const headers = {
    'User-Agent': agent,
    'Sec-Fetch-Dest': prng.oneOf(['document', 'image', '\u00ff']),
  };
  return requestText('GET', `/r/${code}${prng.isOneIn(2) ? `?${prng.oneOf(queryTries)}` : ''}`, {
    headers: { ...headers, ...oneHeader(prng) },
  });
}

type Headers = Readonly<Record<string, string | null>>;
const oneHeader = (prng: Prng): Headers => {
  if (!prng.isOneIn(4)) return {};
  const [name, value] = prng.oneOf(headerTries);
  return { [name]: value };
};

// Four things of one request, each of another kind.
// oxlint-disable-next-line max-params
function request(prng: Prng, path: string, headers: Headers, body: Buffer, method = 'POST'): Buffer {
  const usual = { 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers };
  const sent = requestText(method, path, { headers: { ...usual, ...oneHeader(prng) }, body });
  return prng.isOneIn(25) ? broken(prng, sent) : sent;
}

type Fields = readonly (readonly [field: string, json: string])[];
const textOf = (fields: Fields): string => `{${fields.map(([field, json]) => `${JSON.stringify(field)}:${json}`).join(',')}}`;

/** A body of these fields, with something wrong in it, or several things. */
function worse(prng: Prng, fields: Fields): Buffer {
  const made = fields.filter(() => !prng.isOneIn(12)).map(([field, json]) => [field, prng.isOneIn(8) ? prng.oneOf(values) : json] as const);
  if (prng.isOneIn(10)) made.push([prng.oneOf(invalidNames), prng.oneOf(values)]);
  const text = textOf(made);
  switch (prng.below(24)) {
    case 0:
      return Buffer.from(text.slice(0, prng.below(text.length)));
    case 1:
      return Buffer.from(`\ufeff${text}`);
    case 2:
      return Buffer.from(text, 'utf16le');
    case 3:
      return Buffer.from(`[${text}]`);
    case 4:
      return Buffer.from(`${text}${text}`);
    case 5:
      return broken(prng, Buffer.from(text));
    case 6:
      return Buffer.from(prng.oneOf(values));
    case 7:
      return Buffer.from(text.padEnd(prng.oneOf([16_383, 16_384, 16_385, 70_000]), ' '));
    default:
      return Buffer.from(text);
  }
}

/** Some bytes of it are other ones. */
function broken(prng: Prng, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + prng.below(6); times > 0 && copy.length > 0; times -= 1) copy[prng.below(copy.length)] = prng.below(256);
  return copy;
}

function anyBytes(prng: Prng, target: Target): Buffer {
  if (prng.isOneIn(2)) return broken(prng, postback(prng, target));
  return Buffer.from(Array.from({ length: 1 + prng.below(600) }, () => prng.below(256)));
}

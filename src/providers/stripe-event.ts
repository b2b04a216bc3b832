import { Type as T, type TSchema } from 'typebox';
import { validate } from '../platform/http/validate.ts';

/**
 * The fields of Stripe's events that our code reads, each with its type. A signature proves who wrote an event, not that it has the
 * form that the library's types promise: an endpoint at Stripe may be set to another API version.
 */
// PostgreSQL cannot store U+0000, and Stripe's own limit for a text is 5,000 characters.
const text = T.String({ maxLength: 5_000, pattern: String.raw`^[^\u0000]*$` });
// An id becomes part of an address that is called.
const id = T.String({ pattern: String.raw`^[\w-]{1,255}$` });
const nullable = <Schema extends TSchema>(schema: Schema) => T.Union([schema, T.Null()]);
const idOrObject = T.Union([id, T.Object({ id })]);
const metadata = T.Object({ reference: T.Optional(text) });
const lastSecondOfYear9999 = 253_402_300_799;

const envelope = T.Object({
  id,
  object: T.Literal('event'),
  type: text,
  created: T.Integer({ minimum: 0, maximum: lastSecondOfYear9999 }),
  livemode: T.Boolean(),
  data: T.Object({ object: T.Object({}) }),
});

const paymentIntent = T.Object({
  id,
  status: text,
  metadata,
  last_payment_error: T.Optional(nullable(T.Object({ code: T.Optional(nullable(text)), decline_code: T.Optional(nullable(text)) }))),
});
const transfer = T.Object({ id, metadata, reversed: T.Boolean() });
const amount = T.Integer({ minimum: 0 });
const payment = nullable(idOrObject);
const dispute = T.Object({ status: text, reason: text, amount: T.Optional(amount), payment_intent: payment });
const fraudWarning = T.Object({ fraud_type: text, payment_intent: T.Optional(payment) });
const refundedCharge = T.Object({ amount_refunded: amount, payment_intent: payment });

/** By type of event, the form of `data.object`. What is not listed is not read. */
const objects: Readonly<Record<string, TSchema>> = {
  'payment_intent.succeeded': paymentIntent,
  'payment_intent.payment_failed': paymentIntent,
  'payment_intent.processing': paymentIntent,
  'payment_intent.canceled': paymentIntent,
  'transfer.created': transfer,
  'transfer.reversed': transfer,
  'charge.dispute.created': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
  'charge.dispute.closed': dispute,
  'radar.early_fraud_warning.created': fraudWarning,
  'charge.refunded': refundedCharge,
};

export const eventTypesThatAreRead: readonly string[] = Object.keys(objects);

/** Null where every field that is read has its type. Else names the wrong fields, never what is in them. */
export function whyMalformed(body: Buffer): string | null {
  const json = parseJson(body);
  if (json === undefined) return 'it is not JSON';
  const read = validate(envelope, json);
  if (read.is === 'wrong') return read.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const schema = objects[read.value.type];
  const object = schema === undefined ? null : validate(schema, read.value.data.object);
  return object?.is === 'wrong' ? object.errors.map(({ field, message }) => `data.object.${field} ${message}`).join('; ') : null;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

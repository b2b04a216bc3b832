/** A time: a `Date`, or ISO 8601 text with an explicit offset. */
export type Moment = Date | string;
/** An omitted field, `undefined` and `null` mean the same. */
type Maybe<Value> = Value | null | undefined;

/** A paid order. Amounts are whole cents. */
export type Conversion = {
  readonly orderId: string;
  /** The click that was stored with the order. An order without a click is sent only if `discountCodes` is given. */
  readonly clickId: Maybe<string>;
  readonly orderSubtotalCents: number;
  readonly currency?: Maybe<string>;
  /** The time of payment; default now. Set it if your code may report the same order twice. */
  readonly occurredAt?: Maybe<Moment>;
  readonly eligibleAmountCents?: Maybe<number>;
  /** The amount of a line is its total, for its whole quantity. */
  readonly lineItems?: Maybe<ReadonlyArray<{ readonly productId: string; readonly amountMinorUnits: number; readonly quantity: number }>>;
  readonly orderName?: Maybe<string>;
  readonly customerId?: Maybe<string>;
  readonly discountCode?: Maybe<string>;
  /**
   * All discount codes of the order, at most 20. Give it, even if the list is empty, if the terms of your program count discount codes or
   * returning customers: then an order without a click is sent too.
   */
  readonly discountCodes?: Maybe<readonly string[]>;
  /** The country of the order as a code of ISO 3166-1, such as `US`, for rules for countries. */
  readonly country?: Maybe<string>;
  readonly metadata?: Maybe<Readonly<Record<string, unknown>>>;
  /** `true` for the order that verifies the integration, and for no other. */
  readonly test?: Maybe<boolean>;
};

/** An order that was refunded in full, or cancelled. */
export type Reversal = { readonly orderId: string; readonly occurredAt?: Maybe<Moment>; readonly reason?: Maybe<string> };

/** A refund of a part of an order, or of all that is left of it. */
export type OrderRefund = {
  /** Unique, and the same each time the same refund is reported. */
  readonly refundId: string;
  readonly orderId: string;
  /** The refunded part of the eligible amount, in cents; by default the sum of the lines. */
  readonly amountCents?: Maybe<number>;
  /** Required if the program pays per product, unless all that is left is refunded. */
  readonly lineItems?: Maybe<readonly RefundedLine[]>;
  /** The time of the refund; default now. Set it if your code may report the same refund twice. */
  readonly occurredAt?: Maybe<Moment>;
  readonly reason?: Maybe<string>;
};

/** `quantity`: how many units came back; by default none, because only the price was reduced. */
export type RefundedLine = { readonly productId: string; readonly amountMinorUnits: number; readonly quantity?: Maybe<number> };

/** A refund of a part of a subscription invoice. */
export type InvoiceRefund = {
  readonly refundId: string;
  readonly relationshipId: string;
  readonly invoiceId: string;
  readonly amountMinorUnits?: Maybe<number>;
  readonly lineItems?: Maybe<readonly RefundedLine[]>;
  /** Default `live`. */
  readonly environment?: Maybe<'live' | 'test'>;
  readonly occurredAt?: Maybe<Moment>;
  readonly reason?: Maybe<string>;
};

type SubscriptionEvent = {
  /** Unique, and the same each time the same event is reported. */
  readonly eventId: string;
  readonly relationshipId: string;
  /** Default `live`. */
  readonly environment?: Maybe<'live' | 'test'>;
  readonly occurredAt?: Maybe<Moment>;
};

/** A new subscription that came through a click, a discount code, or a returning customer. */
export type Bind = SubscriptionEvent & {
  /** A subscription without a click is sent only if `discountCodes` is given. */
  readonly clickId: Maybe<string>;
  readonly productId: string;
  readonly priceId?: Maybe<string>;
  readonly currency?: Maybe<string>;
  readonly discountCode?: Maybe<string>;
  /** As for an order: give it, even if the list is empty, if the terms count discount codes or returning customers. */
  readonly discountCodes?: Maybe<readonly string[]>;
  readonly customerId?: Maybe<string>;
};

/** An invoice, paid or not. `occurredAt` defaults to now. */
export type Bill = SubscriptionEvent & {
  readonly invoiceId: string;
  readonly paymentState: 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';
  readonly amountPaidMinorUnits: number;
  readonly eligibleAmountMinorUnits?: Maybe<number>;
  readonly productId: string;
  readonly priceId?: Maybe<string>;
  readonly currency?: Maybe<string>;
};

/** An invoice that was refunded in full. */
export type InvoiceReversal = SubscriptionEvent & { readonly invoiceId: string; readonly reason?: Maybe<string> };
/** A subscription that ended. */
export type End = SubscriptionEvent & { readonly reason?: Maybe<string> };

/** A sign-up, trial, or booked call. It is sent if it has a click or a discount code. */
export type Lead = {
  /** Unique, and the same each time the same lead is reported. */
  readonly leadId: string;
  /** As in the terms of the program, such as `sign_up`. */
  readonly kind: string;
  readonly clickId?: Maybe<string>;
  readonly discountCode?: Maybe<string>;
  /** Your ID of the customer, as in later orders. */
  readonly customerId?: Maybe<string>;
  /** The time of the lead; default now. Set it if your code may report the same lead twice. */
  readonly occurredAt?: Maybe<Moment>;
  readonly metadata?: Maybe<Readonly<Record<string, unknown>>>;
};

/** A lead that was not real, or was canceled. */
export type LeadReversal = { readonly leadId: string; readonly occurredAt?: Maybe<Moment>; readonly reason?: Maybe<string> };

export const operations = [
  'conversion',
  'reversal',
  'order_refund',
  'relationship',
  'billing_event',
  'invoice_reversal',
  'invoice_refund',
  'relationship_end',
  'lead',
  'lead_reversal',
] as const;
export type Operation = (typeof operations)[number];

/** A report as it is sent: the same bytes in every attempt. It contains no key and may be stored anywhere. */
export type Postback = { readonly operation: Operation; readonly body: string };

/** A report that cannot be sent, with the invalid field. */
export type Unsendable = {
  readonly reason: 'missing_referral_click' | 'invalid_payload';
  readonly field: string;
  readonly message: string;
};

export const paths: Readonly<Record<Operation, string>> = {
  conversion: 'conversions',
  reversal: 'reversals',
  order_refund: 'v2/orders/refunds',
  relationship: 'v2/recurring/relationships',
  billing_event: 'v2/recurring/billing-events',
  invoice_reversal: 'v2/recurring/reversals',
  invoice_refund: 'v2/recurring/invoices/refunds',
  relationship_end: 'v2/recurring/relationships/end',
  lead: 'v2/leads',
  lead_reversal: 'v2/leads/reversals',
};

const event = 'eventId relationshipId environment occurredAt ';
const fields: Readonly<Record<Operation, string>> = {
  conversion:
    'orderId clickId currency orderSubtotalCents occurredAt eligibleAmountCents lineItems orderName customerId discountCode discountCodes country metadata test',
  reversal: 'orderId occurredAt reason',
  order_refund: 'refundId orderId amountCents lineItems occurredAt reason',
  relationship: `${event}clickId productId priceId currency discountCode discountCodes customerId`,
  billing_event: `${event}invoiceId paymentState amountPaidMinorUnits eligibleAmountMinorUnits productId priceId currency`,
  invoice_reversal: `${event}invoiceId reason`,
  invoice_refund: 'refundId relationshipId invoiceId amountMinorUnits lineItems environment occurredAt reason',
  relationship_end: `${event}reason`,
  lead: 'leadId kind clickId discountCode customerId occurredAt metadata',
  lead_reversal: 'leadId occurredAt reason',
};
const lineFields = 'productId amountMinorUnits quantity';

/** The ten reports, independent of what happens with them: sent immediately, or queued. */
export type Reports<Answer> = {
  readonly conversions: {
    readonly record: (order: Conversion) => Promise<Answer>;
    readonly reverse: (refund: Reversal) => Promise<Answer>;
    readonly refund: (refund: OrderRefund) => Promise<Answer>;
  };
  readonly subscriptions: {
    readonly bind: (subscription: Bind) => Promise<Answer>;
    readonly bill: (invoice: Bill) => Promise<Answer>;
    readonly reverseInvoice: (refund: InvoiceReversal) => Promise<Answer>;
    readonly refundInvoice: (refund: InvoiceRefund) => Promise<Answer>;
    readonly end: (subscription: End) => Promise<Answer>;
  };
  readonly leads: {
    readonly report: (lead: Lead) => Promise<Answer>;
    readonly reverse: (reversal: LeadReversal) => Promise<Answer>;
  };
};

type Handed = Readonly<Record<string, unknown>>;

/** `isTimed`: also sets times that the receiver could default, because the report may be received much later. */
export function reportsTo<Answer>(
  hand: (report: Postback | Unsendable, operation: Operation) => Promise<Answer>,
  { isTimed }: { readonly isTimed: boolean },
): Reports<Answer> {
  const by = (operation: Operation) => async (given: Handed) => hand(serialise(operation, given, isTimed), operation);
  return {
    conversions: { record: by('conversion'), reverse: by('reversal'), refund: by('order_refund') },
    subscriptions: {
      bind: by('relationship'),
      bill: by('billing_event'),
      reverseInvoice: by('invoice_reversal'),
      refundInvoice: by('invoice_refund'),
      end: by('relationship_end'),
    },
    leads: { report: by('lead'), reverse: by('lead_reversal') },
  };
}

/** Serialized once per report: every attempt sends these bytes, including the time. */
export function serialise(operation: Operation, given: Handed, isTimed = false): Postback | Unsendable {
  const names = fields[operation].split(' ');
  const isTimedAlways = ['conversion', 'billing_event', 'order_refund', 'lead'].includes(operation);
  const filled: Handed = {
    ...given,
    currency: given['currency'] ?? (names.includes('currency') ? 'USD' : null),
    environment: given['environment'] ?? (names.includes('environment') ? 'live' : null),
    occurredAt: given['occurredAt'] ?? (isTimedAlways || isTimed ? new Date() : null),
  };
  const codes = operation === 'lead' ? given['discountCode'] : given['discountCodes'];
  if (names.includes('clickId') && isAbsent(given['clickId']) && isAbsent(codes)) {
    return { reason: 'missing_referral_click', field: 'clickId', message: 'It carries no click; only what came by a click is reported.' };
  }
  const wire = onWire(filled, names, '');
  if ('reason' in wire) return wire;
  return { operation, body: JSON.stringify(wire.json) };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function onWire(given: Handed, names: readonly string[], place: string): { readonly json: object } | Unsendable {
  const stranger = Object.keys(given).find((name) => !names.includes(name) && given[name] !== undefined && given[name] !== null);
  if (stranger !== undefined) return unsendable(place + stranger, `is no field of this report; there are: ${names.join(', ')}`);
  const json: Record<string, unknown> = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (name === 'lineItems' && Array.isArray(value)) {
      const lines = value.map((line: Handed, number) => onWire({ ...line }, lineFields.split(' '), `lineItems[${number}].`));
      const wrong = lines.find((line) => 'reason' in line);
      if (wrong !== undefined && 'reason' in wrong) return wrong;
      json['line_items'] = lines.flatMap((line) => ('json' in line ? [line.json] : []));
      continue;
    }
    const sendable = valueOnWire(value);
    if (sendable === undefined) return unsendable(place + name, 'must be a whole number of cents, a valid time, or what JSON can carry');
    json[snake(name)] = sendable;
  }
  return { json };
}

const unsendable = (field: string, what: string): Unsendable => ({ reason: 'invalid_payload', field, message: `${field} ${what}.` });
const snake = (name: string): string => name.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`);

/** JSON would turn `NaN` and invalid dates into `null`, and lose the last digits of large numbers. */
function valueOnWire(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'bigint') return valueOnWire(Number(value));
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object') return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

import { isClickId } from './click.ts';

/** A Stripe object, as its JSON says. Read field by field, because API versions place fields differently. */
export type StripeJson = Readonly<Record<string, unknown>>;

export const isStripeJson = (value: unknown): value is StripeJson => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `field(invoice, 'parent.subscription_details.metadata')`. */
export function field(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) value = isStripeJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** A reference may also be expanded to the whole object. */
export function idIn(json: unknown, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const value = field(json, path);
    const id = isStripeJson(value) ? value['id'] : value;
    if (typeof id === 'string' && id !== '') return id;
  }
  return null;
}

/** Stripe's amounts and times are whole numbers. */
export function numberIn(json: unknown, path: string): number | null {
  const value = field(json, path);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

export function listIn(json: unknown, path: string): readonly unknown[] {
  const value = field(json, path);
  return Array.isArray(value) ? value : [];
}

export type Plan = { readonly productId: string; readonly priceId: string | null };

export type Subscription = {
  readonly id: string;
  readonly click: string | null;
  readonly customerId: string | null;
  readonly isUsd: boolean;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly plan: Plan | null;
};

export function readSubscription(json: unknown, clickField: string): Subscription | null {
  const id = idIn(json, 'id');
  const created = timeIn(json, 'created');
  if (id === null || created === null) return null;
  const plans = listIn(json, 'items.data').flatMap((item) =>
    planOf(idIn(item, 'price', 'plan'), idIn(item, 'price.product', 'plan.product')),
  );
  return {
    id,
    click: clickIn(field(json, 'metadata'), clickField),
    customerId: idIn(json, 'customer'),
    isUsd: field(json, 'currency') === 'usd',
    createdAt: created,
    endedAt: timeIn(json, 'ended_at'),
    plan: firstOf(plans),
  };
}

export type Invoice = {
  readonly id: string;
  /** Null if the invoice belongs to no subscription. */
  readonly subscriptionId: string | null;
  /** The subscription's metadata at the time of the invoice; undefined if the invoice does not contain it. */
  readonly click: string | null | undefined;
  readonly isUsd: boolean;
  readonly amountPaid: number;
  readonly attempts: number;
  readonly plan: Plan | null;
  readonly paidAt: Date | null;
  readonly finalizedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly uncollectibleAt: Date | null;
};

export function readInvoice(json: unknown, clickField: string): Invoice | null {
  const id = idIn(json, 'id');
  const amountPaid = numberIn(json, 'amount_paid');
  if (id === null || amountPaid === null) return null;
  const metadata = field(json, 'parent.subscription_details.metadata') ?? field(json, 'subscription_details.metadata');
  return {
    id,
    subscriptionId: idIn(json, 'parent.subscription_details.subscription', 'subscription'),
    click: isStripeJson(metadata) ? clickIn(metadata, clickField) : undefined,
    isUsd: field(json, 'currency') === 'usd',
    amountPaid,
    attempts: numberIn(json, 'attempt_count') ?? 0,
    plan: firstOf(listIn(json, 'lines.data').flatMap(planOfLine)),
    paidAt: timeIn(json, 'status_transitions.paid_at'),
    finalizedAt: timeIn(json, 'status_transitions.finalized_at'),
    voidedAt: timeIn(json, 'status_transitions.voided_at'),
    uncollectibleAt: timeIn(json, 'status_transitions.marked_uncollectible_at'),
  };
}

/** The subscription's own lines: no prorations, and nothing that was added manually. */
function planOfLine(line: unknown): readonly Plan[] {
  const isOwn = idIn(line, 'parent.subscription_item_details.subscription_item', 'subscription_item') !== null;
  const isProration = field(line, 'parent.subscription_item_details.proration') === true || field(line, 'proration') === true;
  if (!isOwn || isProration) return [];
  return planOf(idIn(line, 'pricing.price_details.price', 'price'), idIn(line, 'pricing.price_details.product', 'price.product'));
}

const planOf = (priceId: string | null, productId: string | null): readonly Plan[] => (productId === null ? [] : [{ productId, priceId }]);

/** A subscription may have several plans, and the order of Stripe's lists is not guaranteed: the same one is always chosen. */
function firstOf(plans: readonly Plan[]): Plan | null {
  const nameOf = ({ priceId, productId }: Plan) => `${priceId ?? ''} ${productId}`;
  return [...plans].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))[0] ?? null;
}

export type Charge = {
  readonly amount: number;
  /** Refunded in full. A partial refund is not a reversal. */
  readonly isRefunded: boolean;
  readonly isUsd: boolean;
  readonly paymentIntentId: string | null;
  /** Versions before 2025-03-31 contain it directly. */
  readonly invoiceId: string | null;
};

export function readCharge(json: unknown): Charge | null {
  const amount = numberIn(json, 'amount_captured') ?? numberIn(json, 'amount');
  const refunded = numberIn(json, 'amount_refunded');
  if (amount === null || refunded === null) return null;
  return {
    amount,
    isRefunded: field(json, 'refunded') === true && refunded >= amount,
    isUsd: field(json, 'currency') === 'usd',
    paymentIntentId: idIn(json, 'payment_intent'),
    invoiceId: idIn(json, 'invoice'),
  };
}

/** One refund of a charge. It may take several days to succeed. */
export type Refund = {
  readonly id: string;
  readonly amount: number;
  readonly isSucceeded: boolean;
  readonly isUsd: boolean;
  readonly paymentIntentId: string | null;
  readonly createdAt: Date;
};

export function readRefund(json: unknown): Refund | null {
  const [id, amount, createdAt] = [idIn(json, 'id'), numberIn(json, 'amount'), timeIn(json, 'created')];
  if (id === null || amount === null || createdAt === null) return null;
  return {
    id,
    amount,
    isSucceeded: field(json, 'status') === 'succeeded',
    isUsd: field(json, 'currency') === 'usd',
    paymentIntentId: idIn(json, 'payment_intent'),
    createdAt,
  };
}

function clickIn(metadata: unknown, clickField: string): string | null {
  const click = field(metadata, clickField);
  return isClickId(click) ? click : null;
}

function timeIn(json: unknown, path: string): Date | null {
  const seconds = numberIn(json, path);
  return seconds === null ? null : new Date(seconds * 1_000);
}

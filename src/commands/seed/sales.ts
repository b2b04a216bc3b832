import type { JsonObject } from '../../contract/fields.ts';
import { dayMs, hourMs, minuteMs, plusDays } from '../../core/time.ts';
import { touchPostbackKey } from '../../merchants/postback-keys-sql.ts';
import type { CodeStory } from './codes.ts';
import type { Random } from './random.ts';
import { assortment, coffeeClub, partialRefundReasons, refundReasons, seasonOf, type Product } from './story.ts';
import type { Subscription, Year, YearLink } from './year.ts';

const salesKept = 200;

type Day = {
  readonly random: Random;
  readonly codes: CodeStory;
  readonly refunds: Random;
  readonly grown: number;
  /** Later visits did not happen yet. */ readonly until: Date;
};

/** Business grows over the year and follows the season. A visit of 38 leads to an order, at a moment that is kept in the agenda. */
export async function visitFor(year: Year, morning: Date, { random, codes, refunds, grown, until }: Day): Promise<void> {
  const season = (0.7 + 0.6 * grown) * seasonOf(morning);
  const noon = new Date(morning.getTime() + 12 * hourMs);
  const planned = year.links.flatMap((link) =>
    Array.from({ length: Math.round(link.pull * season * (0.5 + random.part())) }, () => {
      const { subId, host } = link.placement;
      return { link, at: timeOfVisit(morning, random), subId, host: random.isOneIn(6) ? null : host };
    }),
  );
  const visits = planned.filter(({ at }) => at < until);
  if (visits.length === 0) return;
  const filtered = year.links.map((link) => ({ link, at: noon, count: random.whole(0, Math.ceil((link.pull * season) / 4)) }));
  const clicks = await year.past.visit(
    visits,
    filtered.filter(({ count }) => count > 0),
  );
  for (const [place, click] of clicks.entries()) {
    const visit = visits[place];
    if (visit !== undefined) codes.visited(click, visit);
    if (visit !== undefined && random.isOneIn(38)) planSale(year, click, { link: visit.link, clickedAt: visit.at, random, codes, refunds });
  }
}

/** Few visits in the first hours of the day, most around 15:00 UTC: the morning in the United States. */
const timeOfVisit = (morning: Date, random: Random): Date =>
  new Date(morning.getTime() + 4 * hourMs + Math.floor(((random.part() + random.part()) / 2) * 20 * hourMs));

type Clicked = {
  readonly link: YearLink;
  readonly clickedAt: Date;
  readonly random: Random;
  readonly codes: CodeStory;
  readonly refunds: Random;
};

/** An order minutes to days after the click; some subscribe instead, some come too late. */
function planSale(year: Year, click: string, { link, clickedAt, random, codes, refunds }: Clicked): void {
  const waited = random.isOneIn(40)
    ? random.whole(31, 36) * dayMs
    : Math.floor(random.part() ** 3 * 9 * dayMs) + random.whole(2, 90) * minuteMs;
  const at = new Date(clickedAt.getTime() + waited);
  const isSubscription = link.products === null && random.isOneIn(9);
  year.agenda.push({
    at,
    run: async () => {
      // Most orders of the store come from no creator, and are not reported.
      year.orderNumber += random.whole(1, 9);
      const number = String(year.orderNumber);
      await (isSubscription
        ? subscribe(year, click, { id: `sub-${number}`, at })
        : order(year, click, { orderId: `#${number}`, link, at, random, codes, refunds }));
      await touchPostbackKey(year.database, { storeId: year.storeId, postbackKeyId: year.postbackKeyId }, at);
    },
  });
}

type Ordered = Omit<Clicked, 'clickedAt'> & { readonly orderId: string; readonly at: Date };

/** Of sixteen orders one comes back: most before it was billed, the others are refused by then. */
async function order(year: Year, click: string, { orderId, link, at, random, codes, refunds }: Ordered): Promise<void> {
  const lines = basketOf(link, random);
  const subtotal = lines.reduce((sum, { amount_minor_units: cents }) => sum + cents, 0);
  const { discountCode } = link.creator;
  const hasClick = !codes.isWithoutClick(link, at);
  const namesCode = discountCode !== null && (random.isOneIn(4) || !hasClick);
  const customerId = customerOf(random);
  const report: JsonObject = {
    order_id: orderId,
    order_name: orderId,
    ...(hasClick ? { click_id: click } : {}),
    currency: 'USD',
    order_subtotal_cents: subtotal,
    line_items: lines,
    customer_id: customerId,
    ...(namesCode ? { discount_code: discountCode } : {}),
    occurred_at: at.toISOString(),
  };
  await year.past.order(report, new Date(at.getTime() + 3_000));
  year.sales.push({ orderId, link });
  if (year.sales.length > salesKept) year.sales.shift();
  const days = codes.returnsAfterDays(at);
  if (days !== null) planReturn(year, { orderId: `${orderId}-2`, customerId, cents: subtotal, at: plusDays(at, days) });
  if (refunds.isOneIn(14)) planPartialRefund(year, { orderId, line: lines.at(-1), at, refunds });
  if (!random.isOneIn(16)) return;
  const refundAt = new Date(at.getTime() + random.whole(2, 24) * dayMs);
  const reason = random.oneOf(refundReasons);
  year.agenda.push({
    at: refundAt,
    run: async () => (year.disputedOrderId === orderId ? undefined : year.past.refund({ order_id: orderId, reason }, refundAt)),
  });
}

type Line = ReturnType<typeof basketOf>[number];
type PartlyRefunded = { readonly orderId: string; readonly line: Line | undefined; readonly at: Date; readonly refunds: Random };

/** One of several units comes back, or the customer gets a fifth of the price back. */
function planPartialRefund(year: Year, { orderId, line, at, refunds }: PartlyRefunded): void {
  if (line === undefined) return;
  const { product_id: productId, amount_minor_units: cents, quantity } = line;
  const [returned, ...others] = partialRefundReasons;
  const isUnit = quantity > 1;
  const part = isUnit ? { amount_minor_units: cents / quantity, quantity: 1 } : { amount_minor_units: Math.round(cents / 5), quantity: 0 };
  const refundAt = new Date(at.getTime() + refunds.whole(2, 20) * dayMs);
  const report: JsonObject = {
    refund_id: `${orderId}-r1`,
    order_id: orderId,
    line_items: [{ product_id: productId, ...part }],
    occurred_at: refundAt.toISOString(),
    reason: isUnit ? returned : others[refunds.whole(0, others.length - 1)],
  };
  year.agenda.push({
    at: refundAt,
    run: async () => (year.disputedOrderId === orderId ? undefined : year.past.partialRefund(report, refundAt)),
  });
}

type Return = { readonly orderId: string; readonly customerId: string; readonly cents: number; readonly at: Date };

/** The customer buys the same again, and earns for the creator who brought them. */
function planReturn(year: Year, { orderId, customerId, cents, at }: Return): void {
  const report: JsonObject = {
    order_id: orderId,
    order_name: orderId,
    currency: 'USD',
    order_subtotal_cents: cents,
    customer_id: customerId,
    occurred_at: at.toISOString(),
  };
  year.agenda.push({ at, run: () => year.past.order(report, new Date(at.getTime() + 3_000)) });
}

/** What the link recommends comes first; more products are rarer. */
function basketOf({ placement, products }: YearLink, random: Random) {
  const chosen: Product[] = placement.to !== null && !random.isOneIn(3) ? [placement.to] : [];
  const shelf = products ?? assortment;
  while (chosen.length === 0 || (chosen.length < 3 && random.isOneIn(3))) {
    const product = shelf[random.whole(0, shelf.length - 1)];
    if (product !== undefined) chosen.push(product);
  }
  return [...Map.groupBy(chosen, ({ id }) => id)].map(([id, same]) => {
    const quantity = same.length + (random.isOneIn(6) ? 1 : 0);
    return { product_id: id, amount_minor_units: (same[0]?.cents ?? 0) * quantity, quantity };
  });
}

/** About one order in two is by a customer who ordered before. */
const customerOf = (random: Random): string => `cus_${(2_000_003 + random.whole(1, 900) * 7_919).toString(36)}`;

const plan = { ...coffeeClub, currency: 'USD', environment: 'live' } as const;
const planCents = 2_900;

async function subscribe(year: Year, click: string, { id, at }: { readonly id: string; readonly at: Date }): Promise<void> {
  const later = new Date(at.getTime() + 2_000);
  await year.past.bind({ ...plan, event_id: `${id}-bind`, relationship_id: id, click_id: click }, later);
  const subscription: Subscription = { id, boundAt: at, invoices: 0, isEnded: false };
  year.subscriptions.push(subscription);
  await sendInvoice(year, subscription, new Date(later.getTime() + 1_000));
}

async function sendInvoice(year: Year, subscription: Subscription, at: Date): Promise<void> {
  subscription.invoices += 1;
  const { id, invoices } = subscription;
  const ids = { event_id: `${id}-bill-${invoices}`, relationship_id: id, invoice_id: `${id}-${invoices}` };
  await year.past.invoice(
    { ...plan, ...ids, payment_state: 'paid', amount_paid_minor_units: planCents, occurred_at: at.toISOString() },
    at,
  );
}

/** Each month from the day of the first; one in twelve has had enough. */
export function renewFor(year: Year, morning: Date, random: Random): void {
  for (const subscription of year.subscriptions) {
    const due = new Date(subscription.boundAt.getTime() + subscription.invoices * 30 * dayMs);
    if (subscription.isEnded || due < morning || due >= plusDays(morning, 1)) continue;
    const ends = random.isOneIn(12);
    subscription.isEnded = ends;
    const end = { event_id: `${subscription.id}-end`, relationship_id: subscription.id, environment: 'live' };
    year.agenda.push({ at: due, run: () => (ends ? year.past.end(end, due) : sendInvoice(year, subscription, due)) });
  }
}

/**
 * What the service must answer and what money must stand, told once more from the interface and the contract's pages, not
 * from the code: one after the other, in memory, without a database, a batch or a decision of `src/`.
 */
import { attributionDays, termsVariants, type OrderRule, type SubscriptionRule, type TermsVariant } from './terms.ts';

/** A request as it was sent. */
export type Request = { readonly path: Path; readonly body: Body };
export type Path = 'conversions' | 'reversals' | 'relationships' | 'billing-events' | 'invoice-reversals' | 'ends';
export type Body = Readonly<Record<string, unknown>>;

/** The answer: which identifiers stand in it, and of which earlier answer they are where they are not new. */
export type Expected = { readonly status: number; readonly reason: string; readonly ids: readonly string[]; readonly like?: number };

export type Click = { readonly kind: 'live' | 'test'; readonly at: number; readonly expiresAt: number };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Commission = { what: string; amount: number; state: 'pending' | 'rejected' | 'reversed' | 'billed'; held: string | null };
type Version = TermsVariant & { readonly from: number };
type Order = { content: string; answer: Expected; commission: Commission; isReversedWith: string | null };
type Event = { content: string; answer: Expected };
type Invoice = { reportedAfterEnd: boolean; paid: Paid | null; isReversed: boolean };
type Paid = { amount: number; eligible: number; at: number; waits: boolean; commission: Commission | null };
type Relationship = {
  name: string;
  environment: string;
  click: string;
  first: string;
  answer: Expected;
  product: string;
  price: string | null;
  rule: SubscriptionRule | null;
  boundAt: number;
  end: { at: number | null } | null;
  heldFor: { product: string; price: string | null } | null;
  invoices: Map<string, Invoice>;
  paidInOrder: Array<{ invoice: string; paid: Paid }>;
  earlyReversals: Set<string>;
  places: number;
};

export function createModel(clicks: ReadonlyMap<string, Click>, start: number) {
  const versions: Version[] = [{ ...variant(0), from: start }];
  const orders = new Map<string, Order>();
  const testOrders = new Set<string>();
  const earlyReversals = new Set<string>();
  const convertedClicks = new Set<string>();
  const events = new Map<string, Event>();
  const relationships = new Map<string, Relationship>();
  const commissions: Commission[] = [];
  let isSuspended = false;
  let expectedCents = 0;

  const open = (what: string, amount: number, cameEarly: boolean): Commission => {
    const held = cameEarly ? 'early_reversal' : isSuspended ? 'creator_suspended' : null;
    const commission: Commission = { what, amount, state: 'pending', held };
    commissions.push(commission);
    expectedCents += amount;
    return commission;
  };
  const undo = (commission: Commission): void => {
    if (commission.state !== 'rejected') expectedCents -= commission.amount;
    commission.state = 'reversed';
    commission.held = null;
  };
  /** The version that had begun by then, or the first one's window without its rules. */
  const inForce = (at: number): Version => {
    const begun = versions.filter(({ from }) => from <= at);
    return begun.at(-1) ?? { ...variant(0), from: 0, order_rules: [], subscription_rules: [] };
  };

  // 4. One-time orders.
  function convert(body: Body, now: number, number: number): Expected {
    const { order_id, click_id, occurred_at, line_items, test } = texts(body);
    const subtotal = Number(body['order_subtotal_cents']);
    const eligible = body['eligible_amount_cents'] === undefined ? subtotal : Number(body['eligible_amount_cents']);
    const lines = (line_items ?? []) as ReadonlyArray<{ product_id: string; amount_minor_units: number; quantity: number }>;
    if (eligible > subtotal) return refused(400, 'invalid_payload');
    const content = contentOf({ ...body, eligible_amount_cents: eligible });
    const earlier = test ? undefined : orders.get(order_id);
    if (earlier) return earlier.content === content ? again(earlier.answer, 'duplicate_order') : refused(409, 'duplicate_order_conflict');
    if (click_id === undefined) return refused(422, 'missing_referral_click');
    if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
    const at = Date.parse(occurred_at);
    if (Number.isNaN(at) || at > now + 5 * minute) return refused(422, 'invalid_occurred_at');
    const click = clicks.get(click_id);
    if (!click) return refused(422, 'unknown_referral_click');
    if (test && click.kind === 'live') return refused(422, 'test_click_required');
    if (!test && click.kind === 'test') return refused(422, 'test_click_not_allowed');
    if (click.kind === 'test') {
      if (click.expiresAt <= now) return refused(410, 'test_link_expired');
      testOrders.add(order_id);
      return { status: 200, reason: 'test_verified', ids: ['transaction_id'] };
    }
    const terms = inForce(at);
    if (now - at > (attributionDays + 7) * day) return refused(422, 'invalid_occurred_at');
    if (terms.pays === 'product' && lines.length === 0) return refused(400, 'invalid_payload');
    if (at < click.at - 5 * minute) return refused(422, 'order_precedes_click');
    if (at > click.at + attributionDays * day) return refused(422, 'attribution_window_expired');
    if (convertedClicks.has(click_id)) return refused(422, 'referral_click_already_converted');
    convertedClicks.add(click_id);
    const perOrder = () => orderShare(terms.order_rules, { product: null, amount: eligible, quantity: 1 });
    const perLine = () =>
      lines
        .map(({ product_id, amount_minor_units, quantity }) =>
          orderShare(terms.order_rules, { product: product_id, amount: amount_minor_units, quantity }),
        )
        .reduce((sum, part) => sum + part, 0);
    const commission = open(order_id, terms.pays === 'product' ? perLine() : perOrder(), earlyReversals.has(order_id));
    const answer: Expected = { status: 200, reason: 'recorded', ids: ['transaction_id', 'conversion_id'] };
    orders.set(order_id, { content, answer: { ...answer, like: number }, commission, isReversedWith: null });
    return answer;
  }

  function reverse(body: Body, now: number): Expected {
    const { order_id } = texts(body);
    const content = contentOf(body);
    const order = orders.get(order_id);
    if (order && order.isReversedWith !== null)
      return order.isReversedWith === content ? again(order.answer, 'duplicate_order') : refused(409, 'duplicate_order_conflict');
    if (eventTime(body, now) === null) return refused(422, 'invalid_occurred_at');
    if (!order && testOrders.has(order_id)) return { status: 200, reason: 'recorded', ids: ['transaction_id'] };
    if (!order) {
      earlyReversals.add(order_id);
      return refused(404, 'unknown_order');
    }
    const { commission } = order;
    if (commission.held !== null && commission.held !== 'early_reversal') return refused(500, 'active_hold');
    if (commission.state === 'billed') return refused(422, 'paid_conversion_not_auto_reversed');
    undo(commission);
    order.isReversedWith = content;
    return order.answer;
  }

  // 6. Subscriptions.
  function bind(body: Body, now: number, number: number): Expected {
    const { relationship_id, click_id, product_id, environment } = texts(body);
    const price = priceOf(body);
    if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
    const boundAt = eventTime(body, now);
    if (boundAt === null) return refused(422, 'invalid_occurred_at');
    const click = click_id === undefined ? undefined : clicks.get(click_id);
    if (!click || click_id === undefined) return refused(404, 'unknown_referral_click');
    if (click.kind !== environment) return refused(409, 'environment_mismatch');
    if (click.kind === 'test' && click.expiresAt <= now) return refused(410, 'test_link_expired');
    const first = JSON.stringify([click_id, product_id, price, environment]);
    const before = relationships.get(relationship_id);
    if (before) return before.first === first ? before.answer : refused(409, 'duplicate_relationship_conflict');
    if (boundAt < click.at - 5 * minute) return refused(422, 'order_precedes_click');
    if (click.kind === 'live' && boundAt > click.at + attributionDays * day) return refused(422, 'attribution_window_expired');
    const rule = click.kind === 'test' ? null : subscriptionRule(inForce(boundAt).subscription_rules, product_id, price);
    const isRefused = click.kind === 'live' && rule === null;
    const answer: Expected = isRefused
      ? { status: 422, reason: 'no_matching_subscription_rule', ids: ['binding_id'] }
      : { status: 200, reason: 'recorded', ids: ['binding_id', 'event_id'] };
    relationships.set(relationship_id, {
      name: relationship_id,
      environment,
      click: click_id,
      first,
      answer: { ...answer, like: number },
      product: product_id,
      price,
      rule,
      boundAt,
      end: null,
      heldFor: null,
      invoices: new Map(),
      paidInOrder: [],
      earlyReversals: new Set(),
      places: 0,
    });
    return answer;
  }

  /** What a payment earns that waits for nothing: a commission, or nothing. */
  function earn(relationship: Relationship, invoice: string, paid: Paid): void {
    const { rule, boundAt, name } = relationship;
    if (rule === null) return;
    const months = rule.max_months === undefined ? (rule.max_invoices === undefined ? 12 : null) : rule.max_months;
    if (months !== null && paid.at >= monthsLater(boundAt, months)) return;
    if (rule.max_invoices !== undefined && relationship.places >= rule.max_invoices) return;
    const amount = shareOf(rule, { amount: paid.eligible, quantity: 1 });
    if (amount > 0) relationship.places += 1;
    paid.commission = open(`${name} ${invoice}`, amount, relationship.earlyReversals.has(invoice));
  }

  function bill(body: Body, now: number): Expected {
    const { relationship_id, invoice_id, payment_state, product_id, environment } = texts(body);
    const price = priceOf(body);
    const amount = Number(body['amount_paid_minor_units']);
    const eligible = eligibleOf(body);
    if (body['currency'] !== 'USD') return refused(422, 'unsupported_pricing_currency');
    const at = eventTime(body, now);
    if (at === null) return refused(422, 'invalid_occurred_at');
    const relationship = relationships.get(relationship_id);
    if (!relationship) return refused(404, 'unknown_relationship');
    if (relationship.environment !== environment) return refused(409, 'environment_mismatch');
    const known = relationship.invoices.get(invoice_id);
    const before = known?.paid ?? null;
    if (before && payment_state === 'paid' && (before.amount !== amount || before.eligible !== eligible))
      return refused(409, 'duplicate_event_conflict');
    const { end } = relationship;
    const wasReportedBefore = known !== undefined && !known.reportedAfterEnd;
    const liesBefore = end !== null && end.at !== null && at < end.at;
    if (end !== null && !wasReportedBefore && !liesBefore) return refused(422, 'relationship_ended');

    const invoice = known ?? { reportedAfterEnd: end !== null, paid: null, isReversed: false };
    relationship.invoices.set(invoice_id, invoice);
    const isOtherPrice = price !== null && relationship.price !== null && price !== relationship.price;
    if (environment === 'live' && (product_id !== relationship.product || isOtherPrice))
      relationship.heldFor = { product: product_id, price };
    if (before || payment_state !== 'paid') return { status: 200, reason: 'recorded', ids: ['event_id'] };
    const paid: Paid = { amount, eligible, at, waits: false, commission: null };
    invoice.paid = paid;
    if (!invoice.isReversed && environment === 'live') {
      relationship.paidInOrder.push({ invoice: invoice_id, paid });
      if (relationship.heldFor) paid.waits = true;
      else earn(relationship, invoice_id, paid);
    }
    return { status: 200, reason: 'recorded', ids: paid.commission === null ? ['event_id'] : ['conversion_id', 'event_id'] };
  }

  function refund(body: Body, now: number): Expected {
    const { relationship_id, invoice_id, environment } = texts(body);
    if (eventTime(body, now) === null) return refused(422, 'invalid_occurred_at');
    const relationship = relationships.get(relationship_id);
    if (!relationship) return refused(404, 'unknown_relationship');
    if (relationship.environment !== environment) return refused(409, 'environment_mismatch');
    const invoice = relationship.invoices.get(invoice_id);
    if (!invoice) {
      relationship.earlyReversals.add(invoice_id);
      return refused(404, 'unknown_invoice');
    }
    const recorded = { status: 200, reason: 'recorded', ids: ['event_id'] };
    if (invoice.isReversed) return recorded;
    const commission = invoice.paid?.commission ?? null;
    if (invoice.paid?.waits) return refused(500, 'active_hold');
    if (commission && commission.held !== null && commission.held !== 'early_reversal') return refused(500, 'active_hold');
    if (commission?.state === 'billed') return refused(422, 'paid_conversion_not_auto_reversed');
    invoice.isReversed = true;
    if (commission) undo(commission);
    return recorded;
  }

  function end(body: Body, now: number): Expected {
    const { relationship_id, environment } = texts(body);
    const at = eventTime(body, now);
    if (at === null) return refused(422, 'invalid_occurred_at');
    const relationship = relationships.get(relationship_id);
    if (!relationship) return refused(404, 'unknown_relationship');
    if (relationship.environment !== environment) return refused(409, 'environment_mismatch');
    relationship.end ??= { at: body['occurred_at'] === undefined ? null : at };
    return { status: 200, reason: 'recorded', ids: ['event_id'] };
  }

  const recurring = { relationships: bind, 'billing-events': bill, 'invoice-reversals': refund, ends: end };

  /** 3. Sameness: one event id is one event; what was refused with 422 is burned; what failed otherwise leaves nothing. */
  function judgeEvent(path: keyof typeof recurring, body: Body, now: number, number: number): Expected {
    if (path === 'billing-events' && eligibleOf(body) > Number(body['amount_paid_minor_units'])) return refused(400, 'invalid_payload');
    const filled = path === 'billing-events' ? { ...body, eligible_amount_minor_units: eligibleOf(body) } : body;
    const content = `${path} ${contentOf(filled)}`;
    const { event_id } = texts(body);
    const earlier = events.get(event_id);
    if (earlier && earlier.content !== content) return refused(409, 'duplicate_event_conflict');
    if (earlier) {
      const isBurned = earlier.answer.status === 422 && earlier.answer.reason !== 'no_matching_subscription_rule';
      return isBurned ? refused(500, 'duplicate_event') : earlier.answer;
    }
    const answer = recurring[path](body, now, number);
    if (answer.status === 200 || answer.status === 422)
      events.set(event_id, { content, answer: { ...answer, like: answer.like ?? number } });
    return answer;
  }

  return {
    /** `number` is the request's own: an answer given again names the first. */
    judge({ path, body }: Request, now: number, number: number): Expected {
      if (path === 'conversions') return convert(body, now, number);
      if (path === 'reversals') return reverse(body, now);
      return judgeEvent(path, body, now, number);
    },
    /** Null where no live relationship of that name was bound: then there is nothing to review. */
    review(name: string, decision: 'accept' | 'decline'): 'settled' | 'conflict' | null {
      const relationship = relationships.get(name);
      if (!relationship || relationship.environment !== 'live') return null;
      const { heldFor } = relationship;
      if (heldFor === null) return 'conflict';
      relationship.heldFor = null;
      if (decision === 'accept') Object.assign(relationship, heldFor);
      for (const { invoice, paid } of relationship.paidInOrder.filter((one) => one.paid.waits)) {
        paid.waits = false;
        if (decision === 'accept') earn(relationship, invoice, paid);
      }
      return 'settled';
    },
    newTerms: (place: number, from: number): void => void versions.push({ ...variant(place), from }),
    suspend: (word: boolean): void => void (isSuspended = word),
    /** Our invoice is issued over what is pending, not held and above 0. */
    issue(): void {
      for (const one of commissions) if (one.state === 'pending' && one.held === null && one.amount > 0) one.state = 'billed';
    },
    release(): void {
      for (const one of commissions) one.held = null;
    },
    reject(): void {
      for (const one of commissions.filter(({ state, held }) => state === 'pending' && held === null)) {
        one.state = 'rejected';
        expectedCents -= one.amount;
      }
    },
    money: () => ({
      expectedCents,
      commissions: commissions.map(({ what, amount, state, held }) => `${what}: ${amount} ${state} ${held ?? '-'}`).sort(),
    }),
  };
}

export type Model = ReturnType<typeof createModel>;

const refused = (status: number, reason: string): Expected => ({ status, reason, ids: [] });
const again = (answer: Expected, reason: string): Expected => ({ ...answer, reason });

function variant(place: number): TermsVariant {
  const found = termsVariants[place % termsVariants.length];
  if (!found) throw new Error('there is always a variant');
  return found;
}

/** The fields that the model reads as they are: the histories send no other types. */
function texts(body: Body) {
  return body as Readonly<
    Record<
      'order_id' | 'event_id' | 'relationship_id' | 'invoice_id' | 'product_id' | 'payment_state' | 'environment' | 'occurred_at',
      string
    >
  > & {
    readonly click_id?: string;
    readonly line_items?: unknown;
    readonly test?: boolean;
  };
}

const priceOf = (body: Body): string | null => (typeof body['price_id'] === 'string' ? body['price_id'] : null);
const eligibleOf = (body: Body): number => Number(body['eligible_amount_minor_units'] ?? body['amount_paid_minor_units']);

/** What is compared: all that was sent, in one order. Undefined is absent. */
function contentOf(body: Body): string {
  return JSON.stringify(
    Object.entries(body)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Of refunds and subscription events: at most 5 minutes ahead and 372 days old; the time of receipt where there is none. */
function eventTime(body: Body, now: number): number | null {
  if (body['occurred_at'] === undefined) return now;
  const at = Date.parse(String(body['occurred_at']));
  return Number.isNaN(at) || at > now + 5 * minute || at < now - 372 * day ? null : at;
}

type Part = { readonly amount: number; readonly quantity: number };

/** Half up to the cent; a flat amount per unit; never above what it is earned on. */
function shareOf({ basis_points: points, flat_cents: flat }: OrderRule, { amount, quantity }: Part): number {
  if (points !== undefined) return Math.floor((amount * points + 5_000) / 10_000);
  return Math.min(amount, (flat ?? 0) * quantity);
}

function orderShare(rules: readonly OrderRule[], { product, ...part }: Part & { readonly product: string | null }): number {
  const rule =
    rules.find(({ product_id }) => product_id !== undefined && product_id === product) ??
    rules.find(({ product_id }) => product_id === undefined);
  return rule ? shareOf(rule, part) : 0;
}

/** Product and price, product, price, all. */
function subscriptionRule(rules: readonly SubscriptionRule[], product: string, price: string | null): SubscriptionRule | null {
  const fits = rules.filter((rule) => (rule.product_id ?? product) === product && (rule.price_id ?? price) === price);
  const rank = (rule: SubscriptionRule) => (rule.product_id === undefined ? 0 : 2) + (rule.price_id === undefined ? 0 : 1);
  return fits.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

/** Calendar months in UTC, the day clamped to the last of its month. */
function monthsLater(time: number, months: number): number {
  const date = new Date(time);
  const month = date.getUTCMonth() + months;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return (
    Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last)) +
    (time - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  );
}

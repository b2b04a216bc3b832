import type { AttributionWhy, ComparedWhy, RejectedCodeWhy, Why } from '../contract/why.ts';
import { publicId, type Id } from '../core/ids.ts';
import { amountToJson, type Cents } from '../core/money.ts';
import { plusDays } from '../core/time.ts';
import type { CodeOfOrder } from '../creators/discount-code.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';

/** What can earn besides the click, in a store whose terms count codes or returning customers. */
export type Partners = {
  /** The codes of the order that the store knows, in the order in which the report names them. */
  readonly codes: readonly CodeFacts[];
  /** The creators that the customer was bound to, by the time of the order. */
  readonly bindings: readonly CustomerBinding[];
  readonly customerHash: Buffer | null;
};

/** The terms in force when the order happened. Null: the program has none. */
type PartnerTerms = { readonly terms: TermsOfCreator | null; readonly isCreatorSuspended: boolean };

export type CodeFacts = Omit<CodeOfOrder, 'storeId' | 'codeKey'> &
  PartnerTerms & {
    /** The orders of this customer that the code has earned. */
    readonly customerOrders: number;
  };

export type CustomerBinding = PartnerTerms & {
  readonly bindingId: Id<'cust'>;
  readonly number: number;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly linkNumber: bigint;
  readonly boundAt: Date;
  /** The later orders that the binding has earned. */
  readonly orders: number;
};

export type ClickCandidate = {
  readonly clickId: Id<'click'>;
  readonly at: Date;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly linkNumber: bigint;
  readonly isCreatorSuspended: boolean;
  readonly terms: TermsOfCreator;
};

/** A creator who earns the order. */
export type Credited = {
  readonly by: 'click' | 'code' | 'customer';
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly linkNumber: bigint;
  readonly isCreatorSuspended: boolean;
  readonly terms: TermsOfCreator;
  /** The click that the order claims; null if a code or the customer earns. */
  readonly click: { readonly clickId: Id<'click'>; readonly at: Date } | null;
  /** What counts the orders of a customer: a code with a limit, or the binding. */
  readonly use: { readonly subjectId: Id; readonly number: number } | null;
  readonly why: Pick<AttributionWhy, 'discount_code' | 'customer_since' | 'customer_order'>;
};

export type Attribution = {
  readonly credited: Credited;
  /** Another creator who would have earned under other terms. */
  readonly outcompeted: Credited | null;
  /** Null if there was only a click. */
  readonly why: AttributionWhy | null;
};

export type AttributionFacts = {
  /** What the order or lead would earn under these terms. Null: a subscription, whose invoices are not known yet. */
  readonly earns: ((terms: TermsOfCreator) => Cents) | null;
  readonly occurredAt: Date;
  /** Null: the order has no click that counts. */
  readonly click: ClickCandidate | null;
  readonly partners: Partners;
};

export type AttributionDecision = { readonly attribution: Attribution | null; readonly rejectedCodes: readonly RejectedCodeWhy[] };

/** Who earns the order: the click or code that wins, or the creator of the customer's binding. */
export function decideAttribution({ earns, occurredAt, click, partners }: AttributionFacts): AttributionDecision {
  const hasCustomer = partners.customerHash !== null;
  const codes = withoutLaterOwners(partners.codes.map((code) => ({ code, because: codeProblem(code, { occurredAt, hasCustomer }) })));
  const rejectedCodes = codes.flatMap(({ code, because }) => (because === null ? [] : [{ discount_code: code.code, because }]));
  const clicked = click && creditedByClick(click);
  const coded = codes.flatMap(({ code, because }) => (because === null ? (creditedByCode(code) ?? []) : []))[0] ?? null;
  const bound = creditedByCustomer(partners.bindings, occurredAt);
  const decide = (rule: AttributionWhy['rule'], credited: Credited, others: ReadonlyArray<Credited | null>): AttributionDecision => {
    const outcompeted = others.find((other) => other !== null && other.creatorId !== credited.creatorId) ?? null;
    const isPlain = credited.by === 'click' && coded === null && bound === null && rejectedCodes.length === 0;
    const why = attributionWhy(rule, { credited, outcompeted, rejectedCodes, earns });
    return { attribution: { credited, outcompeted, why: isPlain ? null : why }, rejectedCodes };
  };

  const touch = decideTouch(clicked, coded);
  const isFirstPreferred = bound?.terms.attribution.returning?.newClick === 'first_partner';
  if (bound !== null && touch !== null && isFirstPreferred && bound.creatorId !== touch.credited.creatorId)
    return decide('first_partner', bound, [touch.credited, clicked, coded]);
  if (touch !== null) return decide(touch.rule, touch.credited, [clicked, coded, bound]);
  if (bound !== null) return decide('returning_customer', bound, []);
  return { attribution: null, rejectedCodes };
}

type JudgedCode = { readonly code: CodeFacts; readonly because: RejectedCodeWhy['because'] | null };

/** One order earns once: the first code that counts decides, and those of other creators after it do not count. */
function withoutLaterOwners(codes: readonly JudgedCode[]): readonly JudgedCode[] {
  const first = codes.find(({ because }) => because === null);
  return codes.map((one) =>
    one.because === null && one.code.creatorId !== first?.code.creatorId ? { ...one, because: 'not_first' as const } : one,
  );
}

type Touch = { readonly rule: AttributionWhy['rule']; readonly credited: Credited };

/** Click against code, in this order; the first match wins. */
function decideTouch(clicked: Credited | null, coded: Credited | null): Touch | null {
  if (clicked !== null && coded?.creatorId === clicked.creatorId) return { rule: 'same_creator', credited: clicked };
  if (clicked !== null && coded !== null && isBeforeClick(coded) && isBeforeClick(clicked))
    return { rule: 'code_before_click', credited: coded };
  if (clicked !== null) return { rule: 'click', credited: clicked };
  return coded && { rule: 'code', credited: coded };
}

const isBeforeClick = ({ terms }: Credited): boolean => terms.attribution.codes === 'before_click';

type CodeContext = { readonly occurredAt: Date; readonly hasCustomer: boolean };

/** Why a code does not earn. Null: it does. All times are compared with the order's, not with the time of the report. */
export function codeProblem(code: CodeFacts, { occurredAt, hasCustomer }: CodeContext): RejectedCodeWhy['because'] | null {
  if (code.terms === null || code.terms.attribution.codes === 'off') return 'codes_off';
  if (code.isShared) return 'shared';
  if (occurredAt < code.validFrom) return 'not_yet_valid';
  if (code.validUntil !== null && occurredAt >= code.validUntil) return 'expired';
  if (code.endedAt !== null && occurredAt >= code.endedAt) return 'ended';
  if (code.pausedAt !== null && occurredAt >= code.pausedAt) return 'paused';
  if (code.memberStatus !== 'approved' && occurredAt >= code.memberSince) return 'owner_not_active';
  if (code.programStatus !== 'published') return 'program_not_published';
  if (code.pastDueAt !== null && occurredAt >= code.pastDueAt) return 'store_past_due';
  if (code.ordersPerCustomer !== null && !hasCustomer) return 'no_customer_id';
  if (code.ordersPerCustomer !== null && code.customerOrders >= code.ordersPerCustomer) return 'customer_limit';
  return null;
}

const creditedByClick = ({ clickId, at, ...click }: ClickCandidate): Credited => ({
  ...click,
  by: 'click',
  click: { clickId, at },
  use: null,
  why: {},
});

function creditedByCode(code: CodeFacts): Credited | null {
  const { codeId, programId, creatorId, linkNumber, isCreatorSuspended, terms, ordersPerCustomer, customerOrders } = code;
  if (terms === null) return null;
  return {
    by: 'code',
    programId,
    creatorId,
    linkNumber,
    isCreatorSuspended,
    terms,
    click: null,
    use: ordersPerCustomer === null ? null : { subjectId: codeId, number: customerOrders + 1 },
    why: { discount_code: code.code },
  };
}

/** The creator of the customer's last binding before the order, within the limits of today's terms of that program. */
function creditedByCustomer(bindings: readonly CustomerBinding[], occurredAt: Date): Credited | null {
  const binding = bindingAt(bindings, occurredAt);
  const returning = binding?.terms?.attribution.returning ?? null;
  if (binding === undefined || binding.terms === null || returning === null) return null;
  if (occurredAt > plusDays(binding.boundAt, returning.days)) return null;
  if (returning.ordersMax !== null && binding.orders >= returning.ordersMax) return null;
  const { programId, creatorId, linkNumber, isCreatorSuspended, terms } = binding;
  return {
    by: 'customer',
    programId,
    creatorId,
    linkNumber,
    isCreatorSuspended,
    terms,
    click: null,
    use: { subjectId: binding.bindingId, number: binding.orders + 1 },
    why: { customer_since: binding.boundAt.toISOString(), customer_order: binding.orders + 1 },
  };
}

type Compared = Pick<Attribution, 'credited' | 'outcompeted'> &
  Pick<AttributionDecision, 'rejectedCodes'> &
  Pick<AttributionFacts, 'earns'>;

function attributionWhy(rule: AttributionWhy['rule'], { credited, outcompeted, rejectedCodes, earns }: Compared): AttributionWhy {
  return {
    rule,
    attributed_by: credited.by,
    attributed_to: publicId('crt', credited.creatorId),
    ...credited.why,
    ...(outcompeted === null ? {} : { compared: comparedWhy(outcompeted, earns) }),
    ...(rejectedCodes.length === 0 ? {} : { rejected_codes: rejectedCodes }),
  };
}

/** Includes what the other creator would have earned, for the report of the alternative. */
const comparedWhy = (other: Credited, earns: AttributionFacts['earns']): ComparedWhy => ({
  by: other.by,
  creator_id: publicId('crt', other.creatorId),
  ...(other.click === null ? {} : { clicked_at: other.click.at.toISOString() }),
  ...other.why,
  ...(earns === null ? {} : { commission_cents: amountToJson(earns(other.terms)) }),
});

/** Binds the customer to the creator of a click or code, if the terms count returning customers and the customer is not bound yet. */
export function bindingOf(
  { credited }: Pick<Attribution, 'credited'>,
  { partners: { bindings, customerHash }, occurredAt }: Pick<AttributionFacts, 'partners' | 'occurredAt'>,
): { readonly number: number } | null {
  const { returning } = credited.terms.attribution;
  if (customerHash === null || returning === null || credited.by === 'customer') return null;
  if (bindings.length === 0) return { number: 1 };
  if (returning.newClick === 'first_partner' || bindings.length >= bindingsMax) return null;
  const current = bindingAt(bindings, occurredAt);
  if (current?.creatorId === credited.creatorId && current.programId === credited.programId) return null;
  return { number: Math.max(...bindings.map(({ number }) => number)) + 1 };
}

/** A customer ID that more creators share is not one person, such as the ID of all guests. */
const bindingsMax = 100;

/** By the time of the order, so that a late report changes nothing for later orders. */
const bindingAt = (bindings: readonly CustomerBinding[], occurredAt: Date): CustomerBinding | undefined =>
  bindings.filter(({ boundAt }) => boundAt <= occurredAt).at(-1);

/** What the other creator sees: what was compared, without the other's name, customer, or amount. */
export const outcompetedWhy = ({ rule, attributed_by, discount_code, customer_since, compared }: AttributionWhy): Why => ({
  rule,
  attributed_by,
  ...(attributed_by === 'customer' && customer_since !== undefined ? { customer_since } : {}),
  ...(discount_code === undefined ? {} : { discount_code }),
  ...(compared === undefined ? {} : { compared }),
});

/** A store's state in the model of test/model/model.ts: clicks, terms, commissions, and their totals. */
import { shareOf } from './rates.ts';
import { termsVariants, type OrderRule, type TermsVariant } from './terms.ts';

export type Click = { readonly kind: 'live' | 'test'; readonly at: number; readonly expiresAt: number };
export type Version = TermsVariant & { readonly from: number };
/** Issued for several commissions at a time. */
export type OurInvoice = { readonly cents: number; credited: number };
/** What a commission is earned on: a whole order or invoice, or one line. Without a rule, it earns nothing. */
export type Part = { readonly product: string | null; readonly rule: OrderRule | null; amount: number; quantity: number };
export type Commission = {
  readonly what: string;
  readonly eligible: number;
  readonly parts: readonly Part[];
  /** In all, by partial refunds. */
  refunded: number;
  amount: number;
  state: 'pending' | 'rejected' | 'reversed' | 'billed';
  held: string | null;
  /** Our invoice that contains it. */
  invoice: OurInvoice | null;
};

export const worthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { rule, ...part }) => sum + (rule ? shareOf(rule, part) : 0), 0);

/** The expected response: the identifiers in it, and in `like` the earlier response that has the same ones. */
export type Expected = {
  readonly status: number;
  readonly reason: string;
  readonly ids: readonly string[];
  readonly like?: number;
  /** What can still be refunded. */
  readonly remaining?: number;
};
export type Body = Readonly<Record<string, unknown>>;

/** A request, its time of receipt, and its number among all requests. */
export type ReceivedReport = { readonly body: Body; readonly now: number; readonly number: number };

export type Books = {
  readonly clicks: ReadonlyMap<string, Click>;
  readonly versions: Version[];
  readonly commissions: Commission[];
  /** When the creator entered or left the group. */
  readonly moves: Array<{ readonly at: number; readonly isIn: boolean }>;
  isSuspended: boolean;
};

export const minute = 60_000;
export const day = 24 * 60 * minute;

export function variant(place: number): TermsVariant {
  const found = termsVariants[place % termsVariants.length];
  if (!found) throw new Error('there is always a variant');
  return found;
}

/** The latest version that was in effect at the time; before the first version, its window without its rules. */
export function inForce({ versions }: Books, at: number): Version {
  const begun = versions.filter(({ from }) => from <= at);
  return begun.at(-1) ?? { ...variant(0), from: 0, order_rules: [], subscription_rules: [], leads: [], own_rates: [] };
}

type Rules = Pick<TermsVariant, 'order_rules' | 'subscription_rules'>;

/** The lists of rules that may apply at the time, in their order: the creator's own, the group's, the program's. */
export function levelsAt(books: Books, at: number): readonly Rules[] {
  const terms = inForce(books, at);
  const isInGroup = books.moves.filter((move) => move.at <= at).at(-1)?.isIn === true;
  const own = (of: 'member' | 'group') => (terms.own_rates ?? []).filter((rates) => rates.of === of);
  return [...own('member'), ...(isInGroup ? own('group') : []), terms];
}

/** Opens the commission, on hold if its refund arrived first or the creator is suspended at that moment. */
export function open(
  books: Books,
  what: string,
  { parts, eligible, cameEarly }: { readonly parts: readonly Part[]; readonly eligible: number; readonly cameEarly: boolean },
): Commission {
  const held = cameEarly ? 'early_reversal' : books.isSuspended ? 'creator_suspended' : null;
  const fresh = { state: 'pending', held, refunded: 0, invoice: null } as const;
  const commission: Commission = { what, eligible, parts, amount: worthOf(parts), ...fresh };
  books.commissions.push(commission);
  return commission;
}

/** The rejection of a refund, or null: an early refund does not count as a hold here. */
export function refusalOfRefund({ held, state, invoice }: Commission): Expected | null {
  if (held !== null && held !== 'early_reversal') return refused(500, 'active_hold');
  return state === 'billed' || (state === 'reversed' && invoice !== null) ? refused(422, 'paid_conversion_not_auto_reversed') : null;
}

export function undo(commission: Commission): void {
  commission.state = 'reversed';
  commission.held = null;
}

/** The amount not yet invoiced, and the amount owed to creators; both exclude rejected and reversed commissions. */
export function moneyIn({ commissions }: Books) {
  const sumOf = (...states: ReadonlyArray<Commission['state']>) =>
    commissions.reduce((sum, { state, amount }) => sum + (states.includes(state) ? amount : 0), 0);
  return {
    expectedCents: sumOf('pending'),
    toCreatorsCents: sumOf('pending', 'billed'),
    commissions: commissions.map(({ what, amount, state, held }) => `${what}: ${amount} ${state} ${held ?? '-'}`).sort(),
  };
}

export const refused = (status: number, reason: string): Expected => ({ status, reason, ids: [] });

type TextField =
  | 'order_id'
  | 'lead_id'
  | 'kind'
  | 'refund_id'
  | 'event_id'
  | 'relationship_id'
  | 'invoice_id'
  | 'product_id'
  | 'payment_state'
  | 'environment'
  | 'currency';

/** A field that the histories always send as text. */
export function textOf(body: Body, name: TextField): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`the histories always send ${name}`);
  return value;
}
export const textIfAny = (body: Body, name: string): string | null => {
  const value = body[name];
  return typeof value === 'string' ? value : null;
};

/** The content that is compared: all fields, sorted by name. */
export const contentOf = (body: Body): string => JSON.stringify(Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1)));

/** For refunds and subscription events: at most 5 minutes ahead and 372 days old, by default the time of receipt. Null if rejected. */
export function eventTime({ body, now }: ReceivedReport): number | null {
  const text = textIfAny(body, 'occurred_at');
  if (text === null) return now;
  const at = Date.parse(text);
  return Number.isNaN(at) || at > now + 5 * minute || at < now - 372 * day ? null : at;
}

/** A store's state in the model of test/model/model.ts: clicks, terms, commissions, and their totals. */
import { shareOf } from './rates.ts';
import type { CodeSpec, Goal, Group, OrderRule, Owner, TermsVariant } from './terms.ts';

export type Click = { readonly kind: 'live' | 'test'; readonly at: number; readonly expiresAt: number };
export type Version = TermsVariant & {
  readonly from: number;
  readonly number: number;
  /** Creators are informed of it, and may accept it before its start. */
  readonly isAnnounced: boolean;
  canceledAt: number | null;
};
export type Acceptance = { readonly owner: Owner; readonly version: number; readonly at: number };
/** A bonus of a goal, once for a creator, goal, and month. */
export type GoalBonus = {
  readonly owner: Owner;
  readonly goal: Pick<Goal, 'orders' | 'period'>;
  /** Empty for a goal that is reached in all. */
  readonly month: string;
  readonly commission: Commission;
  isNotified: boolean;
};
/** The documented copy of what applied, in the format of the API, with names instead of IDs. */
export type Explained = Readonly<Record<string, unknown>>;
/** Issued for several commissions at a time. */
export type OurInvoice = { readonly cents: number; credited: number };
/** What a commission is earned on: a whole order or invoice, or one line. Without a rule, it earns nothing. */
export type Part = { readonly product: string | null; readonly rule: OrderRule | null; amount: number; quantity: number };
export type Commission = {
  readonly what: string;
  readonly source: 'order' | 'invoice' | 'lead' | 'bonus';
  readonly owner: Owner;
  readonly by: 'click' | 'code' | 'customer' | 'hand';
  /** When the order, invoice, or lead happened. */
  readonly at: number;
  readonly version: number;
  /** What was copied of the rules that applied; empty for leads and bonuses. */
  readonly earned: string;
  readonly eligible: number;
  readonly parts: readonly Part[];
  /** In all, by partial refunds. */
  refunded: number;
  /** By partial refunds that left a part of it. */
  taken: number;
  amount: number;
  state: 'pending' | 'approved' | 'rejected' | 'reversed' | 'billed' | 'paid';
  approvedAt: number | null;
  /** Rejected because too few orders of a goal counted, and not by a person. */
  isWithdrawn: boolean;
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

/** A code with its changes. */
export type Code = CodeSpec & { readonly from: number; readonly until: number | null; pausedAt: number | null; endedAt: number | null };
export type Binding = { readonly owner: Owner; readonly at: number; uses: number };

export type Partners = {
  readonly codes: readonly Code[];
  /** In the order in which they were made. */
  readonly bindings: Map<string, Binding[]>;
  /** The orders of a customer that a code with a limit earned. */
  readonly uses: Map<string, number>;
};

export type Books = {
  readonly clicks: ReadonlyMap<string, Click>;
  readonly versions: Version[];
  readonly commissions: Commission[];
  readonly acceptances: Acceptance[];
  readonly goals: GoalBonus[];
  /** When a creator entered a group, or left it. */
  readonly moves: Array<{ readonly at: number; readonly owner: Owner; readonly to: Group | null }>;
  readonly partners: Partners;
  /** Counts what histories reach. */
  readonly tally: (what: string) => void;
  isSuspended: boolean;
};

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** The latest version that was in effect for all at the time; before the first version, its window without its rules. */
export function inForce({ versions }: Pick<Books, 'versions'>, at: number): Version {
  const begun = versions
    .filter(({ from, canceledAt }) => from <= at && canceledAt === null)
    .toSorted((one, other) => one.from - other.from);
  const [first] = versions;
  if (first === undefined) throw new Error('a history begins with terms');
  const noRules = { order_rules: [], subscription_rules: [], leads: [], own_rates: [], codes: 'off', returning: null } as const;
  const { tiers: _tiers, budget: _budget, goals: _goals, ...settings } = first;
  return begun.at(-1) ?? { ...settings, ...noRules };
}

type Opening = Pick<Commission, 'source' | 'at' | 'version' | 'earned' | 'parts' | 'eligible' | 'owner' | 'by'> & {
  readonly cameEarly: boolean;
};

/** Opens the commission, on hold if its refund arrived first or the creator is suspended at that moment. */
export function open(books: Books, what: string, { cameEarly, ...opening }: Opening): Commission {
  const { source, owner, by, parts } = opening;
  const held = cameEarly ? 'early_reversal' : books.isSuspended && owner === 'ada' ? 'creator_suspended' : null;
  const fresh = { state: 'pending', held, refunded: 0, taken: 0, approvedAt: null, isWithdrawn: false, invoice: null } as const;
  const commission: Commission = { what, ...opening, amount: worthOf(parts), ...fresh };
  books.tally(`${source} by ${by}`);
  books.commissions.push(commission);
  return commission;
}

/** The rejection of a refund, or null: an early refund does not count as a hold here. */
export function refusalOfRefund({ held, state, invoice }: Commission): Expected | null {
  if (held !== null && held !== 'early_reversal') return refused(500, 'active_hold');
  return state === 'billed' || state === 'paid' || (state === 'reversed' && invoice !== null)
    ? refused(422, 'paid_conversion_not_auto_reversed')
    : null;
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
    expectedCents: sumOf('pending', 'approved'),
    toCreatorsCents: sumOf('pending', 'approved', 'billed', 'paid'),
    commissions: commissions
      .map(
        ({ what, owner, by, amount, state, held, version, earned }) =>
          `${what}: ${amount} ${state} ${held ?? '-'} ${owner} by ${by} version ${version} ${earned}`,
      )
      .sort(),
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

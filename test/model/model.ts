/**
 * Expected responses and money, implemented independently from the interface and contract documents, not from the code:
 * sequentially, in memory, without a database, a batch, or a decision of `src/`.
 */
import { inForce, moneyIn, open, type Body, type Books, type Click, type Commission, type Expected } from './model-books.ts';
import { bindingsIn, changeCode, noPartners, type CodeStatus } from './model-attribution.ts';
import { awardGoals, type CameGoal } from './model-goals.ts';
import { accept, addTerms, cancel, type CameTerms } from './model-notice.ts';
import { convert, noOrders, reverse } from './model-orders.ts';
import { judgeLead, noLeads, type LeadPath } from './model-leads.ts';
import { judgeRefund, type RefundPath, type Refunds } from './model-refunds.ts';
import { judgeEvent, noSubscriptions, review, type RecurringPath } from './model-subscriptions.ts';
import type { Group, Owner, TermsVariant } from './terms.ts';

export type Path = 'conversions' | 'reversals' | RefundPath | LeadPath | RecurringPath;

/** A request as it was sent. */
export type Request = { readonly path: Path; readonly body: Body };

type Beginning = {
  readonly clicks: ReadonlyMap<string, Click>;
  readonly terms: TermsVariant;
  readonly termsFrom: number;
  readonly begin: number;
  readonly tally: Books['tally'];
};
type ReviewAction = 'approve' | 'reject' | 'reopen';
type Bonus = { readonly text: string; readonly owner: Owner; readonly cents: number; readonly at: number };

export function createModel({ clicks, terms, termsFrom, begin, tally }: Beginning) {
  const versions = [{ ...terms, from: termsFrom, number: 1, isAnnounced: false, canceledAt: null }];
  const lists = { commissions: [], acceptances: [], goals: [], moves: [] };
  const books: Books = { clicks, versions, ...lists, partners: noPartners(begin), tally, isSuspended: false };
  const orders = noOrders();
  const subscriptions = noSubscriptions();
  const leads = noLeads();
  const refunds: Refunds = new Map();
  return {
    /** `number` is the number of the request: a repeated response refers to the number of the first. */
    judge({ path, body }: Request, now: number, number: number): Expected {
      const received = { body, now, number };
      if (path === 'conversions') return convert(books, orders, received);
      if (path === 'leads' || path === 'lead-reversals') return judgeLead(path, books, leads, received);
      if (path === 'order-refunds' || path === 'invoice-refunds')
        return judgeRefund(path, { books, orders, subscriptions, refunds }, received);
      return path === 'reversals' ? reverse(orders, received) : judgeEvent(path, books, subscriptions, received);
    },
    review: (name: string, decision: 'accept' | 'decline') => review(books, subscriptions, { name, decision }),
    newTerms: (wanted: Parameters<typeof addTerms>[1], came: CameTerms): string | null => addTerms(books, wanted, came),
    versions: () => books.versions.length,
    accept: (owner: Owner, at: number) => accept(books, { owner, version: books.versions.length, at }),
    cancelTerms: (at: number) => cancel(books, { version: books.versions.length, at }),
    awardGoals: (at: number, came: readonly CameGoal[]): string | null => awardGoals(books, at, came),
    move: (owner: Owner, to: Group | null, at: number): void => void books.moves.push({ owner, to, at }),
    suspend: (isSuspended: boolean): void => void (books.isSuspended = isSuspended),
    /** Approves what is pending and above 0, and issues our invoice for all that is approved and above 0. */
    issue(at: number): void {
      for (const one of books.commissions) if (one.state === 'pending' && one.amount > 0) reviewOne(one, 'approve', at);
      const billed = books.commissions.filter(({ state, held, amount }) => state === 'approved' && held === null && amount > 0);
      const invoice = { cents: billed.reduce((sum, { amount }) => sum + amount, 0), credited: 0 };
      for (const one of billed) Object.assign(one, { state: 'billed', invoice });
    },
    /** Which commissions are in a payout depends on balances of creators, which this model does not have. Returns what cannot be. */
    pay(paid: ReadonlySet<string>): string | null {
      for (const one of books.commissions) {
        if (!paid.has(one.what) || one.state === 'paid') continue;
        if (one.state !== 'billed' || one.held !== null) return `${one.what} was paid, but it is ${one.state} ${one.held ?? ''}`;
        one.state = 'paid';
        tally('paid');
      }
      return null;
    },
    /** Reviews one order, or all commissions. */
    reviewAll(action: ReviewAction, order: string | null, at: number): void {
      for (const one of books.commissions) if (order === null || one.what === order) reviewOne(one, action, at);
    },
    addBonus({ text, owner, cents, at }: Bonus): void {
      const parts = [{ product: null, rule: { flat_cents: cents }, amount: cents, quantity: 1 }];
      const { number: version } = inForce(books, at);
      open(books, text, { source: 'bonus', at, version, earned: '', parts, eligible: 0, cameEarly: false, owner, by: 'hand' });
    },
    release(): void {
      for (const one of books.commissions) one.held = null;
    },
    changeCode: (name: string, to: CodeStatus, at: number): void => changeCode(books.partners, { name, to, at }),
    money: () => ({ ...moneyIn(books), customers: bindingsIn(books.partners) }),
  };
}

/** Nothing that is on hold, invoiced, or reversed can be reviewed. */
function reviewOne(commission: Commission, action: ReviewAction, at: number): void {
  const goal = ({ approve: 'approved', reject: 'rejected', reopen: 'pending' } as const)[action];
  if (commission.held !== null || commission.state === goal) return;
  if (!['pending', 'approved', 'rejected'].includes(commission.state)) return;
  commission.state = goal;
  commission.isWithdrawn = false;
  commission.approvedAt = goal === 'approved' ? at : null;
}

export type Model = ReturnType<typeof createModel>;

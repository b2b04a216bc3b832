/**
 * Expected responses and money, implemented independently from the interface and contract documents, not from the code:
 * sequentially, in memory, without a database, a batch, or a decision of `src/`.
 */
import { moneyIn, variant, type Body, type Books, type Click, type Expected } from './model-books.ts';
import { convert, noOrders, reverse } from './model-orders.ts';
import { judgeLead, noLeads, type LeadPath } from './model-leads.ts';
import { isSettling, judgeRefund, type RefundPath, type Refunds } from './model-refunds.ts';
import { judgeEvent, noSubscriptions, review, type RecurringPath } from './model-subscriptions.ts';

export type Path = 'conversions' | 'reversals' | RefundPath | LeadPath | RecurringPath;

/** A request as it was sent. */
export type Request = { readonly path: Path; readonly body: Body };

export function createModel(clicks: ReadonlyMap<string, Click>, termsFrom: number) {
  const books: Books = { clicks, versions: [{ ...variant(0), from: termsFrom }], commissions: [], moves: [], isSuspended: false };
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
    newTerms: (place: number, from: number): void => void books.versions.push({ ...variant(place), from }),
    move: (isIn: boolean, at: number): void => void books.moves.push({ at, isIn }),
    suspend: (isSuspended: boolean): void => void (books.isSuspended = isSuspended),
    /** Issues our invoice for commissions that are pending, not on hold, and above 0. */
    issue(): void {
      const billed = books.commissions.filter(({ state, held, amount }) => state === 'pending' && held === null && amount > 0);
      const invoice = { cents: billed.reduce((sum, { amount }) => sum + amount, 0), credited: 0 };
      for (const one of billed) Object.assign(one, { state: 'billed', invoice });
    },
    release(): void {
      for (const one of books.commissions) one.held = null;
    },
    reject(): void {
      for (const one of books.commissions) if (one.state === 'pending' && one.held === null) one.state = 'rejected';
    },
    /** Whether the result of this refund depends on when a job runs. */
    isSettling: ({ body }: Request) => isSettling({ orders, subscriptions }, body),
    money: () => moneyIn(books),
  };
}

export type Model = ReturnType<typeof createModel>;

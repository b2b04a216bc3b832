import { namesOfCreators } from '../creators/creators-sql.ts';
import { noCreator, type Source, type StoreAccount } from '../ledger/posting.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { never } from '../platform/must.ts';
import type { Period } from './period.ts';
import { ofDecisions, ofInvoices, ofOrders, ofPayments, ofReversals, type Reference } from './references-sql.ts';
import { storeSumsAt, storeTransfers, type AccountSum, type StoreTransfer } from './store-ledger-sql.ts';

/** What an account holds, on the side on which it grows: never below 0, but for what the operator bore beyond its fees. */
export type Balances = Readonly<Record<StoreAccount, bigint>>;

const growsByCredit: ReadonlySet<StoreAccount> = new Set(['to_creators', 'fee', 'credit']);

export function balancesOf(sums: readonly AccountSum[]): Balances {
  const balance = (account: StoreAccount): bigint => {
    const sum = sums.find((one) => one.account === account);
    if (sum === undefined) return 0n;
    return growsByCredit.has(account) ? sum.creditCents - sum.debitCents : sum.debitCents - sum.creditCents;
  };
  return {
    expected: balance('expected'),
    owed: balance('owed'),
    collected: balance('collected'),
    fee: balance('fee'),
    credit: balance('credit'),
    to_creators: balance('to_creators'),
  };
}

export const storeBalancesAt = async (db: Queryable, storeId: Id<'store'>, at: Date): Promise<Balances> =>
  balancesOf(await storeSumsAt(db, storeId, at));

/** One line of a statement: a transfer, with what it is about. */
export type StatementLine = StoreTransfer & {
  readonly what: string;
  readonly reference: Reference | null;
  /** Empty for what is the store's own: fee and credit. */
  readonly creatorName: string;
};

/** One line more than asked for where there are more. */
export async function statementLines(db: Queryable, storeId: Id<'store'>, period: Period, page: Page): Promise<readonly StatementLine[]> {
  const transfers = await storeTransfers(db, storeId, period, page);
  const references = await referencesOf(db, storeId, transfers);
  const names = await namesOfCreators(
    db,
    [...new Set(transfers.map(({ creatorId }) => creatorId))].filter((id) => id !== noCreator),
  );
  return transfers.map((transfer) => ({
    ...transfer,
    what: whatOf(transfer),
    reference: references.get(transfer.sourceId) ?? null,
    creatorName: names.get(transfer.creatorId) ?? '',
  }));
}

type LookUp = typeof ofOrders;

async function referencesOf(db: Queryable, storeId: Id<'store'>, transfers: readonly StoreTransfer[]): Promise<ReadonlyMap<Id, Reference>> {
  const byLookUp = new Map<LookUp, Set<Id>>();
  for (const { sourceKind, sourceId } of transfers) {
    const lookUp = lookUpOf(sourceKind);
    byLookUp.set(lookUp, (byLookUp.get(lookUp) ?? new Set()).add(sourceId));
  }
  const found = await Promise.all([...byLookUp].map(([lookUp, sourceIds]) => lookUp(db, { storeId, sourceIds: [...sourceIds] })));
  return new Map(found.flat().map((reference) => [reference.sourceId, reference]));
}

function lookUpOf(kind: Source['kind']): LookUp {
  switch (kind) {
    case 'order':
      return ofOrders;
    case 'billing_event':
      return ofPayments;
    case 'reversal':
      return ofReversals;
    case 'decision':
      return ofDecisions;
    case 'invoice':
    case 'charge':
    case 'dispute':
    case 'credit_note':
      return ofInvoices;
    default:
      return never(kind);
  }
}

const words: Readonly<Record<string, string>> = {
  'order expected to_creators': 'Order recorded',
  'billing_event expected to_creators': 'Subscription invoice paid',
  'reversal to_creators expected': 'Refunded',
  'decision to_creators expected': 'Rejected',
  'decision expected to_creators': 'Rejection taken back',
  'invoice owed expected': 'Billed',
  'invoice owed fee': 'Platform fee billed',
  'invoice credit owed': 'Credit used',
  'invoice fee owed': 'Waived, too little to be charged',
  'invoice collected owed': 'Platform fee paid',
  'invoice owed collected': 'Credit counted as paid',
  'charge collected owed': 'Paid',
  'charge owed collected': 'Credit counted as paid',
  'dispute owed collected': 'Payment taken back',
  'dispute collected owed': 'Credit taken back',
  'credit_note to_creators owed': 'Credited before it was paid',
  'credit_note fee owed': 'Platform fee credited',
  'credit_note to_creators credit': 'Credited for the next invoices',
  'credit_note fee credit': 'Credited for the next invoices, at the operator’s cost',
  'credit_note owed credit': 'Credit given back',
};

/** In a person's words; a way that has none yet is told by its accounts. */
export const whatOf = ({ sourceKind, debit, credit }: Pick<StoreTransfer, 'sourceKind' | 'debit' | 'credit'>): string =>
  words[`${sourceKind} ${debit} ${credit}`] ?? `${sourceKind}: ${debit} from ${credit}`;

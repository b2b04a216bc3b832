import { creatorNames } from '../creators/creators-sql.ts';
import { noCreator, type Source, type StoreAccount } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';
import type { Period } from './period.ts';
import {
  listBonusReferences,
  listDecisionReferences,
  listInvoiceReferences,
  listLeadReferences,
  listOrderReferences,
  listPaymentReferences,
  listRefundReferences,
  listReversalReferences,
  type LedgerReference,
} from './ledger-references-sql.ts';
import { storeAccountTotalsAt, listStoreTransfers, type StoreAccountTotals, type StoreTransfer } from './store-statement-sql.ts';

/** Balances on the side on which each account grows. Only `fee` can be negative, if the operator bore more than its fees. */
export type StoreBalances = Readonly<Record<StoreAccount, bigint>>;

const growsByCredit: ReadonlySet<StoreAccount> = new Set(['to_creators', 'fee', 'credit']);

export function toStoreBalances(sums: readonly StoreAccountTotals[]): StoreBalances {
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

export const storeBalancesAt = async (db: Queryable, storeId: Id<'store'>, at: Date): Promise<StoreBalances> =>
  toStoreBalances(await storeAccountTotalsAt(db, storeId, at));

export type StoreStatementLine = StoreTransfer & {
  readonly what: string;
  readonly reference: LedgerReference | null;
  /** Empty for the fee and credit of the store. */
  readonly creatorName: string;
};

/** Returns one line more than the limit if there is another page. */
export async function listStoreStatementLines(
  db: Queryable,
  storeId: Id<'store'>,
  period: Period,
  page: Page,
): Promise<readonly StoreStatementLine[]> {
  const transfers = await listStoreTransfers(db, storeId, period, page);
  const references = await loadReferences(db, storeId, transfers);
  const names = await creatorNames(
    db,
    [...new Set(transfers.map(({ creatorId }) => creatorId))].filter((id) => id !== noCreator),
  );
  return transfers.map((transfer) => ({
    ...transfer,
    what: describeTransfer(transfer),
    reference: references.get(transfer.sourceId) ?? null,
    creatorName: names.get(transfer.creatorId) ?? '',
  }));
}

type ListReferences = typeof listOrderReferences;

async function loadReferences(
  db: Queryable,
  storeId: Id<'store'>,
  transfers: readonly StoreTransfer[],
): Promise<ReadonlyMap<Id, LedgerReference>> {
  const byLookUp = new Map<ListReferences, Set<Id>>();
  for (const { sourceKind, sourceId } of transfers) {
    const lookUp = listReferencesOf(sourceKind);
    byLookUp.set(lookUp, (byLookUp.get(lookUp) ?? new Set()).add(sourceId));
  }
  const found = await Promise.all([...byLookUp].map(([lookUp, sourceIds]) => lookUp(db, { storeId, sourceIds: [...sourceIds] })));
  return new Map(found.flat().map((reference) => [reference.sourceId, reference]));
}

function listReferencesOf(kind: Source['kind']): ListReferences {
  switch (kind) {
    case 'order':
      return listOrderReferences;
    case 'lead':
      return listLeadReferences;
    case 'billing_event':
      return listPaymentReferences;
    case 'bonus':
      return listBonusReferences;
    case 'refund':
      return listRefundReferences;
    case 'reversal':
      return listReversalReferences;
    case 'decision':
      return listDecisionReferences;
    case 'invoice':
    case 'charge':
    case 'dispute':
    case 'credit_note':
      return listInvoiceReferences;
    default:
      return never(kind);
  }
}

const descriptions: Readonly<Record<string, string>> = {
  'order expected to_creators': 'Order recorded',
  'billing_event expected to_creators': 'Subscription invoice paid',
  'lead expected to_creators': 'Lead recorded',
  'bonus expected to_creators': 'Bonus added',
  'reversal to_creators expected': 'Refunded',
  'refund to_creators expected': 'Refunded in part',
  'decision to_creators expected': 'Rejected',
  'decision expected to_creators': 'Rejection undone',
  'invoice owed expected': 'Invoiced',
  'invoice owed fee': 'Platform fee invoiced',
  'invoice credit owed': 'Credit used',
  'invoice fee owed': 'Waived, too little to be charged',
  'invoice collected owed': 'Platform fee paid',
  'invoice owed collected': 'Credit counted as paid',
  'charge collected owed': 'Paid',
  'charge owed collected': 'Credit counted as paid',
  'dispute owed collected': 'Payment reversed',
  'dispute collected owed': 'Credit reversed',
  'dispute fee collected': 'Refunded at the payment provider, at the operator’s cost',
  'dispute collected fee': 'The operator’s cost of a refund reversed',
  'credit_note to_creators owed': 'Credited before it was paid',
  'credit_note fee owed': 'Platform fee credited',
  'credit_note to_creators credit': 'Credited for the next invoices',
  'credit_note fee credit': 'Credited for the next invoices, at the operator’s cost',
  'credit_note owed credit': 'Credit given back',
};

/** A description for people; an unknown combination is described by its accounts. */
export const describeTransfer = ({ sourceKind, debit, credit }: Pick<StoreTransfer, 'sourceKind' | 'debit' | 'credit'>): string =>
  descriptions[`${sourceKind} ${debit} ${credit}`] ?? `${sourceKind}: ${debit} from ${credit}`;

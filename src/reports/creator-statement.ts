import { payoutLineSources } from '../commissions/payout-sql.ts';
import type { CreatorAccount } from '../ledger/creator-postings.ts';
import { storesById } from '../merchants/stores-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { creatorAccountTotalsAt, listCreatorTransfers, type CreatorAccountTotals, type CreatorTransfer } from './creator-statement-sql.ts';
import type { Period } from './period.ts';
import { listPostbacksOfCommissions } from './ledger-references-sql.ts';

/** `advance` is the part of the paid amount that the operator bears, because the store's payment was taken back. */
export type CreatorBalances = Readonly<Record<Exclude<CreatorAccount, 'from_stores'>, bigint>>;

export function toCreatorBalances(sums: readonly CreatorAccountTotals[]): CreatorBalances {
  const grown = (account: CreatorAccount): bigint => {
    const sum = sums.find((one) => one.account === account);
    return sum === undefined ? 0n : sum.creditCents - sum.debitCents;
  };
  return { available: grown('available'), in_payout: grown('in_payout'), paid: grown('paid'), advance: -grown('advance') };
}

export const creatorBalancesAt = async (db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<CreatorBalances> =>
  toCreatorBalances(await creatorAccountTotalsAt(db, creatorId, at));

export type CreatorStatementLine = CreatorTransfer & {
  readonly what: string;
  readonly storeName: string;
  readonly orderId: string | null;
  readonly subscriptionInvoiceId: string | null;
  readonly leadId: string | null;
  readonly postbackId: Id<'post'> | null;
};

/** Returns one line more than the limit if there is another page. */
export async function listCreatorStatementLines(
  db: Queryable,
  creatorId: Id<'crt'>,
  period: Period,
  page: Page,
): Promise<readonly CreatorStatementLine[]> {
  const transfers = await listCreatorTransfers(db, creatorId, period, page);
  const stores = await storesById(
    db,
    transfers.map(({ storeId }) => storeId),
  );
  const keys = transfers.flatMap(({ storeId, commissionId }) => (commissionId === null ? [] : [{ storeId, commissionId }]));
  const sold = new Map((await payoutLineSources(db, keys)).map((one) => [one.commissionId, one]));
  const postbacks = new Map((await listPostbacksOfCommissions(db, keys)).map(({ commissionId, postbackId }) => [commissionId, postbackId]));
  return transfers.map((transfer) => {
    const one = transfer.commissionId === null ? undefined : sold.get(transfer.commissionId);
    return {
      ...transfer,
      what: descriptions[`${transfer.debit} ${transfer.credit}`] ?? `${transfer.debit} to ${transfer.credit}`,
      storeName: stores.get(transfer.storeId)?.name ?? '',
      orderId: one?.sourceKind === 'order' ? one.sourceText : null,
      subscriptionInvoiceId: one?.sourceKind === 'invoice' ? one.sourceText : null,
      leadId: one?.sourceKind === 'lead' ? one.sourceText : null,
      postbackId: one === undefined ? null : (postbacks.get(one.commissionId) ?? null),
    };
  });
}

const descriptions: Readonly<Record<string, string>> = {
  'from_stores available': 'The store paid for it',
  'available from_stores': 'Taken back: the order or the payment of the store was refunded',
  'advance from_stores': 'The payment of the store was refunded; you keep the amount',
  'from_stores advance': 'The store paid for it later',
  'available advance': 'The store has not paid for it, and the payout was returned',
  'available in_payout': 'Put into a payout',
  'in_payout paid': 'Paid out',
  'in_payout available': 'The payout failed; it is paid with the next one',
  'paid available': 'The payout came back; it is paid with the next one',
};

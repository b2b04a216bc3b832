import { soldFor } from '../commissions/payout-sql.ts';
import type { CreatorAccount } from '../ledger/creator-posting.ts';
import { storesById } from '../merchants/stores-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { creatorSumsAt, creatorTransfers, type CreatorAccountSum, type CreatorTransfer } from './creator-ledger-sql.ts';
import type { Period } from './period.ts';
import { postbacksOf } from './references-sql.ts';

/** What a creator has: `advance` is what the operator stands in for, and part of what was paid. */
export type CreatorBalances = Readonly<Record<Exclude<CreatorAccount, 'from_stores'>, bigint>>;

export function creatorBalancesOf(sums: readonly CreatorAccountSum[]): CreatorBalances {
  const grown = (account: CreatorAccount): bigint => {
    const sum = sums.find((one) => one.account === account);
    return sum === undefined ? 0n : sum.creditCents - sum.debitCents;
  };
  return { available: grown('available'), in_payout: grown('in_payout'), paid: grown('paid'), advance: -grown('advance') };
}

export const creatorBalancesAt = async (db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<CreatorBalances> =>
  creatorBalancesOf(await creatorSumsAt(db, creatorId, at));

export type CreatorLine = CreatorTransfer & {
  readonly what: string;
  readonly storeName: string;
  readonly orderId: string | null;
  readonly subscriptionInvoiceId: string | null;
  readonly postbackId: Id<'post'> | null;
};

/** One line more than asked for where there are more. */
export async function creatorStatementLines(
  db: Queryable,
  creatorId: Id<'crt'>,
  period: Period,
  page: Page,
): Promise<readonly CreatorLine[]> {
  const transfers = await creatorTransfers(db, creatorId, period, page);
  const stores = await storesById(
    db,
    transfers.map(({ storeId }) => storeId),
  );
  const asked = transfers.flatMap(({ storeId, commissionId }) => (commissionId === null ? [] : [{ storeId, commissionId }]));
  const sold = new Map((await soldFor(db, asked)).map((one) => [one.commissionId, one]));
  const postbacks = new Map((await postbacksOf(db, asked)).map(({ commissionId, postbackId }) => [commissionId, postbackId]));
  return transfers.map((transfer) => {
    const one = transfer.commissionId === null ? undefined : sold.get(transfer.commissionId);
    return {
      ...transfer,
      what: words[`${transfer.debit} ${transfer.credit}`] ?? `${transfer.debit} to ${transfer.credit}`,
      storeName: stores.get(transfer.storeId)?.name ?? '',
      orderId: one?.sourceKind === 'order' ? one.sourceText : null,
      subscriptionInvoiceId: one?.sourceKind === 'invoice' ? one.sourceText : null,
      postbackId: one === undefined ? null : (postbacks.get(one.commissionId) ?? null),
    };
  });
}

const words: Readonly<Record<string, string>> = {
  'from_stores available': 'The shop paid for it',
  'available from_stores': 'Taken back: refunded, or the shop’s payment was',
  'advance from_stores': 'The shop’s payment was taken back; you keep it',
  'from_stores advance': 'The shop paid for it after all',
  'available advance': 'The shop has not paid for it, and the payout came back',
  'available in_payout': 'Put into a payout',
  'in_payout paid': 'Paid out',
  'in_payout available': 'The payout failed; it is paid with the next one',
  'paid available': 'The payout came back; it is paid with the next one',
};

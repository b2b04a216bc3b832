import { nilId, type Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/**
 * The accounts of a store's book. `expected`: commissions that are on no invoice yet. `owed`: invoiced. `collected`: paid by the merchant.
 * `to_creators`: owed to creators. `fee`: the platform's fee. `credit`: what the store gets back on its next invoices.
 */
export const storeAccounts = ['expected', 'owed', 'collected', 'fee', 'credit', 'to_creators'] as const;
export type StoreAccount = (typeof storeAccounts)[number];

/**
 * The event behind a transfer, never the commission itself: one source moves money between two accounts once. `dispute`: money of a charge
 * went back to the payer, by a dispute or by a refund at the provider.
 */
export type Source = {
  readonly kind:
    | 'order'
    | 'billing_event'
    | 'lead'
    | 'bonus'
    | 'reversal'
    | 'refund'
    | 'decision'
    | 'invoice'
    | 'charge'
    | 'dispute'
    | 'credit_note';
  readonly id: Id;
};

/** One transfer. Debit and credit give the direction, so the amount is positive. */
export type Posting = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly source: Source;
  readonly debit: StoreAccount;
  readonly credit: StoreAccount;
  readonly amount: Cents;
  readonly at: Date;
};

export type CommissionMoney = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly amount: Cents };

/** The creator ID of transfers that concern no creator: the fee and the use of credit. */
export const noCreator = nilId<'crt'>();

type TransferAccounts = { readonly debit: StoreAccount; readonly credit: StoreAccount };
type PostingFact = { readonly source: Source; readonly at: Date };

/** An amount of 0 gives no transfer. */
export function storePosting(money: CommissionMoney, { debit, credit }: TransferAccounts, { source, at }: PostingFact): readonly Posting[] {
  return money.amount === 0n ? [] : [{ ...money, source, debit, credit, at }];
}

/** All kinds of transfers in a store's book. An undo is the swapped transfer with a new source. */
export const storeTransfers = {
  /** A recorded order, a paid subscription invoice, or a bonus: the store will owe the creator's commission. */
  accrued: { debit: 'expected', credit: 'to_creators' },
  billed: { debit: 'owed', credit: 'expected' },
  feeBilled: { debit: 'owed', credit: 'fee' },
  /** The store's credit reduces an invoice when it is issued. */
  creditUsed: { debit: 'credit', credit: 'owed' },
  collected: { debit: 'collected', credit: 'owed' },
  /** The same credit reduces what is collected for that invoice. */
  creditCollected: { debit: 'owed', credit: 'collected' },
  /** A credit note before the invoice was paid: the store no longer owes the commission. */
  credited: { debit: 'to_creators', credit: 'owed' },
  feeCredited: { debit: 'fee', credit: 'owed' },
  /** A credit note after the invoice was paid: the store gets the amount back on its next invoices. */
  creditedLater: { debit: 'to_creators', credit: 'credit' },
  /** The fee that goes back with it; and what the creator keeps while the store has it back, which the operator bears. */
  borne: { debit: 'fee', credit: 'credit' },
  writtenOff: { debit: 'fee', credit: 'owed' },
  /** A charge was refunded at the provider, and the operator bears it. */
  refundBorne: { debit: 'fee', credit: 'collected' },
} as const satisfies Readonly<Record<string, TransferAccounts>>;

export const swapped = ({ debit, credit }: TransferAccounts): TransferAccounts => ({ debit: credit, credit: debit });

export const accrual = (money: CommissionMoney, source: Source, at: Date): readonly Posting[] =>
  storePosting(money, storeTransfers.accrued, { source, at });

export const accrualReversal = (money: CommissionMoney, source: Source, at: Date): readonly Posting[] =>
  storePosting(money, swapped(storeTransfers.accrued), { source, at });

import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/**
 * The accounts of a store's book. `expected`: commissions of recorded orders that no bill stands for yet. `owed`: billed.
 * `collected`: paid by the merchant. `to_creators`: what creators have a claim on. `fee`: the platform's. `credit`: what
 * the store gets back on its next bills.
 */
export type StoreAccount = 'expected' | 'owed' | 'collected' | 'fee' | 'credit' | 'to_creators';

/** What happened, never the commission itself: one fact moves money between two accounts once. */
export type Source = {
  readonly kind: 'order' | 'billing_event' | 'reversal' | 'decision' | 'invoice' | 'charge' | 'payout' | 'credit_note';
  readonly id: Id;
};

/** One transfer: it balances by construction. Its direction lies in debit and credit, so its amount is above 0. */
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

/** A recorded order or paid invoice: the store will owe what a creator has a claim on. Nothing moves for a commission of 0. */
export function accrual(money: CommissionMoney, source: Source, at: Date): readonly Posting[] {
  return money.amount === 0n ? [] : [{ ...money, source, debit: 'expected', credit: 'to_creators', at }];
}

/** Undone by the swapped transfer of a new fact; the first one stays. */
export function accrualUndone(money: CommissionMoney, source: Source, at: Date): readonly Posting[] {
  return accrual(money, source, at).map((posting) => ({ ...posting, debit: posting.credit, credit: posting.debit }));
}

import { nilId, type Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/**
 * The accounts of a store's book. `expected`: commissions of recorded orders that no bill stands for yet. `owed`: billed.
 * `collected`: paid by the merchant. `to_creators`: what creators have a claim on. `fee`: the platform's. `credit`: what
 * the store gets back on its next bills.
 */
export const storeAccounts = ['expected', 'owed', 'collected', 'fee', 'credit', 'to_creators'] as const;
export type StoreAccount = (typeof storeAccounts)[number];

/** What happened, never the commission itself: one fact moves money between two accounts once. */
export type Source = {
  readonly kind: 'order' | 'billing_event' | 'reversal' | 'decision' | 'invoice' | 'charge' | 'dispute' | 'credit_note';
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

/** The store's own money stands beside that of its creators: the fee, and credit that was used. */
export const noCreator = nilId<'crt'>();

type Way = { readonly debit: StoreAccount; readonly credit: StoreAccount };
type Fact = { readonly source: Source; readonly at: Date };

/** Nothing moves where there is nothing to move: a commission of 0, a fee of 0. */
export function move(money: CommissionMoney, { debit, credit }: Way, { source, at }: Fact): readonly Posting[] {
  return money.amount === 0n ? [] : [{ ...money, source, debit, credit, at }];
}

/** The whole way of money through a store's book. What is undone goes the same way back, by a new fact. */
export const ways = {
  /** A recorded order or paid invoice: the store will owe what a creator has a claim on. */
  accrued: { debit: 'expected', credit: 'to_creators' },
  billed: { debit: 'owed', credit: 'expected' },
  feeBilled: { debit: 'owed', credit: 'fee' },
  /** Credit of the store makes an invoice smaller when it is issued, … */
  creditUsed: { debit: 'credit', credit: 'owed' },
  collected: { debit: 'collected', credit: 'owed' },
  /** … so that less than commissions and fee comes in for it. */
  creditCameIn: { debit: 'owed', credit: 'collected' },
  /** A credit note before the invoice was paid: nobody owes it any more, nobody has a claim on it. */
  credited: { debit: 'to_creators', credit: 'owed' },
  feeCredited: { debit: 'fee', credit: 'owed' },
  /** One after: the store has it back on its next bills. */
  creditedLater: { debit: 'to_creators', credit: 'credit' },
  /** The fee that goes back with it; and what the creator keeps while the store has it back, which the operator bears. */
  borne: { debit: 'fee', credit: 'credit' },
  writtenOff: { debit: 'fee', credit: 'owed' },
} as const satisfies Readonly<Record<string, Way>>;

export const back = ({ debit, credit }: Way): Way => ({ debit: credit, credit: debit });

export const accrual = (money: CommissionMoney, source: Source, at: Date): readonly Posting[] => move(money, ways.accrued, { source, at });

/** Undone by the swapped transfer of a new fact; the first one stays. */
export const accrualUndone = (money: CommissionMoney, source: Source, at: Date): readonly Posting[] =>
  move(money, back(ways.accrued), { source, at });

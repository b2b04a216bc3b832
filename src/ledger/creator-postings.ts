import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/**
 * The accounts of a creator's book. `from_stores`: clears against the stores' books. `available`: can be paid out. `in_payout`: in a
 * payout that is not finished. `paid`: arrived. `advance`: paid out or in a payout, but the store's payment was taken back; the operator
 * bears it until the store pays.
 */
export const creatorAccounts = ['from_stores', 'available', 'in_payout', 'paid', 'advance'] as const;
export type CreatorAccount = (typeof creatorAccounts)[number];

/** The kinds of outbox entries by which a store's book changes a creator's book. */
export const entryKinds = ['collected', 'charged_back', 'credited', 'refunded', 'advanced', 'repaid', 'advance_ended'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** The source of a transfer: an outbox entry, a new payout, or the end of a payout. */
export type CreatorSource = { readonly kind: 'entry' | 'payout' | 'payout_end'; readonly id: Id };

export type CreatorPosting = {
  readonly creatorId: Id<'crt'>;
  readonly storeId: Id<'store'>;
  readonly source: CreatorSource;
  readonly debit: CreatorAccount;
  readonly credit: CreatorAccount;
  readonly amount: Cents;
  readonly at: Date;
};

type TransferAccounts = { readonly debit: CreatorAccount; readonly credit: CreatorAccount };

/** Seen from the platform: what it owes the creator is a credit balance. */
export const entryTransfers = {
  collected: { debit: 'from_stores', credit: 'available' },
  /** The store's payment was taken back, or the commission was credited, before it was in a payout. */
  charged_back: { debit: 'available', credit: 'from_stores' },
  credited: { debit: 'available', credit: 'from_stores' },
  /** A part of the order was refunded before the commission was in a payout. */
  refunded: { debit: 'available', credit: 'from_stores' },
  /** The store's payment was taken back while the commission was in a payout: the creator keeps it. */
  advanced: { debit: 'advance', credit: 'from_stores' },
  repaid: { debit: 'from_stores', credit: 'advance' },
  /** The payout was returned, so the operator no longer bears anything. */
  advance_ended: { debit: 'available', credit: 'advance' },
} as const satisfies Readonly<Record<EntryKind, TransferAccounts>>;

export const payoutTransfers = {
  drafted: { debit: 'available', credit: 'in_payout' },
  arrived: { debit: 'in_payout', credit: 'paid' },
  failed: { debit: 'in_payout', credit: 'available' },
  returned: { debit: 'paid', credit: 'available' },
} as const satisfies Readonly<Record<string, TransferAccounts>>;

export type CreatorMoney = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'>; readonly amount: Cents };

export const creatorPosting = (
  money: CreatorMoney,
  { debit, credit }: TransferAccounts,
  { source, at }: { readonly source: CreatorSource; readonly at: Date },
): readonly CreatorPosting[] => (money.amount === 0n ? [] : [{ ...money, source, debit, credit, at }]);

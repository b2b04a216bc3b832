import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/**
 * The accounts of a creator's book. `from_stores`: what stores' books have told. `available`: can be paid out. `in_payout`:
 * on its way. `paid`: arrived. `advance`: paid out or on its way, and the store's payment for it was taken back since; the
 * operator bears it until the store pays.
 */
export const creatorAccounts = ['from_stores', 'available', 'in_payout', 'paid', 'advance'] as const;
export type CreatorAccount = (typeof creatorAccounts)[number];

/** What a store's book tells of one commission, in the words of the outbox. */
export const entryKinds = ['collected', 'charged_back', 'credited', 'advanced', 'repaid', 'advance_ended'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** The fact behind it: an entry of the outbox, a payout as it was made, or how it ended. */
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

type Way = { readonly debit: CreatorAccount; readonly credit: CreatorAccount };

/** The sides are those of the creator: what is available is a credit, as what is owed always is. */
export const entryWays = {
  collected: { debit: 'from_stores', credit: 'available' },
  /** The store's payment was taken back, or the commission credited, before it was in a payout. */
  charged_back: { debit: 'available', credit: 'from_stores' },
  credited: { debit: 'available', credit: 'from_stores' },
  /** It was in a payout by then: the creator keeps it. */
  advanced: { debit: 'advance', credit: 'from_stores' },
  repaid: { debit: 'from_stores', credit: 'advance' },
  /** The payout came back after all: nobody has been paid, so nothing is advanced. */
  advance_ended: { debit: 'available', credit: 'advance' },
} as const satisfies Readonly<Record<EntryKind, Way>>;

export const payoutWays = {
  gathered: { debit: 'available', credit: 'in_payout' },
  arrived: { debit: 'in_payout', credit: 'paid' },
  failed: { debit: 'in_payout', credit: 'available' },
  cameBack: { debit: 'paid', credit: 'available' },
} as const satisfies Readonly<Record<string, Way>>;

export type CreatorMoney = { readonly creatorId: Id<'crt'>; readonly storeId: Id<'store'>; readonly amount: Cents };

export const moveOfCreator = (
  money: CreatorMoney,
  { debit, credit }: Way,
  { source, at }: { readonly source: CreatorSource; readonly at: Date },
): readonly CreatorPosting[] => (money.amount === 0n ? [] : [{ ...money, source, debit, credit, at }]);

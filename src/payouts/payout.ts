import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { PayoutProvider } from '../payments/provider.ts';
import type { PayoutState } from './payout-states.ts';

export type PayoutKey = { readonly creatorId: Id<'crt'>; readonly payoutId: Id<'pay'> };

export type Payout = PayoutKey & {
  readonly payoutRunId: Id<'prun'>;
  readonly state: PayoutState;
  readonly startedBy: string;
  readonly startedByUserId: Id<'user'> | null;
  readonly begunAt: Date;
  readonly minimumCents: Cents;
  readonly amountCents: Cents | null;
  readonly payoutMethodId: Id<'pom'> | null;
  readonly provider: PayoutProvider['name'] | null;
  readonly instrument: string | null;
  readonly draftedAt: Date | null;
  readonly confirmedBy: string | null;
  readonly confirmedAt: Date | null;
  readonly sentAt: Date | null;
  /** The last time that the provider was called. */
  readonly calledAt: Date | null;
  readonly providerId: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly endedAt: Date | null;
  readonly returnedAt: Date | null;
  readonly storesUpdatedAt: Date | null;
  /** An outcome contradicted the end. */
  readonly contradictedAt: Date | null;
  /** The contradiction was resolved, by a person or because the money was returned. */
  readonly contradictionDecidedAt: Date | null;
};

/** Whether an outcome contradicted the end, and whether that was resolved. For a paid payout it stays open and blocks nothing. */
export function contradictionOf({
  contradictedAt,
  contradictionDecidedAt,
}: Pick<Payout, 'contradictedAt' | 'contradictionDecidedAt'>): Contradiction {
  if (contradictedAt === null) return 'none';
  return contradictionDecidedAt === null ? 'open' : 'decided';
}
export type Contradiction = 'none' | 'open' | 'decided';

/** Limits how long one transaction holds its row locks. */
export const rowsPerTransactionMax = 1_000;
/** Bounds every paging loop. */
export const roundsMax = 100_000;

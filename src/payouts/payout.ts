import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { PayoutProvider } from '../providers/provider.ts';

/**
 * A payout's row is its intent: `gathering` → `ready` (perhaps `awaiting_second` before) → `sending` → `paid` or `failed`, with
 * `unknown` in between where nobody knows; what was paid may still come back: `returned`. `given_up`: it gathered too little.
 */
export const payoutStates = [
  'gathering',
  'given_up',
  'awaiting_second',
  'ready',
  'sending',
  'unknown',
  'paid',
  'failed',
  'returned',
] as const;
export type PayoutState = (typeof payoutStates)[number];

/** The words outside. What was decided and not yet sent is being sent; what is only gathered does not exist. */
export const shownStates = ['awaiting_second', 'sending', 'unknown', 'paid', 'failed', 'returned'] as const;
export type ShownState = (typeof shownStates)[number];

export function shownState(state: PayoutState): ShownState | null {
  if (state === 'gathering' || state === 'given_up') return null;
  return state === 'ready' ? 'sending' : state;
}

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
  readonly gatheredAt: Date | null;
  readonly confirmedBy: string | null;
  readonly confirmedAt: Date | null;
  readonly sentAt: Date | null;
  /** The last time that the provider was told to pay. */
  readonly askedAt: Date | null;
  readonly providerId: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly endedAt: Date | null;
  readonly returnedAt: Date | null;
  readonly toldAt: Date | null;
  /** News came that contradicts its end. */
  readonly contradictedAt: Date | null;
  /** It was decided of: by a person, or by the money, which came back. */
  readonly contradictionDecidedAt: Date | null;
};

/**
 * Whether news came that contradicts its end, and whether that was decided since. Of one that was paid it stays open for ever, and
 * holds up nothing.
 */
export function contradictionOf({
  contradictedAt,
  contradictionDecidedAt,
}: Pick<Payout, 'contradictedAt' | 'contradictionDecidedAt'>): Contradiction {
  if (contradictedAt === null) return 'none';
  return contradictionDecidedAt === null ? 'open' : 'decided';
}
export type Contradiction = 'none' | 'open' | 'decided';

/** What one transaction touches of a store's or a creator's rows: nobody waits long for them. */
export const rowsPerTransactionMax = 1_000;
/** No loop goes round for ever. */
export const roundsMax = 100_000;

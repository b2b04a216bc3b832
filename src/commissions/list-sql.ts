import { earnedOfCommission } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { EarnedWhy } from '../contract/why.ts';
import type { CommissionState, HoldReason } from './commission.ts';
import { latest } from './filter-sql.ts';
import type { CommissionFilter } from './filter.ts';

export type ListedCommission = {
  readonly commissionId: Id<'com'>;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly heldBy: string | null;
  readonly heldSince: Date | null;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  /** Of the ID as it was received, where `sourceText` is masked. */
  readonly sourceHash: Buffer | null;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly termsVersion: number;
  readonly attributionDays: number;
  readonly holdUntil: Date;
  readonly earned: readonly EarnedWhy[];
  readonly autoApproveAt: Date | null;
  readonly approvedAt: Date | null;
  readonly rejectedAt: Date | null;
  readonly rejectedReason: string | null;
  readonly rejectedNote: string | null;
  readonly reversedAt: Date | null;
  readonly reversalReason: string | null;
};

const columns = sql`
  commission_id, state, held_reason, held_by, held_since, program_id, creator_id, source_kind, source_text, source_hash, eligible_cents,
  amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_until, earned, auto_approve_at, approved_at,
  rejected_at, rejected_reason, rejected_note, reversed_at, reversal_reason`;

/** The latest first, by when they happened. How long that takes with ten million of one store: docs/decisions/0033. */
export const listCommissions = (
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  { after, limit }: Page,
): Promise<ListedCommission[]> => db.all(latest(columns, { storeId, filter, after, limit: limit + 1 }));

export const findCommission = (
  db: Queryable,
  { storeId, commissionId }: { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> },
): Promise<ListedCommission | null> =>
  db.find(sql`select ${columns} from commissions where store_id = ${storeId} and commission_id = ${commissionId}`);

export type CommissionTotals = {
  readonly count: bigint;
  readonly amountCents: bigint;
  readonly eligibleCents: bigint;
  readonly earnedCents: bigint;
};

/** Of the latest that match, as many as `most`; the count is one more where there are more than that. */
export const totalsOfCommissions = (
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  most: number,
): Promise<CommissionTotals> => {
  const found = latest(sql`commission_id, occurred_at, amount_cents, eligible_cents, ${earnedOfCommission} as earned_cents`, {
    storeId,
    filter,
    after: null,
    limit: most + 1,
  });
  return db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents) filter (where place <= ${most}), 0) as amount_cents,
      coalesce(sum(eligible_cents) filter (where place <= ${most}), 0) as eligible_cents,
      coalesce(sum(earned_cents) filter (where place <= ${most}), 0) as earned_cents
    from (
      select amount_cents, eligible_cents, earned_cents, row_number() over (order by occurred_at desc, commission_id desc) as place
      from (${found}) as found
    ) as latest`);
};

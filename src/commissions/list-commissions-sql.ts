import { earnedCentsExpression } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ListSorts } from '../db/list-order.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { EarnedWhy } from '../contract/why.ts';
import type { HoldReason, SourceKind } from './commission.ts';
import type { CommissionState } from './commission-states.ts';
import { commissionSorts, selectByTime, type TimeOrder } from './commission-filter-sql.ts';
import type { CommissionFilter } from './commission-filter.ts';

export type ListedCommission = {
  readonly commissionId: Id<'com'>;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly heldBy: string | null;
  readonly heldSince: Date | null;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  /** SHA-256 of the ID as received; set only if `sourceText` is masked. */
  readonly sourceHash: Buffer | null;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly termsVersion: number;
  readonly attributionDays: number;
  readonly holdUntil: Date;
  readonly earned: readonly EarnedWhy[];
  /** What partial refunds took of the eligible amount, and of the commission; `amountCents` is what is left. */
  readonly refundedCents: Cents;
  readonly refundedCommissionCents: Cents;
  readonly earnedAfterRefunds: readonly EarnedWhy[] | null;
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
  amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_until, earned, refunded_cents,
  refunded_commission_cents, earned_after_refunds, auto_approve_at, approved_at,
  rejected_at, rejected_reason, rejected_note, reversed_at, reversal_reason`;

/** Latest first by `occurred_at`. For measurements with ten million commissions of one store see docs/decisions/0033. */
export const listedCommissionSorts: ListSorts<ListedCommission> = commissionSorts;

export const listCommissions = async (
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  { after, limit, order }: Page & { readonly order?: TimeOrder },
): Promise<ListedCommission[]> =>
  db.all(await selectByTime(db, columns, { storeId, filter, after, limit: limit + 1, ...(order && { order }) }));

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

/** Sums the latest `max` matching commissions; `count` is `max + 1` if there are more. */
export async function commissionTotals(
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  max: number,
): Promise<CommissionTotals> {
  const found = await selectByTime(
    db,
    sql`commission_id, occurred_at, amount_cents, eligible_cents, ${earnedCentsExpression} as earned_cents`,
    {
      storeId,
      filter,
      after: null,
      limit: max + 1,
    },
  );
  return db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents) filter (where place <= ${max}), 0) as amount_cents,
      coalesce(sum(eligible_cents) filter (where place <= ${max}), 0) as eligible_cents,
      coalesce(sum(earned_cents) filter (where place <= ${max}), 0) as earned_cents
    from (
      select amount_cents, eligible_cents, earned_cents, row_number() over (order by occurred_at desc, commission_id desc) as place
      from (${found}) as found
    ) as latest`);
}

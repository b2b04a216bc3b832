import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { EarnedWhy } from '../contract/why.ts';
import type { CommissionState, HoldReason } from './commission.ts';
import { matching } from './filter-sql.ts';
import { noFilter, type CommissionFilter } from './filter.ts';

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
  commission_id, state, held_reason, held_by, held_since, program_id, creator_id, source_kind, source_text, eligible_cents,
  amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_until, earned, auto_approve_at, approved_at,
  rejected_at, rejected_reason, rejected_note, reversed_at, reversal_reason`;

/**
 * The latest first, by when they happened. By commissions_by_time, by state, by creator, by what is held, each sorted so; or by the
 * beginning of the merchant's id. Of 200,000 rows each was found in under 10 ms (measured in commissions-search.test.ts).
 */
export async function listCommissions(
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  { after, limit }: Page,
): Promise<ListedCommission[]> {
  const found = sql`select ${columns} from commissions where store_id = ${storeId} ${matching(filter)} ${beyond(after)}`;
  const sorted = sql`order by occurred_at desc, commission_id desc limit ${limit + 1}`;
  if (filter.beginning === null || !(await beginFew(db, storeId, filter.beginning))) return db.all(sql`${found} ${sorted}`);
  return db.all(sql`with found as materialized (${found}) select ${columns} from found ${sorted}`);
}

/** So many are sorted sooner than walked past. */
const fewMax = 20_000;

/**
 * Orders are mostly numbered as time goes by, which the planner does not know: it would walk by time past all newer ones to the
 * first that begins so. Where few do, they are taken by commissions_by_beginning and sorted; else the walk soon meets some.
 */
async function beginFew(db: Queryable, storeId: Id<'store'>, beginning: string): Promise<boolean> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select 1 from commissions where store_id = ${storeId} ${matching({ ...noFilter, beginning })} limit ${fewMax + 1}) as begun`);
  return count <= fewMax;
}

function beyond(after: Page['after']): Sql {
  if (after === null) return nothing;
  const [time, commissionId] = after;
  return sql`and (occurred_at, commission_id) < (${new Date(Number(time))}::timestamptz, ${commissionId}::uuid)`;
}

export const findCommission = (
  db: Queryable,
  { storeId, commissionId }: { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> },
): Promise<ListedCommission | null> =>
  db.find(sql`select ${columns} from commissions where store_id = ${storeId} and commission_id = ${commissionId}`);

export type CommissionTotals = { readonly count: bigint; readonly amountCents: bigint; readonly eligibleCents: bigint };

/** Of the latest that match, as many as `most`; the count is one more where there are more than that. */
export const totalsOfCommissions = (
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  most: number,
): Promise<CommissionTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents) filter (where place <= ${most}), 0) as amount_cents,
      coalesce(sum(eligible_cents) filter (where place <= ${most}), 0) as eligible_cents
    from (
      select amount_cents, eligible_cents, row_number() over (order by occurred_at desc, commission_id desc) as place from commissions
      where store_id = ${storeId} ${matching(filter)}
      order by occurred_at desc, commission_id desc limit ${most + 1}
    ) as latest`);

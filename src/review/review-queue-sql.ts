import type { HoldReason, SourceKind } from '../commissions/commission.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import type { Queryable } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts } from '../db/list-order.ts';
import { commissionSorts } from '../commissions/commission-filter-sql.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/** A commission on hold or pending. */
export type QueuedCommission = {
  readonly storeId: Id<'store'>;
  readonly storeName: string;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly heldBy: string | null;
  readonly heldSince: Date | null;
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly autoApproveAt: Date | null;
};

export type ReviewQueueFilter = {
  /** On hold, for this reason or any; false: pending and not on hold; null: both. */
  readonly held: boolean | HoldReason | null;
  /** `none`: the given ID is not a store ID, so nothing matches. */
  readonly storeId: Id<'store'> | 'none' | null;
};

const columns = sql`
  commission_id, creator_id, state, held_reason, held_by, held_since, source_kind, source_text, amount_cents, occurred_at, auto_approve_at`;

export const reviewQueueSorts: ListSorts<QueuedCommission> = { ...commissionSorts, defaultSort: 'occurred_at' };

/**
 * For operators. Reads the oldest or latest commissions of each store by the indexes commissions_held and commissions_by_state and merges
 * them, so a page costs short index scans for each store.
 */
export function listReviewQueue(
  db: Queryable,
  { held, storeId }: ReviewQueueFilter,
  { after, limit, order }: SortedPage<QueuedCommission>,
): Promise<QueuedCommission[]> {
  const first = sql`${afterKey(order, after)} ${orderBy(order)} limit ${limit + 1}`;
  const reason = typeof held === 'string' ? sql`and held_reason = ${held}` : emptySql;
  const isHeld = sql`(select ${columns} from commissions where store_id = s.store_id and held_reason is not null ${reason} ${first})`;
  const isPending = sql`
    (select ${columns} from commissions where store_id = s.store_id and state = 'pending' and held_reason is null ${first})`;
  const waiting = held === null ? sql`${isHeld} union all ${isPending}` : held === false ? isPending : isHeld;
  return db.all(sql`
    select s.store_id, s.name as store_name, w.* from stores s cross join lateral (${waiting}) as w
    where ${storeId === null ? sql`true` : storeId === 'none' ? sql`false` : sql`s.store_id = ${storeId}`}
    ${orderBy(order)} limit ${limit + 1}`);
}

import type { CommissionState, HoldReason } from '../commissions/commission.ts';
import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/** A commission that somebody has to do something about: release what is held, decide on what is pending. */
export type WaitingCommission = {
  readonly storeId: Id<'store'>;
  readonly storeName: string;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly heldBy: string | null;
  readonly heldSince: Date | null;
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly autoApproveAt: Date | null;
};

export type WaitingFilter = {
  /** Held, for this reason or for any; or not held, and pending. Null: both. */
  readonly held: boolean | HoldReason | null;
  /** `none`: the id is none that a store could have, so nothing matches. */
  readonly storeId: Id<'store'> | 'none' | null;
};

const columns = sql`
  commission_id, creator_id, state, held_reason, held_by, held_since, source_kind, source_text, amount_cents, occurred_at, auto_approve_at`;

/**
 * Of all stores, for operators; what happened first comes first. The oldest of each store, by commissions_held and by
 * commissions_by_state, which are sorted so, and of these the oldest: a page costs a short look at every store, however many
 * commissions there are.
 */
export function waitingCommissions(db: Queryable, { held, storeId }: WaitingFilter, { after, limit }: Page): Promise<WaitingCommission[]> {
  const oldest = sql`${beyond(after)} order by occurred_at, commission_id limit ${limit + 1}`;
  const reason = typeof held === 'string' ? sql`and held_reason = ${held}` : nothing;
  const isHeld = sql`(select ${columns} from commissions where store_id = s.store_id and held_reason is not null ${reason} ${oldest})`;
  const isPending = sql`
    (select ${columns} from commissions where store_id = s.store_id and state = 'pending' and held_reason is null ${oldest})`;
  const waiting = held === null ? sql`${isHeld} union all ${isPending}` : held === false ? isPending : isHeld;
  return db.all(sql`
    select s.store_id, s.name as store_name, w.* from stores s cross join lateral (${waiting}) as w
    where ${storeId === null ? sql`true` : storeId === 'none' ? sql`false` : sql`s.store_id = ${storeId}`}
    order by w.occurred_at, w.commission_id limit ${limit + 1}`);
}

function beyond(after: Page['after']): Sql {
  if (after === null) return nothing;
  const [time, commissionId] = after;
  return sql`and (occurred_at, commission_id) > (${new Date(Number(time))}::timestamptz, ${commissionId}::uuid)`;
}

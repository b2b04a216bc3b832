import type { Transaction } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { insertRows } from '../db/insert-rows.ts';
import { inOrder } from '../db/in-order.ts';
import { bigints, byteas, inserting, ints, jsonbs, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import { allows, stateAfter } from './commission-states-sql.ts';
import { earningBreakdown, type HoldReason, type OpenedCommission } from './commission.ts';
import type { CommissionState } from './commission-states.ts';

export async function openCommissions(tx: Transaction, commissions: readonly OpenedCommission[]): Promise<void> {
  if (commissions.length === 0) return;
  const of = <Value>(value: (commission: OpenedCommission) => Value) => commissions.map(value);
  const written = await insertRows(
    tx,
    inserting`
      insert into commissions (store_id, commission_id, state, held_reason, held_by, held_since, program_id, creator_id, link_number,
        source_kind, source_id, source_text, eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days,
        hold_days, hold_until, auto_approve_at, earned, source_hash, source_name)
      ${[
        uuids(of(({ storeId }) => storeId)),
        uuids(of(({ commissionId }) => commissionId)),
        texts(of(() => 'pending')),
        texts(of(({ held }) => held?.reason ?? null)),
        texts(of(({ held }) => held?.by ?? null)),
        timestamps(of(({ held }) => held?.since ?? null)),
        uuids(of(({ programId }) => programId)),
        uuids(of(({ creatorId }) => creatorId)),
        bigints(of(({ linkNumber }) => linkNumber)),
        texts(of(({ source }) => source.kind)),
        uuids(of(({ source }) => source.id)),
        texts(of(({ source }) => source.text)),
        bigints(of(({ eligible }) => eligible)),
        bigints(of(({ earning }) => earning.amount)),
        timestamps(of(({ occurredAt }) => occurredAt)),
        timestamps(of(({ recordedAt }) => recordedAt)),
        ints(of(({ termsVersion }) => termsVersion)),
        ints(of(({ attributionDays }) => attributionDays)),
        ints(of(({ holdDays }) => holdDays)),
        timestamps(of(({ holdUntil }) => holdUntil)),
        timestamps(of(({ autoApproveAt }) => autoApproveAt)),
        jsonbs(of(({ earning }) => JSON.stringify(earningBreakdown(earning)))),
        byteas(of(({ source }) => source.receivedHash ?? null)),
        texts(of(({ source }) => source.name ?? null)),
      ]}`,
  );
  invariant(written === commissions.length, 'every commission is opened once');
}

export type CommissionKey = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> };
export type LockedCommission = CommissionKey & {
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly amountCents: Cents;
  readonly isInvoiced: boolean;
};

/**
 * Locks commissions in ID order until the transaction ends. With `lockWaitMs` 0 it skips rows that another transaction has locked;
 * otherwise it waits for them.
 */
export async function lockCommissions(tx: Transaction, keys: readonly CommissionKey[], lockWaitMs: number): Promise<LockedCommission[]> {
  const [, locked] = await inOrder([
    lockWaitMs > 0 ? tx.run(sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`) : null,
    queryByStore(keys, (storeId, ofStore) => {
      const rows = sql`
        select store_id, commission_id, creator_id, state, held_reason, amount_cents, invoice_id is not null as is_invoiced from commissions
        where store_id = ${storeId} and commission_id = any(${uuids(ofStore.map(({ commissionId }) => commissionId))})
        order by commission_id`;
      return tx.all<LockedCommission>(lockWaitMs > 0 ? sql`${rows} for update` : sql`${rows} for update skip locked`);
    }),
  ]);
  return locked;
}

export type CommissionReversal = CommissionKey & { readonly at: Date; readonly reason: string | null };

/** What the daily rollups need of a reversed commission. */
export type ReversedCommission = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly reversedAt: Date;
  readonly occurredAt: Date;
  readonly eligibleCents: Cents;
  /** What partial refunds had taken of the eligible amount before. */
  readonly refundedCents: Cents;
  readonly amountCents: Cents;
  /** A rejected commission was counted as lost before. */
  readonly wasRejected: boolean;
};

/** Also ends a hold and clears a rejection, whose reason is kept in its decision. The caller must have locked the rows. */
export async function reverseCommissions(tx: Transaction, reversed: readonly CommissionReversal[]): Promise<readonly ReversedCommission[]> {
  if (reversed.length === 0) return [];
  const rows = await queryByStore(reversed, (storeId, ofStore) =>
    tx.all<ReversedCommission>(sql`
    update commissions set state = ${stateAfter('reverse')}, reversed_at = reversal.at, reversal_reason = reversal.reason,
      held_reason = null, held_by = null, held_since = null,
      rejected_at = null, rejected_reason = null, rejected_note = null
    from unnest(${uuids(ofStore.map(({ commissionId }) => commissionId))}, ${timestamps(ofStore.map(({ at }) => at))},
        ${texts(ofStore.map(({ reason }) => reason))}) as reversal (commission_id, at, reason)
      join commissions as former on former.store_id = ${storeId} and former.commission_id = reversal.commission_id
    where commissions.store_id = ${storeId} and commissions.commission_id = reversal.commission_id
      and ${allows('reverse', sql`commissions.state`)}
    returning commissions.store_id, commissions.link_number, commissions.reversed_at, commissions.occurred_at, commissions.eligible_cents,
      commissions.refunded_cents, commissions.amount_cents, former.state = 'rejected' as was_rejected`),
  );
  invariant(rows.length === reversed.length, 'a locked commission is still in the state that the decision was based on');
  return rows;
}

import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { limitInForce } from './decide-limit.ts';

/** The operator's settings for all payouts. `secondPersonAboveCents` is null if one person is always enough. */
export type PayoutSettings = { readonly minimumCents: Cents; readonly secondPersonAboveCents: Cents | null };

/** A looser limit that awaits a second person. */
export type RequestedLimit = {
  readonly above: Cents | null;
  readonly at: Date;
  readonly by: string;
  readonly byName: string;
  readonly byUserId: Id<'user'> | null;
};

export async function readPayoutSettings(db: Queryable, mode: 'sandbox' | 'live'): Promise<PayoutSettings> {
  const kept = await readStoredPayoutSettings(db);
  return { minimumCents: kept.minimumCents, secondPersonAboveCents: limitInForce(kept, mode) };
}

type Row = {
  readonly minimumCents: Cents;
  readonly secondPersonAboveCents: Cents | null;
  readonly hasNoLimit: boolean;
  readonly requestedAt: Date | null;
  readonly requestedAboveCents: Cents | null;
  readonly requestedBy: string | null;
  readonly requestedByName: string | null;
  readonly requestedByUserId: Id<'user'> | null;
};
const columns = sql`minimum_cents, second_person_above_cents, has_no_limit,
  asked_at as requested_at, asked_above_cents as requested_above_cents, asked_by as requested_by, asked_by_name as requested_by_name,
  asked_by_user_id as requested_by_user_id`;

/** The stored row: `secondPersonAboveCents` is null for the default of the mode, and if `hasNoLimit` is true. */
export type StoredPayoutSettings = PayoutSettings & { readonly hasNoLimit: boolean; readonly requested: RequestedLimit | null };

export const readStoredPayoutSettings = async (db: Queryable): Promise<StoredPayoutSettings> =>
  settingsOfRow(await db.one<Row>(sql`select ${columns} from payout_settings`));

/** The lock serializes concurrent changes. */
export const lockPayoutSettings = async (tx: Transaction): Promise<StoredPayoutSettings> =>
  settingsOfRow(await tx.one<Row>(sql`select ${columns} from payout_settings for update`));

function settingsOfRow({
  minimumCents,
  secondPersonAboveCents,
  hasNoLimit,
  requestedAt,
  requestedAboveCents,
  requestedBy,
  requestedByName,
  requestedByUserId,
}: Row): StoredPayoutSettings {
  const requested =
    requestedAt === null || requestedBy === null || requestedByName === null
      ? null
      : { above: requestedAboveCents, at: requestedAt, by: requestedBy, byName: requestedByName, byUserId: requestedByUserId };
  return { minimumCents, secondPersonAboveCents, hasNoLimit, requested };
}

export async function savePayoutSettings(
  tx: Transaction,
  { minimumCents, secondPersonAboveCents, hasNoLimit, requested }: StoredPayoutSettings,
): Promise<void> {
  await tx.run(sql`
    update payout_settings set minimum_cents = ${minimumCents}, second_person_above_cents = ${secondPersonAboveCents},
      has_no_limit = ${hasNoLimit}, asked_at = ${requested?.at ?? null}, asked_above_cents = ${requested?.above ?? null},
      asked_by = ${requested?.by ?? null}, asked_by_name = ${requested?.byName ?? null},
      asked_by_user_id = ${requested?.byUserId ?? null}`);
}

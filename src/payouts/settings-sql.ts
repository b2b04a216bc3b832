import type { Queryable, Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { limitInForce } from './decide-limit.ts';

/** The operator's own rules for all payouts. `secondPersonAboveCents`: null, and one person is always enough. */
export type PayoutSettings = { readonly minimumCents: Cents; readonly secondPersonAboveCents: Cents | null };

/** A looser limit that waits for its second person. */
export type AskedLimit = {
  readonly above: Cents | null;
  readonly at: Date;
  readonly by: string;
  readonly byName: string;
  readonly byUserId: Id<'user'> | null;
};

export async function readPayoutSettings(db: Queryable, mode: 'sandbox' | 'live'): Promise<PayoutSettings> {
  const kept = await readKeptSettings(db);
  return { minimumCents: kept.minimumCents, secondPersonAboveCents: limitInForce(kept, mode) };
}

type Row = {
  readonly minimumCents: Cents;
  readonly secondPersonAboveCents: Cents | null;
  readonly hasNoLimit: boolean;
  readonly askedAt: Date | null;
  readonly askedAboveCents: Cents | null;
  readonly askedBy: string | null;
  readonly askedByName: string | null;
  readonly askedByUserId: Id<'user'> | null;
};
const columns = sql`minimum_cents, second_person_above_cents, has_no_limit,
  asked_at, asked_above_cents, asked_by, asked_by_name, asked_by_user_id`;

/** As it is kept: `secondPersonAboveCents` is null for the default of the mode, and where `hasNoLimit` says that there is none. */
export type KeptSettings = PayoutSettings & { readonly hasNoLimit: boolean; readonly asked: AskedLimit | null };

export const readKeptSettings = async (db: Queryable): Promise<KeptSettings> =>
  keptOf(await db.one<Row>(sql`select ${columns} from payout_settings`));

/** Two people who change them at once do so one after the other. */
export const lockSettings = async (tx: Transaction): Promise<KeptSettings> =>
  keptOf(await tx.one<Row>(sql`select ${columns} from payout_settings for update`));

function keptOf({
  minimumCents,
  secondPersonAboveCents,
  hasNoLimit,
  askedAt,
  askedAboveCents,
  askedBy,
  askedByName,
  askedByUserId,
}: Row): KeptSettings {
  const asked =
    askedAt === null || askedBy === null || askedByName === null
      ? null
      : { above: askedAboveCents, at: askedAt, by: askedBy, byName: askedByName, byUserId: askedByUserId };
  return { minimumCents, secondPersonAboveCents, hasNoLimit, asked };
}

export async function keepPayoutSettings(
  tx: Transaction,
  { minimumCents, secondPersonAboveCents, hasNoLimit, asked }: KeptSettings,
): Promise<void> {
  await tx.run(sql`
    update payout_settings set minimum_cents = ${minimumCents}, second_person_above_cents = ${secondPersonAboveCents},
      has_no_limit = ${hasNoLimit}, asked_at = ${asked?.at ?? null}, asked_above_cents = ${asked?.above ?? null},
      asked_by = ${asked?.by ?? null}, asked_by_name = ${asked?.byName ?? null}, asked_by_user_id = ${asked?.byUserId ?? null}`);
}

import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Cents } from '../platform/money.ts';

/** The operator's own rules for all payouts. `secondPersonAboveCents`: null, and one person is always enough. */
export type PayoutSettings = { readonly minimumCents: Cents; readonly secondPersonAboveCents: Cents | null };

export const readPayoutSettings = (db: Queryable): Promise<PayoutSettings> =>
  db.one(sql`select minimum_cents, second_person_above_cents from payout_settings`);

export async function keepPayoutSettings(db: Queryable, settings: PayoutSettings): Promise<void> {
  await db.run(sql`
    update payout_settings
    set minimum_cents = ${settings.minimumCents}, second_person_above_cents = ${settings.secondPersonAboveCents}`);
}

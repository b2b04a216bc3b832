import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { PayoutProvider } from '../providers/provider.ts';
import type { Payout, PayoutKey, PayoutState, ShownState } from './payout.ts';
import { payoutColumns } from './sql.ts';

/** Those that exist outside: neither being gathered nor given up before anybody was promised anything. Newest first. */
export const payoutsOfCreator = (db: Queryable, creatorId: Id<'crt'>, { after, limit }: Page): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.amount_cents is not null ${after === null ? nothing : sql`and p.payout_id < ${after[0]}`}
    order by p.payout_id desc limit ${limit + 1}`);

export async function findPayout(db: Queryable, { creatorId, payoutId }: PayoutKey): Promise<Payout | null> {
  return db.find(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id = ${payoutId} and p.amount_cents is not null`);
}

export type PayoutFilter = { readonly state: ShownState | null; readonly provider: PayoutProvider['name'] | null };

/** What is ready is shown as being sent. */
const statesShownAs = (shown: ShownState): readonly PayoutState[] => (shown === 'sending' ? ['ready', 'sending'] : [shown]);

/** Of all creators, for operators: by the directory, whose ids are times. Newest first. */
export const allPayouts = (db: Queryable, { state, provider }: PayoutFilter, { after, limit }: Page): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payout_directory d join payouts p using (creator_id, payout_id)
    where p.amount_cents is not null ${after === null ? nothing : sql`and d.payout_id < ${after[0]}`}
      ${state === null ? nothing : sql`and p.state = any(${statesShownAs(state)}::text[])`}
      ${provider === null ? nothing : sql`and p.provider = ${provider}`}
    order by d.payout_id desc limit ${limit + 1}`);

export type PayoutLine = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'>; readonly amountCents: Cents };

export const linesOfPayout = (db: Queryable, { creatorId, payoutId }: PayoutKey, { after, limit }: Page): Promise<PayoutLine[]> =>
  db.all(sql`
    select store_id, commission_id, amount_cents from payout_lines
    where creator_id = ${creatorId} and payout_id = ${payoutId}
      ${after === null ? nothing : sql`and (store_id, commission_id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
    order by store_id, commission_id limit ${limit + 1}`);

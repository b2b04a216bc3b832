import { bonusReason } from '../bonuses/bonus-reason.ts';
import { bonusesOfCommissions, type Bonus } from '../bonuses/bonuses-sql.ts';
import { payoutLineSources } from '../commissions/payout-sql.ts';
import type { Speech } from '../contract/speech.ts';
import { storesById } from '../merchants/stores-sql.ts';
import type { Queryable } from '../db/database.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { isoTime } from '../http/fields.ts';
import { type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { PayoutLine } from './payouts-sql.ts';
import type { PayoutJson } from './payout-json.ts';

/** A line of a payout in the form for its creator: names the sale, but not the buyer. */
export type PayoutLineJson = {
  readonly commission_id: string;
  readonly store_id: string;
  readonly store_name: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly lead_id: string | null;
  readonly occurred_at: string;
  readonly amount_cents: bigint;
  readonly bonus_reason: string | null;
};

/** Reads the commissions, stores, and bonuses for one page of lines. */
export async function createLinePresenter(
  db: Queryable,
  lines: readonly PayoutLine[],
  speech: Speech,
): Promise<(line: PayoutLine) => PayoutLineJson> {
  const stores = await storesById(
    db,
    lines.map(({ storeId }) => storeId),
  );
  const sources = await payoutLineSources(db, lines);
  const sold = new Map(sources.map((one) => [keyOf(one), one]));
  const bonuses = new Map<Id<'com'>, Bonus>();
  for (const [storeId, of] of Map.groupBy(
    sources.filter(({ sourceKind }) => sourceKind === 'bonus'),
    (one) => one.storeId,
  )) {
    const commissionIds = of.map(({ commissionId }) => commissionId);
    for (const [commissionId, bonus] of await bonusesOfCommissions(db, { storeId, commissionIds })) bonuses.set(commissionId, bonus);
  }
  return (line) => {
    const one = sold.get(keyOf(line));
    invariant(one, 'commissions are never deleted');
    const bonus = bonuses.get(line.commissionId);
    return {
      commission_id: publicId('com', line.commissionId),
      store_id: publicId('store', line.storeId),
      store_name: stores.get(line.storeId)?.name ?? '',
      order_id: one.sourceKind === 'order' ? one.sourceText : null,
      invoice_id: one.sourceKind === 'invoice' ? one.sourceText : null,
      lead_id: one.sourceKind === 'lead' ? one.sourceText : null,
      occurred_at: isoTime(one.occurredAt),
      amount_cents: line.amountCents,
      bonus_reason: bonus === undefined ? null : bonusReason(bonus, speech),
    };
  };
}

const keyOf = ({ storeId, commissionId }: { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> }): string =>
  `${storeId} ${commissionId}`;

export const lineColumns: ReadonlyArray<CsvColumn<PayoutLineJson>> = [
  ...fieldColumns('commission_id', 'store_id', 'store_name', 'order_id', 'invoice_id', 'occurred_at', 'amount_cents', 'lead_id'),
  ...fieldColumns('bonus_reason'),
];

export const creatorsColumns: ReadonlyArray<CsvColumn<PayoutJson>> = [
  ...fieldColumns('id', 'amount_cents', 'state', 'provider', 'made_at', 'sent_at', 'ended_at', 'returned_at', 'reference'),
  { title: 'failure', cell: ({ failure }) => failure?.message ?? null },
];

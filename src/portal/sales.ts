import type { ListedCommission } from '../commissions/list-sql.ts';
import { reserveOver } from '../holds/decide-reserve.ts';
import { reservesOf } from '../holds/reserves.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { orderDetails } from '../orders/sql.ts';
import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTimeOrNull } from '../platform/http/fields.ts';
import { timeOfId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { explained, hashOfOrder } from '../review/commission-json.ts';
import type { InStore } from './across-stores.ts';
import { decidePayDate } from './decide-pay-date.ts';
import { showSale, type SaleJson } from './sale-json.ts';
import { onTheirWay, payoutEnds, subIdsOf, type OnItsWay } from './sales-sql.ts';

type Sale = InStore<ListedCommission>;
type Reader = { readonly creatorId: Id<'crt'>; readonly mode: Config['mode']; readonly now: Date };

/** What a page of sales shows beside its own rows: asked once for each store, and once for the creator. */
export async function showingSales(
  db: Queryable,
  sales: readonly Sale[],
  { creatorId, mode, now }: Reader,
): Promise<(sale: Sale) => SaleJson> {
  const stores = await storesById(
    db,
    sales.map(({ storeId }) => storeId),
  );
  const programs = await programsByName(
    db,
    sales.map(({ storeId, row }) => ({ storeId, programId: row.programId })),
  );
  const reserves = await reservesOf(db, [...stores.keys()], { mode, now });
  const ways = new Map<Id<'com'>, OnItsWay>();
  const clicks = new Map<Id<'com'>, Came>();
  for (const [storeId, of] of Map.groupBy(sales, (sale) => sale.storeId)) {
    const rows = of.map(({ row }) => row);
    const commissionIds = rows.map(({ commissionId }) => commissionId);
    for (const way of await onTheirWay(db, { storeId, commissionIds })) ways.set(way.commissionId, way);
    for (const came of await clicksOf(db, storeId, rows)) clicks.set(came.commissionId, came);
  }
  const payoutIds = [...ways.values()].flatMap(({ payoutId }) => payoutId ?? []);
  const payouts = new Map((await payoutEnds(db, { creatorId, payoutIds })).map((payout) => [payout.payoutId, payout]));
  return ({ storeId, row }) => {
    const [store, program, way] = [stores.get(storeId), programs.get(row.programId), ways.get(row.commissionId)];
    must(store !== undefined && program !== undefined && way !== undefined, 'stores, programs and commissions are never deleted');
    const came = clicks.get(row.commissionId);
    const pay = decidePayDate({
      now,
      state: row.state,
      isHeld: row.heldReason !== null || way.isKeptBack,
      amount: row.amountCents,
      holdUntil: row.holdUntil,
      autoApproveAt: row.autoApproveAt,
      bill: way.billState === null ? null : { nextChargeAt: way.nextChargeAt, isStuck: isStuck(way.billState, way.nextChargeAt) },
      reserve: reserves.get(storeId) ?? reserveOver,
      payout: way.payoutId === null ? null : (payouts.get(way.payoutId) ?? { endedAt: null }),
    });
    return showSale(row, {
      storeId,
      storeName: store.name,
      programName: program.name,
      subId: came?.subId ?? null,
      explanation: sentence(row, { clickedAt: came?.clickedAt ?? null, isKeptBack: way.isKeptBack }),
      pay,
      payoutId: way.payoutId,
    });
  };
}

/** Nothing charges it by itself any more: somebody has to mend something first. What is being charged is not stuck. */
const isStuck = (state: string, nextChargeAt: Date | null): boolean =>
  state === 'past_due' || state === 'charged_back' || ((state === 'issued' || state === 'retrying') && nextChargeAt === null);

type Came = { readonly commissionId: Id<'com'>; readonly clickedAt: Date; readonly subId: string | null };

async function clicksOf(db: Queryable, storeId: Id<'store'>, commissions: readonly ListedCommission[]): Promise<readonly Came[]> {
  const orders = commissions.filter(({ sourceKind }) => sourceKind === 'order');
  const details = await orderDetails(db, storeId, orders.map(hashOfOrder));
  const byHash = new Map(details.map(({ orderHash, clickId }) => [orderHash.toString('latin1'), clickId]));
  const subIds = await subIdsOf(db, { storeId, clickIds: details.map(({ clickId }) => clickId) });
  const bySub = new Map(subIds.map(({ clickId, subId }) => [clickId, subId]));
  return orders.flatMap((order) => {
    const clickId = byHash.get(hashOfOrder(order).toString('latin1'));
    if (clickId === undefined) return [];
    return [{ commissionId: order.commissionId, clickedAt: timeOfId(clickId), subId: bySub.get(clickId) ?? null }];
  });
}

type Beside = { readonly clickedAt: Date | null; readonly isKeptBack: boolean };

/** The one renderer's sentence for creators; a refusal adds what the merchant said. */
function sentence(commission: ListedCommission, { clickedAt, isKeptBack }: Beside): string {
  const text = explained(commission, { clickedAt: isoTimeOrNull(clickedAt), reader: 'creator' });
  if (isKeptBack && commission.state !== 'paid') return `${text} Its payout is under review by the platform.`;
  return commission.rejectedReason === null ? text : `${text} The merchant’s reason: ${commission.rejectedReason}`;
}

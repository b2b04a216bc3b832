import type { Queryable } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { emptySql, prepared, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { ProgramName } from './programs-sql.ts';
import {
  approvalOf,
  attributionColumnsOf,
  attributionOf,
  columnsOf,
  readOrderRule,
  readSubscriptionRule,
  writeOrderRule,
  writeSubscriptionRule,
  type ApprovalColumns,
  type AttributionColumns,
  type OrderRuleJson,
  type SubscriptionRuleJson,
} from './terms-json.ts';
import { clicksOnly, type Terms } from './terms.ts';

type Row = Omit<Terms, 'approval' | 'orderRules' | 'subscriptionRules' | 'attribution'> &
  ApprovalColumns &
  AttributionColumns & { readonly orderRules: readonly OrderRuleJson[]; readonly subscriptionRules: readonly SubscriptionRuleJson[] };

const columns = sql`
  version, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days, pays, order_rules, subscription_rules, codes,
  returning_days, returning_orders, new_click, lead_rules`;

const termsOf = ({
  approval,
  autoApproveDays,
  orderRules,
  subscriptionRules,
  codes,
  returningDays,
  returningOrders,
  newClick,
  leadRules,
  ...row
}: Row): Terms => ({
  ...row,
  approval: approvalOf({ approval, autoApproveDays }),
  orderRules: orderRules.map(readOrderRule),
  subscriptionRules: subscriptionRules.map(readSubscriptionRule),
  attribution: attributionOf({ codes, returningDays, returningOrders, newClick, leadRules }),
});

/** All versions of a program's terms in the order of creation. Adding a version enforces their limit. */
export async function termsOfProgram(db: Queryable, { storeId, programId }: ProgramName): Promise<Terms[]> {
  const rows = await db.all<Row>(sql`
    select ${columns} from terms where store_id = ${storeId} and program_id = ${programId} order by version`);
  return rows.map(termsOf);
}

/** Newest first. */
export async function listTerms(db: Queryable, { storeId, programId }: ProgramName, { after, limit }: Page): Promise<Terms[]> {
  const rows = await db.all<Row>(sql`
    select ${columns} from terms
    where store_id = ${storeId} and program_id = ${programId} ${after === null ? emptySql : sql`and version < ${after[0]}`}
    order by version desc limit ${limit + 1}`);
  return rows.map(termsOf);
}

/** The caller must have locked the program. */
export async function insertTerms(db: Queryable, { storeId, programId }: ProgramName, terms: Terms): Promise<void> {
  const { approval, autoApproveDays } = columnsOf(terms.approval);
  const { codes, returningDays, returningOrders, newClick, leadRules } = attributionColumnsOf(terms.attribution);
  await db.run(sql`
    insert into terms (store_id, program_id, version, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days,
                       pays, order_rules, subscription_rules, codes, returning_days, returning_orders, new_click, lead_rules)
    values (${storeId}, ${programId}, ${terms.version}, ${terms.effectiveFrom}, ${terms.madeAt},
            ${terms.attributionDays}, ${terms.holdDays}, ${approval}, ${autoApproveDays}, ${terms.pays},
            ${JSON.stringify(terms.orderRules.map(writeOrderRule))},
            ${JSON.stringify(terms.subscriptionRules.map(writeSubscriptionRule))}, ${codes}, ${returningDays}, ${returningOrders},
            ${newClick}, ${JSON.stringify(leadRules)})`);
  if (codes !== clicksOnly.codes || returningDays !== null)
    await db.run(sql`update stores set counts_beyond_clicks = true where store_id = ${storeId} and not counts_beyond_clicks`);
}

/** All versions of several programs' terms, by program, for a batch of orders. */
export async function termsOfPrograms(db: Queryable, programs: readonly ProgramName[]): Promise<ReadonlyMap<string, readonly Terms[]>> {
  const found = new Map<string, Terms[]>();
  const rows = await queryByStore(programs, (storeId, ofStore) =>
    db.all<Row & ProgramName>(prepared`
      select store_id, program_id, version, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days, pays,
        order_rules, subscription_rules, codes, returning_days, returning_orders, new_click, lead_rules
      from terms where store_id = ${storeId} and program_id = any(${uuids([...new Set(ofStore.map(({ programId }) => programId))])})
      order by program_id, version`),
  );
  for (const { storeId: _storeId, programId, ...row } of rows) found.set(programId, [...(found.get(programId) ?? []), termsOf(row)]);
  return found;
}

/** The stores of a batch whose terms ever counted discount codes or returning customers. By primary key. */
export async function storesBeyondClicks(
  db: Queryable,
  stores: ReadonlyArray<Pick<ProgramName, 'storeId'>>,
): Promise<ReadonlySet<ProgramName['storeId']>> {
  const rows = await queryByStore(stores, (storeId) =>
    db.all<Pick<ProgramName, 'storeId'>>(prepared`select store_id from stores where store_id = ${storeId} and counts_beyond_clicks`),
  );
  return new Set(rows.map(({ storeId }) => storeId));
}

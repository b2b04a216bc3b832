import type { Queryable } from '../db/database.ts';
import { readGoals, writeGoal, type GoalJson } from './goals.ts';
import { queryByStore } from '../db/by-store.ts';
import { emptySql, prepared, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { ProgramName } from './programs-sql.ts';
import {
  approvalOf,
  attributionColumnsOf,
  attributionOf,
  columnsOf,
  readOwnRates,
  readOrderRule,
  readSubscriptionRule,
  writeOrderRule,
  writeOwnRates,
  writeSubscriptionRule,
  type ApprovalColumns,
  type AttributionColumns,
  type OrderRuleJson,
  type OwnRatesJson,
  type SubscriptionRuleJson,
} from './terms-json.ts';
import { asksForNewCustomers } from './applied-rule.ts';
import { readBudget, writeBudget, type BudgetJson } from './budget-json.ts';
import { readTiers, writeTiers, type TiersJson } from './tiers-json.ts';
import { clicksOnly, type Terms } from './terms.ts';

type NoticeColumns = {
  readonly noticeDays: number | null;
  readonly protectClickDays: number | null;
  readonly announced: boolean;
  readonly canceledAt: Date | null;
};
type Row = Pick<Terms, 'version' | 'effectiveFrom' | 'madeAt' | 'attributionDays' | 'holdDays' | 'pays'> &
  ApprovalColumns &
  NoticeColumns &
  AttributionColumns & {
    readonly orderRules: readonly OrderRuleJson[];
    readonly subscriptionRules: readonly SubscriptionRuleJson[];
    readonly ownRates: readonly OwnRatesJson[];
    readonly tiers: TiersJson | null;
    readonly budget: BudgetJson | null;
    readonly goals: readonly GoalJson[] | null;
  };

const columns = sql`
  version, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days, pays, order_rules, subscription_rules, codes,
  returning_days, returning_orders, new_click, lead_rules, own_rates, tiers, budget, notice_days, protect_click_days, announced,
  canceled_at, goals`;

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
  ownRates,
  tiers,
  budget,
  noticeDays,
  protectClickDays,
  announced,
  canceledAt,
  goals,
  ...row
}: Row): Terms => ({
  ...row,
  approval: approvalOf({ approval, autoApproveDays }),
  orderRules: orderRules.map(readOrderRule),
  subscriptionRules: subscriptionRules.map(readSubscriptionRule),
  attribution: attributionOf({ codes, returningDays, returningOrders, newClick, leadRules }),
  rates: { own: ownRates.map(readOwnRates), tiers: tiers && readTiers(tiers) },
  ...readBudget(budget),
  ...(noticeDays === null ? {} : { noticeDays }),
  ...(protectClickDays === null ? {} : { protectClickDays }),
  ...(announced ? { isAnnounced: true } : {}),
  ...(canceledAt === null ? {} : { canceledAt }),
  ...readGoals(goals),
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
                       pays, order_rules, subscription_rules, codes, returning_days, returning_orders, new_click, lead_rules, own_rates,
                       tiers, budget, notice_days, protect_click_days, announced, goals)
    values (${storeId}, ${programId}, ${terms.version}, ${terms.effectiveFrom}, ${terms.madeAt},
            ${terms.attributionDays}, ${terms.holdDays}, ${approval}, ${autoApproveDays}, ${terms.pays},
            ${JSON.stringify(terms.orderRules.map(writeOrderRule))},
            ${JSON.stringify(terms.subscriptionRules.map(writeSubscriptionRule))}, ${codes}, ${returningDays}, ${returningOrders},
            ${newClick}, ${JSON.stringify(leadRules)}, ${JSON.stringify(terms.rates.own.map(writeOwnRates))},
            ${terms.rates.tiers && JSON.stringify(writeTiers(terms.rates.tiers))},
            ${terms.budget === undefined ? null : JSON.stringify(writeBudget(terms.budget))},
            ${terms.noticeDays ?? null}, ${terms.protectClickDays ?? null}, ${terms.isAnnounced ?? false},
            ${terms.goals === undefined ? null : JSON.stringify(terms.goals.map(writeGoal))})`);
  if (codes !== clicksOnly.codes || returningDays !== null)
    await db.run(sql`update stores set counts_beyond_clicks = true where store_id = ${storeId} and not counts_beyond_clicks`);
  if (asksForNewCustomers(terms))
    await db.run(sql`update stores set counts_new_customers = true where store_id = ${storeId} and not counts_new_customers`);
}

/** With the versions that it replaced. The caller must have locked the program. Those who were informed are informed again. */
export const cancelTerms = (
  db: Queryable,
  { storeId, programId }: ProgramName,
  { version, effectiveFrom, canceledAt }: Pick<Terms, 'version' | 'effectiveFrom'> & { readonly canceledAt: Date },
): Promise<number> =>
  db.run(sql`
    update terms set canceled_at = ${canceledAt}, notices_sent_to = null,
      notices_sent_at = case when notices_sent_to is null then ${canceledAt}::timestamptz end
    where store_id = ${storeId} and program_id = ${programId} and effective_from = ${effectiveFrom} and version <= ${version}
      and canceled_at is null`);

/** All versions of several programs' terms, by program, for a batch of orders. */
export async function termsOfPrograms(db: Queryable, programs: readonly ProgramName[]): Promise<ReadonlyMap<string, readonly Terms[]>> {
  const found = new Map<string, Terms[]>();
  const rows = await queryByStore(programs, (storeId, ofStore) =>
    db.all<Row & ProgramName>(prepared`
      select store_id, program_id, version, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days, pays,
        order_rules, subscription_rules, codes, returning_days, returning_orders, new_click, lead_rules, own_rates, tiers, budget,
        notice_days, protect_click_days, announced, canceled_at, goals
      from terms where store_id = ${storeId} and program_id = any(${uuids([...new Set(ofStore.map(({ programId }) => programId))])})
      order by program_id, version`),
  );
  for (const { storeId: _storeId, programId, ...row } of rows) found.set(programId, [...(found.get(programId) ?? []), termsOf(row)]);
  return found;
}

/** What the terms of a store ever asked for besides clicks. Other stores load none of it. */
export type StoresThatCount = {
  /** Discount codes or returning customers. */
  readonly beyondClicks: ReadonlySet<ProgramName['storeId']>;
  readonly newCustomers: ReadonlySet<ProgramName['storeId']>;
};

/** By primary key. */
export async function findStoresThatCount(db: Queryable, stores: ReadonlyArray<Pick<ProgramName, 'storeId'>>): Promise<StoresThatCount> {
  type Counting = Pick<ProgramName, 'storeId'> & { readonly countsBeyondClicks: boolean; readonly countsNewCustomers: boolean };
  const rows = await queryByStore(stores, (storeId) =>
    db.all<Counting>(prepared`
      select store_id, counts_beyond_clicks, counts_new_customers from stores
      where store_id = ${storeId} and (counts_beyond_clicks or counts_new_customers)`),
  );
  const idsOf = (counting: readonly Counting[]) => new Set(counting.map(({ storeId }) => storeId));
  return {
    beyondClicks: idsOf(rows.filter(({ countsBeyondClicks }) => countsBeyondClicks)),
    newCustomers: idsOf(rows.filter(({ countsNewCustomers }) => countsNewCustomers)),
  };
}

export const storesBeyondClicks = async (
  db: Queryable,
  stores: ReadonlyArray<Pick<ProgramName, 'storeId'>>,
): Promise<StoresThatCount['beyondClicks']> => (await findStoresThatCount(db, stores)).beyondClicks;

/** Programs of which a version has goals. Reads across all stores by the index terms_with_goals. */
export const listProgramsWithGoals = (
  db: Queryable,
  { after, limit }: { readonly after: ProgramName | null; readonly limit: number },
): Promise<ProgramName[]> =>
  db.all(sql`
    select distinct store_id, program_id from terms
    where goals is not null ${after === null ? emptySql : sql`and (store_id, program_id) > (${after.storeId}, ${after.programId})`}
    order by store_id, program_id limit ${limit}`);

/** Reads across all stores by the index terms_with_goals. */
export const hasGoals = async (db: Queryable): Promise<boolean> =>
  (await db.find(sql`select 1 as one from terms where goals is not null limit 1`)) !== null;

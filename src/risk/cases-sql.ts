import type { Queryable, Transaction } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { CaseState, Evidence, Resolution, RiskCase, RiskRule } from './risk-case.ts';

const columns = sql`
  case_id, rule, subject, store_id, creator_id, invoice_id, charge_id, state, is_enforced, evidence, opened_at, closed_at`;

/** False: a case of the rule about the same subject is open. The unique index decides between concurrent inserts. */
export async function insertCase(tx: Transaction, made: Omit<RiskCase, 'state' | 'closedAt'>): Promise<boolean> {
  const written = await tx.run(sql`
    insert into risk_cases (case_id, rule, subject, store_id, creator_id, invoice_id, charge_id, state, is_enforced, evidence, opened_at)
    values (${made.caseId}, ${made.rule}, ${made.subject}, ${made.storeId}, ${made.creatorId}, ${made.invoiceId}, ${made.chargeId},
      'open', ${made.isEnforced}, ${JSON.stringify(made.evidence)}::jsonb, ${made.openedAt})
    on conflict do nothing`);
  return written === 1;
}

export const findCase = (db: Queryable, caseId: Id<'case'>): Promise<RiskCase | null> =>
  db.find(sql`select ${columns} from risk_cases where case_id = ${caseId}`);

/** Every change of a case is made under this lock. */
export const lockCase = (tx: Transaction, caseId: Id<'case'>): Promise<RiskCase | null> =>
  tx.find(sql`select ${columns} from risk_cases where case_id = ${caseId} for update`);

/** The latest case of a rule about a subject, open or not. By risk_cases_of_subject. */
export const findLatestCase = (db: Queryable, rule: RiskRule, subject: string): Promise<RiskCase | null> =>
  db.find(sql`
    select ${columns} from risk_cases where rule = ${rule} and subject = ${subject} order by case_id desc limit 1`);

export async function closeCase(tx: Transaction, caseId: Id<'case'>, state: 'released' | 'escalated', at: Date): Promise<void> {
  const touched = await tx.run(sql`
    update risk_cases set state = ${state}, closed_at = ${at}
    where case_id = ${caseId} and state in ('open', 'escalated')`);
  invariant(touched === 1, 'a case is locked and open when it is closed');
}

export async function enforceCase(tx: Transaction, caseId: Id<'case'>): Promise<void> {
  await tx.run(sql`update risk_cases set is_enforced = true, mailed_at = null where case_id = ${caseId}`);
}

export async function setEvidence(tx: Transaction, caseId: Id<'case'>, evidence: readonly Evidence[]): Promise<void> {
  await tx.run(sql`update risk_cases set evidence = ${JSON.stringify(evidence)}::jsonb where case_id = ${caseId}`);
}

export type CaseFilter = {
  readonly state: CaseState | null;
  readonly rule: RiskRule | null;
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
};

const caseIdColumn: SortColumn<RiskCase> = { expression: sql`case_id`, type: 'uuid', value: ({ caseId }) => caseId };

/** The IDs grow with time. */
export const caseSorts: ListSorts<RiskCase> = { columns: { opened_at: caseIdColumn }, unique: caseIdColumn, defaultSort: '-opened_at' };

/** An installation has few cases, so a filter may read all of them. */
export const listCases = (
  db: Queryable,
  { state, rule, storeId, creatorId }: CaseFilter,
  { after, limit, order }: SortedPage<RiskCase>,
): Promise<RiskCase[]> =>
  db.all(sql`
    select ${columns} from risk_cases
    where true ${state === null ? emptySql : sql`and state = ${state}`} ${rule === null ? emptySql : sql`and rule = ${rule}`}
      ${storeId === null ? emptySql : sql`and store_id = ${storeId}`} ${creatorId === null ? emptySql : sql`and creator_id = ${creatorId}`}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

/** Open cases from before an operator enabled enforcement. */
export const listUnenforcedCases = (db: Queryable, limit: number): Promise<RiskCase[]> =>
  db.all(sql`select ${columns} from risk_cases where state = 'open' and not is_enforced order by case_id limit ${limit}`);

/** Pairs whose commissions are to be held. */
export const listPairsToHold = (db: Queryable, limit: number): Promise<RiskCase[]> =>
  db.all(sql`
    select ${columns} from risk_cases
    where rule = 'same_person' and is_enforced and state in ('open', 'escalated') order by case_id limit ${limit}`);
export const listPairsToRelease = (db: Queryable, limit: number): Promise<RiskCase[]> =>
  db.all(sql`
    select ${columns} from risk_cases
    where rule = 'same_person' and is_enforced and state = 'released' and unheld_at is null order by case_id limit ${limit}`);

export async function markUnheld(db: Queryable, caseId: Id<'case'>, at: Date): Promise<void> {
  await db.run(sql`update risk_cases set unheld_at = ${at} where case_id = ${caseId}`);
}

export type CaseAction = 'opened' | 'enforced' | 'evidence' | 'kept' | 'released' | 'escalated';
export type CaseEvent = {
  readonly eventId: Id;
  readonly action: CaseAction;
  readonly reason: string | null;
  readonly byActor: string;
  readonly byName: string;
  /** `amountCents` as text: JSON numbers would lose cents of the largest amounts. */
  readonly details: { readonly resolution?: Resolution; readonly amountCents?: string } & Readonly<Record<string, unknown>>;
  readonly at: Date;
};

export async function insertCaseEvent(tx: Transaction, caseId: Id<'case'>, event: CaseEvent): Promise<void> {
  await tx.run(sql`
    insert into risk_case_events (case_id, event_id, action, reason, by_actor, by_name, details, at)
    values (${caseId}, ${event.eventId}, ${event.action}, ${event.reason}, ${event.byActor}, ${event.byName},
      ${JSON.stringify(event.details)}::jsonb, ${event.at})`);
}

/** Oldest first. */
export const listCaseEvents = (db: Queryable, caseId: Id<'case'>, limit: number): Promise<CaseEvent[]> =>
  db.all(sql`
    select event_id, action, reason, by_actor, by_name, details, at from risk_case_events
    where case_id = ${caseId} order by event_id limit ${limit}`);

/** Enforced cases about which the operators were not emailed. */
export async function takeUnnotifiedCases(tx: Transaction, at: Date, limit: number): Promise<readonly RiskCase[]> {
  const cases = await tx.all<RiskCase>(sql`
    select ${columns} from risk_cases
    where mailed_at is null and is_enforced and state = 'open' order by case_id limit ${limit} for update`);
  await tx.run(sql`
    update risk_cases set mailed_at = ${at} where case_id = any(${uuids(cases.map(({ caseId }) => caseId))})`);
  return cases;
}

export type CaseCounts = { readonly rule: RiskRule; readonly isEnforced: boolean; readonly count: bigint };
export const countOpenCases = (db: Queryable): Promise<CaseCounts[]> =>
  db.all(sql`
    select rule, is_enforced, count(*) as count from risk_cases where state <> 'released' group by rule, is_enforced order by rule`);

import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { CaseState, Evidence, RiskCase, RiskRule } from './case.ts';

const columns = sql`
  case_id, rule, subject, store_id, creator_id, invoice_id, charge_id, state, is_enforced, evidence, opened_at, closed_at`;

/** False where a case of the rule about the same is open: the unique index decides between two at once. */
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

/** Everything that changes a case happens under this lock. */
export const lockCase = (tx: Transaction, caseId: Id<'case'>): Promise<RiskCase | null> =>
  tx.find(sql`select ${columns} from risk_cases where case_id = ${caseId} for update`);

/** The latest case of a rule about the same, open or not. By risk_cases_of_subject. */
export const latestCaseOf = (db: Queryable, rule: RiskRule, subject: string): Promise<RiskCase | null> =>
  db.find(sql`
    select ${columns} from risk_cases where rule = ${rule} and subject = ${subject} order by case_id desc limit 1`);

export async function closeCase(tx: Transaction, caseId: Id<'case'>, state: 'released' | 'escalated', at: Date): Promise<void> {
  const touched = await tx.run(sql`
    update risk_cases set state = ${state}, closed_at = ${at}
    where case_id = ${caseId} and state in ('open', 'escalated')`);
  must(touched === 1, 'a case that is closed was locked and open');
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

/** Newest first. An installation has few cases, so that a filter reads what it does not show. */
export const listCases = (db: Queryable, { state, rule, storeId, creatorId }: CaseFilter, { after, limit }: Page): Promise<RiskCase[]> =>
  db.all(sql`
    select ${columns} from risk_cases
    where true ${state === null ? nothing : sql`and state = ${state}`} ${rule === null ? nothing : sql`and rule = ${rule}`}
      ${storeId === null ? nothing : sql`and store_id = ${storeId}`} ${creatorId === null ? nothing : sql`and creator_id = ${creatorId}`}
      ${after === null ? nothing : sql`and case_id < ${after[0]}`}
    order by case_id desc limit ${limit + 1}`);

/** Open cases that hold nothing yet: an operator switched enforcement on since. */
export const openUnenforced = (db: Queryable, limit: number): Promise<RiskCase[]> =>
  db.all(sql`select ${columns} from risk_cases where state = 'open' and not is_enforced order by case_id limit ${limit}`);

/** Pairs whose commissions are to be held, or released again. */
export const pairsToHold = (db: Queryable, limit: number): Promise<RiskCase[]> =>
  db.all(sql`
    select ${columns} from risk_cases
    where rule = 'same_person' and is_enforced and state in ('open', 'escalated') order by case_id limit ${limit}`);
export const pairsToRelease = (db: Queryable, limit: number): Promise<RiskCase[]> =>
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
  readonly details: object;
  readonly at: Date;
};

export async function insertCaseEvent(tx: Transaction, caseId: Id<'case'>, event: CaseEvent): Promise<void> {
  await tx.run(sql`
    insert into risk_case_events (case_id, event_id, action, reason, by_actor, by_name, details, at)
    values (${caseId}, ${event.eventId}, ${event.action}, ${event.reason}, ${event.byActor}, ${event.byName},
      ${JSON.stringify(event.details)}::jsonb, ${event.at})`);
}

/** The oldest first. */
export const eventsOfCase = (db: Queryable, caseId: Id<'case'>, limit: number): Promise<CaseEvent[]> =>
  db.all(sql`
    select event_id, action, reason, by_actor, by_name, details, at from risk_case_events
    where case_id = ${caseId} order by event_id limit ${limit}`);

/** Those that the operators were not told of, and that hold something. */
export async function takeUnmailed(tx: Transaction, at: Date, limit: number): Promise<readonly RiskCase[]> {
  const cases = await tx.all<RiskCase>(sql`
    select ${columns} from risk_cases
    where mailed_at is null and is_enforced and state = 'open' order by case_id limit ${limit} for update`);
  await tx.run(sql`
    update risk_cases set mailed_at = ${at} where case_id = any(${cases.map(({ caseId }) => caseId)}::uuid[])`);
  return cases;
}

export type CaseCounts = { readonly rule: RiskRule; readonly isEnforced: boolean; readonly count: bigint };
export const countOpenCases = (db: Queryable): Promise<CaseCounts[]> =>
  db.all(sql`
    select rule, is_enforced, count(*) as count from risk_cases where state <> 'released' group by rule, is_enforced order by rule`);

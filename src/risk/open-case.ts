import { insertHold, type HoldScope } from '../holds/holds-sql.ts';
import { recordAuditEntry } from '../people/audit.ts';
import type { Transaction } from '../db/database.ts';
import { newId, publicId, type Id } from '../core/ids.ts';
import { scopeOf, subjectOf, type Evidence, type RiskCase, type RiskRule } from './risk-case.ts';
import { enforceCase, insertCase, insertCaseEvent } from './cases-sql.ts';

export type NewCase = {
  readonly rule: RiskRule;
  readonly scope: HoldScope;
  readonly chargeId?: Id<'chg'> | null;
  readonly evidence: readonly Evidence[];
  /** False: the case shows what would be held. */
  readonly isEnforced: boolean;
  readonly at: Date;
};

export const bySystem = { byActor: 'system', byName: 'risk rules' } as const;

/** Opens a case, whose hold is in force from this commit on. Null: a case about the same subject is open. */
export async function openCase(tx: Transaction, made: NewCase): Promise<Id<'case'> | null> {
  const { rule, scope, evidence, isEnforced, at } = made;
  const caseId = newId<'case'>(at);
  const riskCase: RiskCase = {
    caseId,
    rule,
    subject: subjectOf(scope),
    storeId: scope.of === 'creator' ? null : scope.storeId,
    creatorId: scope.of === 'creator' || scope.of === 'pair' ? scope.creatorId : null,
    invoiceId: scope.of === 'invoice' ? scope.invoiceId : null,
    chargeId: made.chargeId ?? null,
    state: 'open',
    isEnforced,
    evidence,
    openedAt: at,
    closedAt: null,
  };
  if (!(await insertCase(tx, riskCase))) return null;
  await insertCaseEvent(tx, caseId, { eventId: newId(at), action: 'opened', reason: null, ...bySystem, details: { evidence }, at });
  if (isEnforced) {
    await insertHold(tx, { scope, caseId, at });
    await auditCase(tx, riskCase, 'risk_case.opened', at);
  }
  return caseId;
}

/** Puts the hold of an open case in force after an operator enabled enforcement. The caller must hold the case lock. */
export async function enforceOpenCase(tx: Transaction, riskCase: RiskCase, at: Date): Promise<void> {
  const scope = scopeOf(riskCase);
  if (scope === null || riskCase.isEnforced || riskCase.state !== 'open') return;
  await enforceCase(tx, riskCase.caseId);
  await insertHold(tx, { scope, caseId: riskCase.caseId, at });
  await insertCaseEvent(tx, riskCase.caseId, { eventId: newId(at), action: 'enforced', reason: null, ...bySystem, details: {}, at });
  await auditCase(tx, riskCase, 'risk_case.enforced', at);
}

export const auditCase = (
  tx: Transaction,
  { caseId, rule, storeId, creatorId, evidence }: RiskCase,
  action: 'risk_case.opened' | 'risk_case.enforced' | 'risk_case.released',
  at: Date,
): Promise<void> =>
  recordAuditEntry(tx, {
    at,
    actor: 'system',
    actorName: bySystem.byName,
    storeId,
    creatorId,
    action,
    subject: publicId('case', caseId),
    details: { rule, evidence },
    requestId: '',
    addressHash: null,
  });

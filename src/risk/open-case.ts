import { insertHold, type HoldScope } from '../holds/holds-sql.ts';
import { keepAudit } from '../people/audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import { scopeOf, subjectOf, type Evidence, type RiskCase, type RiskRule } from './case.ts';
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

/** Opens a case, and what it keeps back is kept back from this commit on. Null where one about the same is open. */
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

/** An operator switched enforcement on: an open case now keeps back what it is about. The caller must hold the case. */
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
  keepAudit(tx, {
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

import type { RiskCase } from './risk-case.ts';
import { apiMessage } from '../messages/api-message.ts';

export const escalations = ['suspend_creator', 'archive_store', 'disable_integration'] as const;
export type Escalation = (typeof escalations)[number];

/** Null: the escalation is possible. Otherwise a message that says why not. */
export function decideEscalation(what: Escalation, { storeId, creatorId }: Pick<RiskCase, 'storeId' | 'creatorId'>): string | null {
  if (what === 'suspend_creator') return creatorId === null ? apiMessage('decide_escalation.case_names_no_creator') : null;
  return storeId === null ? apiMessage('decide_escalation.case_names_no_store') : null;
}

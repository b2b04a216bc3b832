import { hourMs } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import type { ProgramName } from '../merchants/programs-sql.ts';
import { listProgramDecisions, type DecidedCommission } from './program-record-sql.ts';

/** How a program has reviewed commissions so far, for creators who consider joining. */
export type ProgramRecord = {
  readonly decided: number;
  /** Null if there are too few decisions. */
  readonly medianApprovalHours: number | null;
  readonly refusedBasisPoints: number | null;
};

export const decidedMin = 5;
const decisionsScannedMax = 5_000;
export const decisionsCountedMax = 500;

export const findProgramRecord = async (db: Queryable, of: ProgramName): Promise<ProgramRecord> =>
  programRecord(await listProgramDecisions(db, { ...of, looked: decisionsScannedMax, limit: decisionsCountedMax }));

/** Counts the latest decision of each commission. Expects the latest decision first. */
export function programRecord(decisions: readonly DecidedCommission[]): ProgramRecord {
  const latest = new Map<string, DecidedCommission>();
  for (const decision of decisions) if (!latest.has(decision.commissionId)) latest.set(decision.commissionId, decision);
  const decided = [...latest.values()];
  if (decided.length < decidedMin) return { decided: decided.length, medianApprovalHours: null, refusedBasisPoints: null };
  const approved = decided.filter(({ action }) => action === 'approve');
  const waits = approved.map(({ decidedAt, recordedAt }) => decidedAt.getTime() - recordedAt.getTime());
  return {
    decided: decided.length,
    medianApprovalHours: waits.length === 0 ? null : Math.round(median(waits) / hourMs),
    refusedBasisPoints: Math.round(((decided.length - approved.length) * 10_000) / decided.length),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return (low + high) / 2;
}

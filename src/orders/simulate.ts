import { newId, type Id } from '../core/ids.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';
import { decideConversion, type ConversionDecision } from './decide-conversion.ts';
import type { ConversionReport } from './report.ts';

type SimulationFacts = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly now: Date;
  readonly clickedAt: Date;
  readonly terms: TermsOfCreator;
};

/** The decision of real orders on an order that was not placed. */
export function simulate(report: ConversionReport, { storeId, programId, now, clickedAt, terms }: SimulationFacts): ConversionDecision {
  const click = { clickId: newId<'click'>(now), at: clickedAt, linkNumber: 0n, programId, creatorId: newId<'crt'>(now) };
  return decideConversion(report, {
    now,
    storeId,
    earlier: null,
    wasReversedEarly: false,
    partners: null,
    click: { kind: 'referral', ...click, isCreatorSuspended: false, backsAnotherOrder: false, terms },
    fresh: { transactionId: newId(now), commissionId: newId(now) },
  });
}

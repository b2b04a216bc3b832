import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import { publicId } from '../platform/ids.ts';
import { never } from '../platform/must.ts';
import type { ConversionDecision } from './decide-conversion.ts';
import type { ReversalDecision } from './decide-reversal.ts';

/** What is answered, and why, for the log. All of it is kept in the transaction that carries the decision out. */
export type Told = { readonly outcome: Outcome; readonly why: Why };

export function outcomeOfConversion(decision: ConversionDecision): Told {
  const { why } = decision;
  switch (decision.do) {
    case 'record':
      return told({ reason: 'recorded', ids: idsOf(decision.order) }, why);
    case 'verify':
      return told({ reason: 'test_verified', ids: { transaction_id: publicId('ord', decision.transactionId) } }, why);
    case 'repeat':
      return told({ reason: 'duplicate_order', ids: idsOf(decision.earlier), isReplay: true }, why);
    case 'refuse':
      return told({ reason: decision.reason, ...(decision.field === undefined ? {} : { field: decision.field }) }, why);
    default:
      return never(decision);
  }
}

export function outcomeOfReversal(decision: ReversalDecision): Told {
  const { why } = decision;
  switch (decision.do) {
    case 'reverse':
      return told({ reason: 'recorded', ids: idsOf(decision.reversal.order) }, why);
    case 'wave through':
      return told({ reason: 'recorded', ids: { transaction_id: publicId('ord', decision.transactionId) } }, why);
    case 'repeat':
      return told({ reason: 'duplicate_order', ids: idsOf(decision.order), isReplay: true }, why);
    case 'remember':
    case 'refuse':
      return told({ reason: decision.reason }, why);
    default:
      return never(decision);
  }
}

const told = (outcome: Outcome, why: Why): Told => ({ outcome: { ...outcome, isLogged: true }, why });

type Ids = { readonly transactionId: Parameters<typeof publicId<'ord'>>[1]; readonly commissionId: Parameters<typeof publicId<'com'>>[1] };

const idsOf = ({ transactionId, commissionId }: Ids) => ({
  transaction_id: publicId('ord', transactionId),
  conversion_id: publicId('com', commissionId),
});

import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import { publicId } from '../platform/ids.ts';
import { never } from '../platform/must.ts';
import type { BillingDecision } from './decide-billing.ts';
import type { BindDecision } from './decide-bind.ts';
import type { EndDecision } from './decide-end.ts';
import type { InvoiceReversalDecision } from './decide-invoice-reversal.ts';
import type { Answer } from './event.ts';

export type Decision = BindDecision | BillingDecision | InvoiceReversalDecision | EndDecision;

/** What is answered, and why, for the log. All of it is kept in the transaction that carries the decision out. */
export type Told = { readonly outcome: Outcome; readonly why: Why };

export function outcomeOf(decision: Decision): Told {
  const { why } = decision;
  switch (decision.do) {
    case 'bind':
    case 'record':
    case 'reverse':
    case 'reversed before':
    case 'end':
    case 'ended before':
      return { outcome: { ...answered(decision.answer), isLogged: true }, why };
    case 'bound before':
    case 'repeat':
      return { outcome: { ...answered(decision.answer), isReplay: true, isLogged: true }, why };
    case 'remember':
    case 'refuse':
      return { outcome: { reason: decision.reason, isLogged: true }, why };
    default:
      return never(decision);
  }
}

function answered({ reason, eventId, bindingId, commissionId }: Answer): Outcome {
  return {
    reason,
    ids: {
      ...(commissionId === null ? {} : { conversion_id: publicId('com', commissionId) }),
      ...(bindingId === null ? {} : { binding_id: publicId('bind', bindingId) }),
      ...(eventId === null ? {} : { event_id: publicId('evt', eventId) }),
    },
  };
}

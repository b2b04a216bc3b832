import { knownLeadKind } from '../../locales/lead-kinds.ts';
import { apiMessage } from '../messages/api-message.ts';
import { explainAttribution, rejectedCodes } from './explain-attribution.ts';
import { explainTerms } from './explain-terms.ts';
import type { LeadOperation, Operation, Reason } from './reasons.ts';
import type { Speech } from './speech.ts';
import type { Why } from './why.ts';

type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };
type HoldSentence = (why: Why, speech: Speech) => string;

const isLead = (operation: Operation): operation is LeadOperation => operation === 'lead' || operation === 'lead_reversal';

/** Sentences for leads and their reversals. Null if a sentence for orders fits. */
export function explainLead({ operation, reason, why }: Explained, speech: Speech, holdSentence: HoldSentence): string | null {
  if (!isLead(operation)) return null;
  const { reader, say, time, money } = speech;
  const { first_recorded_at: first, occurred_at: occurred, clicked_at: clicked, commission_cents: amount } = why;
  switch (reason) {
    case 'recorded':
      if (operation === 'lead') return recordedLead(why, speech, holdSentence);
      return amount === undefined ? null : say('lead.reversed', { amount: money(amount) });
    case 'duplicate_lead':
      return first === undefined ? null : say('lead.duplicate', { first: time(first) });
    case 'duplicate_lead_conflict':
      return first === undefined ? null : apiMessage('lead.conflict', { first: time(first) });
    case 'missing_referral_click':
      return why.rejected_codes === undefined
        ? apiMessage('lead.no_click')
        : apiMessage('lead.no_click_and', { codes: rejectedCodes(why) });
    case 'test_click_not_allowed':
      return apiMessage('lead.test_click');
    case 'lead_precedes_click':
      return occurred === undefined || clicked === undefined
        ? null
        : say('lead.precedes_click', { occurred: time(occurred), clicked: time(clicked) });
    case 'attribution_window_expired':
      return occurred === undefined || clicked === undefined
        ? null
        : say('lead.window_expired_after', { clicked: time(clicked), occurred: time(occurred), days: why.attribution_days ?? 0 });
    case 'active_hold':
      return reader === 'creator' && amount !== undefined ? say('lead.reversed_on_hold', { amount: money(amount) }) : null;
    case 'paid_conversion_not_auto_reversed':
      return reader === 'creator' && amount !== undefined ? say('lead.reversed_after_invoice', { amount: money(amount) }) : null;
    default:
      return null;
  }
}

function recordedLead(why: Why, speech: Speech, holdSentence: HoldSentence): string | null {
  const { reader, say, time, money, paragraph } = speech;
  const { commission_cents: amount, lead_kind: name = '', leads_max: most, clicked_at: clicked, attribution_days: days = 0 } = why;
  if (amount === undefined) return null;
  const kind = { kind: knownLeadKind(name), name };
  const earns =
    most !== undefined
      ? say('lead.limit_reached', { most, ...kind })
      : amount === 0
        ? say('lead.no_rule', kind)
        : say('lead.earns', { amount: money(amount), ...kind });
  const window =
    clicked === undefined || reader === 'creator' ? null : apiMessage('lead.reported_within', { days, clicked: time(clicked) });
  return paragraph([earns, explainTerms(why.earned ?? [], speech), window, explainAttribution(why, speech), holdSentence(why, speech)]);
}

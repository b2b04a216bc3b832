import { apiMessage } from '../messages/api-message.ts';
import { explainAttribution, rejectedCodes } from './explain-attribution.ts';
import { explainTerms } from './explain-terms.ts';
import { money, time, type Reader } from './explain-text.ts';
import type { LeadOperation, Operation, Reason } from './reasons.ts';
import type { Why } from './why.ts';

type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };
/** Phrases that the sentences of orders and leads share. */
type Phrases = {
  readonly commissionLabel: (why: Why) => string;
  readonly holdSentence: (why: Why) => string;
  readonly daysOf: (count?: number) => string;
};

const isLead = (operation: Operation): operation is LeadOperation => operation === 'lead' || operation === 'lead_reversal';

/** Sentences for leads and their reversals. Null if a sentence for orders fits. */
export function explainLead({ operation, reason, why }: Explained, reader: Reader, phrases: Phrases): string | null {
  if (!isLead(operation)) return null;
  const { first_recorded_at: first, occurred_at: occurred, clicked_at: clicked } = why;
  switch (reason) {
    case 'recorded':
      return operation === 'lead' ? recordedLead(why, reader, phrases) : reversedLead(why);
    case 'duplicate_lead':
      return first === undefined ? null : apiMessage('lead.duplicate', { first: time(first) });
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
        : apiMessage('lead.precedes_click', { occurred: time(occurred), clicked: time(clicked) });
    case 'attribution_window_expired':
      return occurred === undefined || clicked === undefined
        ? null
        : apiMessage('lead.window_expired_after', {
            clicked: time(clicked),
            occurred: time(occurred),
            days: phrases.daysOf(why.attribution_days),
          });
    case 'active_hold':
      return reader === 'creator' ? apiMessage('lead.reversed_on_hold', { commission: phrases.commissionLabel(why) }) : null;
    case 'paid_conversion_not_auto_reversed':
      return reader === 'creator' ? apiMessage('lead.reversed_after_invoice', { commission: phrases.commissionLabel(why) }) : null;
    default:
      return null;
  }
}

function recordedLead(why: Why, reader: Reader, { holdSentence, daysOf }: Phrases): string | null {
  const { commission_cents: amount, lead_kind: kind = '', leads_max: most, clicked_at: clicked, attribution_days: days } = why;
  if (amount === undefined) return null;
  const earns =
    most !== undefined
      ? apiMessage('lead.limit_reached', { most, kind })
      : amount === 0
        ? apiMessage('lead.no_rule', { kind })
        : apiMessage('lead.earns', { amount: money(amount), kind });
  const window =
    clicked === undefined || reader === 'creator'
      ? ''
      : `${apiMessage('lead.reported_within', { days: daysOf(days), clicked: time(clicked) })} `;
  return `${earns} ${explainTerms(why.earned ?? [], reader)}${window}${explainAttribution(why, reader)}${holdSentence(why)}`;
}

const reversedLead = ({ commission_cents: amount }: Why): string | null =>
  amount === undefined ? null : apiMessage('lead.reversed', { amount: money(amount) });

import { formatDollars } from '../../ui/amounts.ts';
import { TextLink } from '../../ui/links.tsx';
import type { Charge, Invoice } from '../billing/billing-api.ts';
import type { CommissionStory } from './commissions-api.ts';
import type { TimelineEvent } from './timeline-events.ts';

/** The events after the review: the invoice, its charges, a credit note, the payout. */
export function paymentEvents(store: string, { invoice, charges, credit_note: note, payout }: CommissionStory): readonly TimelineEvent[] {
  return [
    ...(invoice === null ? [] : [invoiceEvent(store, invoice)]),
    ...charges.map(chargeEvent),
    ...(invoice?.charged_back_at ? [chargebackEvent(invoice.charged_back_at)] : []),
    ...(note === null ? [] : [creditNoteEvent(note)]),
    ...(payout === null ? [] : [payoutEvent(payout)]),
  ];
}

const invoiceEvent = (store: string, { id, number, issued_at: at, next_charge_at: next, state }: Invoice): TimelineEvent => ({
  key: id,
  at,
  title: (
    <>
      Billed on{' '}
      <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: id }}>
        {number}
      </TextLink>
    </>
  ),
  text: state === 'issued' && next !== null ? 'It is charged a few days later.' : null,
  tone: 'good',
});

function chargeEvent({
  id,
  state,
  amount_cents: cents,
  is_backup: isBackup,
  message,
  made_at: made,
  ended_at: ended,
}: Charge): TimelineEvent {
  const at = ended ?? made;
  const by = isBackup ? ', by the backup method' : '';
  switch (state) {
    case 'succeeded':
      return { key: id, at, title: `The bill was paid: ${formatDollars(cents)} USD${by}`, tone: 'good' };
    case 'declined':
      return { key: id, at, title: `The bill could not be charged${by}`, text: message, tone: 'bad' };
    case 'absent':
      return { key: id, at, title: 'A charge never reached the provider', text: 'Nothing was charged.', tone: 'wait' };
    default:
      return { key: id, at, title: `The bill is being charged${by}`, tone: 'wait' };
  }
}

const chargebackEvent = (at: string): TimelineEvent => ({
  key: 'charged back',
  at,
  title: 'The payment of the bill was taken back',
  text: 'The bank decided a dispute against it.',
  tone: 'bad',
});

type Note = NonNullable<CommissionStory['credit_note']>;

const creditNoteEvent = ({ number, kind, reason, operator_bears: isBorne, at }: Note): TimelineEvent => ({
  key: number,
  at,
  title: `Credited by ${number}: ${reason}`,
  text: `${kind === 'before' ? 'Less is charged for the bill.' : 'It comes off your next bills.'}${isBorne ? ' The creator keeps it.' : ''}`,
  tone: 'bad',
});

function payoutEvent({ state, begun_at: begun, sent_at: sent, ended_at: ended }: NonNullable<CommissionStory['payout']>): TimelineEvent {
  switch (state) {
    case 'prepared':
      return { key: 'payout', at: begun, title: 'Put into a payout to the creator', tone: 'wait' };
    case 'on_its_way':
      return { key: 'payout', at: sent ?? begun, title: 'On its way to the creator', tone: 'wait' };
    case 'paid':
      return { key: 'payout', at: ended ?? begun, title: 'Reached the creator', tone: 'good' };
  }
}

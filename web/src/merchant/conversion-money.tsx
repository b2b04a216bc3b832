import { dollarsOf } from '../parts/amounts.ts';
import { TextLink } from '../parts/links.tsx';
import type { Charge, Invoice } from './billing-api.ts';
import type { Story } from './commissions-api.ts';
import type { Moment } from './conversion-moment.ts';

/** What happens after the review: the bill, its charges, a credit note, the payout. */
export function moneyMoments(store: string, { invoice, charges, credit_note: note, payout }: Story): readonly Moment[] {
  return [
    ...(invoice === null ? [] : [billedMoment(store, invoice)]),
    ...charges.map(chargeMoment),
    ...(invoice?.charged_back_at ? [takenBack(invoice.charged_back_at)] : []),
    ...(note === null ? [] : [noteMoment(note)]),
    ...(payout === null ? [] : [payoutMoment(payout)]),
  ];
}

const billedMoment = (store: string, { id, number, issued_at: at, next_charge_at: next, state }: Invoice): Moment => ({
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

function chargeMoment({ id, state, amount_cents: cents, is_backup: isBackup, message, made_at: made, ended_at: ended }: Charge): Moment {
  const at = ended ?? made;
  const by = isBackup ? ', by the backup method' : '';
  switch (state) {
    case 'succeeded':
      return { key: id, at, title: `The bill was paid: ${dollarsOf(cents)} USD${by}`, tone: 'good' };
    case 'declined':
      return { key: id, at, title: `The bill could not be charged${by}`, text: message, tone: 'bad' };
    case 'absent':
      return { key: id, at, title: 'A charge never reached the provider', text: 'Nothing was charged.', tone: 'wait' };
    default:
      return { key: id, at, title: `The bill is being charged${by}`, tone: 'wait' };
  }
}

const takenBack = (at: string): Moment => ({
  key: 'charged back',
  at,
  title: 'The payment of the bill was taken back',
  text: 'The bank decided a dispute against it.',
  tone: 'bad',
});

type Note = NonNullable<Story['credit_note']>;

const noteMoment = ({ number, kind, reason, operator_bears: isBorne, at }: Note): Moment => ({
  key: number,
  at,
  title: `Credited by ${number}: ${reason}`,
  text: `${kind === 'before' ? 'Less is charged for the bill.' : 'It comes off your next bills.'}${isBorne ? ' The creator keeps it.' : ''}`,
  tone: 'bad',
});

function payoutMoment({ state, begun_at: begun, sent_at: sent, ended_at: ended }: NonNullable<Story['payout']>): Moment {
  switch (state) {
    case 'prepared':
      return { key: 'payout', at: begun, title: 'Put into a payout to the creator', tone: 'wait' };
    case 'on_its_way':
      return { key: 'payout', at: sent ?? begun, title: 'On its way to the creator', tone: 'wait' };
    case 'paid':
      return { key: 'payout', at: ended ?? begun, title: 'Reached the creator', tone: 'good' };
  }
}

import type { Charge, Invoice } from '../../api/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';

/** The state of an invoice, with what happens next automatically and what does not. */
export function InvoiceStatusChip({ invoice }: { readonly invoice: Pick<Invoice, 'state' | 'next_charge_at' | 'total_cents'> }) {
  const { state, next_charge_at: at } = invoice;
  const texts: StatusTexts<Invoice['state']> = {
    issued: ['Issued', 'wait', at === null ? 'It is about to be settled.' : `It is charged on ${formatDay(at)}.`],
    charging: ['Being charged', 'wait', 'The charge is on its way. It usually ends within minutes.'],
    unknown: [
      'Being looked into',
      'wait',
      'The provider has not said how the charge ended. It is asked again until it does; you are not charged twice.',
    ],
    paid: ['Paid', 'good', 'Nothing is open. Its commissions go on to their creators.'],
    retrying: [
      'Charge failed',
      'bad',
      at === null ? 'It is not tried again by itself. Set another way to pay.' : `It is tried again on ${formatDay(at)}.`,
    ],
    past_due: ['Past due', 'bad', 'It could not be charged for a week. Links pause until it is paid.'],
    charged_back: ['Taken back', 'bad', 'Your bank took the payment back after a dispute. The amount is open again.'],
    void: ['Void', 'neutral', 'Credit notes took all of it back. Nothing is to be paid.'],
  };
  return <StatusChip texts={texts} state={state} />;
}

const onItsWay = ['On its way', 'wait', 'It was asked for, and its end is not known yet.'] as const;

const chargeTexts: StatusTexts<Charge['state']> = {
  ready: onItsWay,
  sending: onItsWay,
  pending: onItsWay,
  unknown: ['Being looked into', 'wait', 'The provider has not answered. It is asked again until it does.'],
  succeeded: ['Succeeded', 'good', 'The amount was charged.'],
  declined: ['Declined', 'bad', 'The amount was not charged. What the provider said stands beside it.'],
  absent: ['Never arrived', 'neutral', 'The provider never got the request; nothing was charged.'],
};

export function ChargeStatusChip({ state }: Pick<Charge, 'state'>) {
  return <StatusChip texts={chargeTexts} state={state} />;
}

const outcomeTexts: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  ok: ['Works', 'Every charge succeeds.'],
  declined: ['Is declined', 'Every charge is declined, as by a card that was blocked.'],
  timeout_then_ok: ['Answers late', 'The first call is lost on its way; sent again, it succeeds.'],
  insufficient_then_ok: ['Has too little at first', 'The first charge is declined for lack of money, the next one succeeds.'],
};

export const outcomeLabel = (word: string): string => outcomeTexts[word]?.[0] ?? word;
export const outcomeMeaning = (word: string): string => outcomeTexts[word]?.[1] ?? 'A word that only tests of the service use.';

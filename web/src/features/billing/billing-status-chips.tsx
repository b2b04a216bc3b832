import type { Charge, Invoice } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';

/** The state of an invoice, with what happens next automatically and what does not. */
export function InvoiceStatusChip({ invoice }: { readonly invoice: Pick<Invoice, 'state' | 'next_charge_at' | 'total_cents'> }) {
  const { state, next_charge_at: at } = invoice;
  switch (state) {
    case 'issued':
      return (
        <Chip label="Issued" tone="wait" meaning={at === null ? 'It is about to be settled.' : `It is charged on ${formatDay(at)}.`} />
      );
    case 'charging':
      return <Chip label="Being charged" tone="wait" meaning="The charge is on its way. It usually ends within minutes." />;
    case 'unknown':
      return (
        <Chip
          label="Being looked into"
          tone="wait"
          meaning="The provider has not said how the charge ended. It is asked again until it does; you are not charged twice."
        />
      );
    case 'paid':
      return <Chip label="Paid" tone="good" meaning="Nothing is open. Its commissions go on to their creators." />;
    case 'retrying':
      return (
        <Chip
          label="Charge failed"
          tone="bad"
          meaning={at === null ? 'It is not tried again by itself. Set another way to pay.' : `It is tried again on ${formatDay(at)}.`}
        />
      );
    case 'past_due':
      return <Chip label="Past due" tone="bad" meaning="It could not be charged for a week. Links pause until it is paid." />;
    case 'charged_back':
      return <Chip label="Taken back" tone="bad" meaning="Your bank took the payment back after a dispute. The amount is open again." />;
    case 'void':
      return <Chip label="Void" tone="neutral" meaning="Credit notes took all of it back. Nothing is to be paid." />;
  }
}

export function ChargeStatusChip({ state }: Pick<Charge, 'state'>) {
  switch (state) {
    case 'ready':
    case 'sending':
    case 'pending':
      return <Chip label="On its way" tone="wait" meaning="It was asked for, and its end is not known yet." />;
    case 'unknown':
      return <Chip label="Being looked into" tone="wait" meaning="The provider has not answered. It is asked again until it does." />;
    case 'succeeded':
      return <Chip label="Succeeded" tone="good" meaning="The amount was charged." />;
    case 'declined':
      return <Chip label="Declined" tone="bad" meaning="The amount was not charged. What the provider said stands beside it." />;
    case 'absent':
      return <Chip label="Never arrived" tone="neutral" meaning="The provider never got the request; nothing was charged." />;
  }
}

const outcomeTexts: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  ok: ['Works', 'Every charge succeeds.'],
  declined: ['Is declined', 'Every charge is declined, as by a card that was blocked.'],
  timeout_then_ok: ['Answers late', 'The first call is lost on its way; sent again, it succeeds.'],
  insufficient_then_ok: ['Has too little at first', 'The first charge is declined for lack of money, the next one succeeds.'],
};

export const outcomeLabel = (word: string): string => outcomeTexts[word]?.[0] ?? word;
export const outcomeMeaning = (word: string): string => outcomeTexts[word]?.[1] ?? 'A word that only tests of the service use.';

import { Chip } from '../parts/chip.tsx';
import { localDay } from '../parts/time.tsx';
import type { Charge, Invoice } from './billing-api.ts';

/** The state of an invoice, with what happens next by itself and what does not. */
export function InvoiceChip({ invoice }: { readonly invoice: Pick<Invoice, 'state' | 'next_charge_at' | 'total_cents'> }) {
  const { state, next_charge_at: at } = invoice;
  switch (state) {
    case 'issued':
      return <Chip word="Issued" tone="wait" meaning={at === null ? 'It is about to be settled.' : `It is charged on ${localDay(at)}.`} />;
    case 'charging':
      return <Chip word="Being charged" tone="wait" meaning="The charge is on its way. It usually ends within minutes." />;
    case 'unknown':
      return (
        <Chip
          word="Being looked into"
          tone="wait"
          meaning="The provider has not said how the charge ended. It is asked again until it does; you are not charged twice."
        />
      );
    case 'paid':
      return <Chip word="Paid" tone="good" meaning="Nothing is open. Its commissions go on to their creators." />;
    case 'retrying':
      return (
        <Chip
          word="Charge failed"
          tone="bad"
          meaning={at === null ? 'It is not tried again by itself. Set another way to pay.' : `It is tried again on ${localDay(at)}.`}
        />
      );
    case 'past_due':
      return <Chip word="Past due" tone="bad" meaning="It could not be charged for a week. Links pause until it is paid." />;
    case 'charged_back':
      return <Chip word="Taken back" tone="bad" meaning="Your bank took the payment back after a dispute. The amount is open again." />;
    case 'void':
      return <Chip word="Void" tone="calm" meaning="Credit notes took all of it back. Nothing is to be paid." />;
  }
}

export function ChargeChip({ state }: Pick<Charge, 'state'>) {
  switch (state) {
    case 'ready':
    case 'sending':
    case 'pending':
      return <Chip word="On its way" tone="wait" meaning="It was asked for, and its end is not known yet." />;
    case 'unknown':
      return <Chip word="Being looked into" tone="wait" meaning="The provider has not answered. It is asked again until it does." />;
    case 'succeeded':
      return <Chip word="Succeeded" tone="good" meaning="The amount was charged." />;
    case 'declined':
      return <Chip word="Declined" tone="bad" meaning="The amount was not charged. What the provider said stands beside it." />;
    case 'absent':
      return <Chip word="Never arrived" tone="calm" meaning="The provider never got the request; nothing was charged." />;
  }
}

const methods: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  ok: ['Works', 'Every charge succeeds.'],
  declined: ['Is declined', 'Every charge is declined, as by a card that was blocked.'],
  timeout_then_ok: ['Answers late', 'The first call is lost on its way; sent again, it succeeds.'],
  insufficient_then_ok: ['Has too little at first', 'The first charge is declined for lack of money, the next one succeeds.'],
};

export const methodLabel = (word: string): string => methods[word]?.[0] ?? word;
export const methodMeaning = (word: string): string => methods[word]?.[1] ?? 'A word that only tests of the service use.';

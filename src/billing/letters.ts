import type { Letter } from '../notify/letter.ts';
import { dollars, type Cents } from '../platform/money.ts';
import { invoiceName, type Invoice } from './invoice.ts';

/** What every mail to a store says of it, and where its billing is looked at. */
export type StoreFacts = { readonly storeName: string; readonly url: string };

type OfInvoice = StoreFacts & { readonly invoice: Pick<Invoice, 'number' | 'linesCount' | 'totalCents' | 'nextChargeAt'> };

export function invoiceLetter({ storeName, url, invoice }: OfInvoice): Letter {
  const { number, linesCount, totalCents, nextChargeAt } = invoice;
  const what = linesCount === 1 ? 'one commission' : `${linesCount} commissions`;
  const charged =
    totalCents === 0n || nextChargeAt === null
      ? 'Your credit covers it; nothing is charged.'
      : `It is charged on ${dayText(nextChargeAt)}.`;
  return {
    subject: `${storeName}: invoice ${invoiceName(number)} over ${dollars(totalCents)}`,
    sentences: [`Invoice ${invoiceName(number)} of ${storeName} is over ${what}, ${dollars(totalCents)} in all.`, charged],
    button: { label: 'Look at the invoice', url },
    afterwards: ['Orders on it that are refunded from now on are credited by us: write to support.'],
  };
}

type Failed = OfInvoice & { readonly due: Cents; readonly why: string };

export function chargeFailedLetter({ storeName, url, invoice, due, why }: Failed): Letter {
  const { number, nextChargeAt } = invoice;
  const next = nextChargeAt === null ? 'It is not tried again by itself.' : `It is tried again on ${dayText(nextChargeAt)}.`;
  return {
    subject: `${storeName}: ${dollars(due)} could not be charged`,
    sentences: [`Invoice ${invoiceName(number)} of ${storeName}, ${dollars(due)}, could not be charged. ${sentence(why)}`, next],
    button: { label: 'Change how you pay', url },
    afterwards: ['A new payment method is charged at once with all that is open.'],
  };
}

export function pastDueLetter({ storeName, url, invoice, due }: Omit<Failed, 'why'>): Letter {
  return {
    subject: `${storeName} is past due`,
    sentences: [
      `Invoice ${invoiceName(invoice.number)} of ${storeName}, ${dollars(due)}, could not be charged for a week.`,
      "From now on your creators' links lead to your shop without counting. Orders that you report are still recorded.",
    ],
    button: { label: 'Change how you pay', url },
    afterwards: ['A new payment method is charged at once with all that is open; then the links count again.'],
  };
}

export function disputeLostLetter({ storeName, url, invoice, due }: Omit<Failed, 'why'>): Letter {
  return {
    subject: `${storeName}: the payment of invoice ${invoiceName(invoice.number)} was taken back`,
    sentences: [
      `The payment of invoice ${invoiceName(invoice.number)} was disputed, and your bank took it back. ${dollars(due)} are open again.`,
      `Until they are paid ${storeName} is past due: links of your creators do not count.`,
    ],
    button: { label: 'Change how you pay', url },
    afterwards: ['A new payment method is charged at once with all that is open.'],
  };
}

/** To the operators: money came in twice, and only a person can send it back. */
export const strayLetter = ({
  amount,
  charge,
  url,
}: {
  readonly amount: Cents;
  readonly charge: string;
  readonly url: string;
}): Letter => ({
  subject: `${dollars(amount)} came in that nobody owed`,
  sentences: [
    `The charge ${charge} of ${dollars(amount)} succeeded after its invoice was paid otherwise, credited or waived.`,
    'Nothing was posted for it.',
    'Please send it back at the provider, and then say so under Open charges. Until then the verification tells of it each night.',
  ],
  button: { label: 'Look at the charges', url },
  afterwards: [],
});

/** To a creator: nothing is asked of them, and what they earned stays theirs. */
export function creatorsPastDueLetter({ storeName, url }: StoreFacts): Letter {
  return {
    subject: `${storeName}: your links pause`,
    sentences: [
      `${storeName} has not paid its last bill. Until it does, your links still lead to the shop, but clicks on them do not count.`,
      'What you have earned there stays yours, and is paid out once the shop has paid.',
    ],
    button: { label: 'Look at your programs', url },
    afterwards: ['You need not change anything: the links count again by themselves.'],
  };
}

const dayText = (time: Date): string => time.toISOString().slice(0, 10);
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

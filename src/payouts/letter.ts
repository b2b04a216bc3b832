import type { Letter } from '../notify/letter.ts';
import { dollars, type Cents } from '../platform/money.ts';

type Facts = { readonly amount: Cents; readonly url: string };

/** To a creator, about their own money. */
export const paidLetter = ({ amount, url }: Facts): Letter => ({
  subject: `${dollars(amount)} were paid to you`,
  sentences: [`A payout of ${dollars(amount)} was sent to your payout method. Banks may take some days to show it.`],
  button: { label: 'See what it is for', url },
  afterwards: [],
});

export const failedLetter = ({ amount, url, why }: Facts & { readonly why: string }): Letter => ({
  subject: `A payout of ${dollars(amount)} did not work`,
  sentences: [
    `We could not pay ${dollars(amount)} to your payout method. It was told why: ${why}`,
    'The money is yours as before, and goes out with the next payout. Please look whether your payout method is right.',
  ],
  button: { label: 'Look at your payouts', url },
  afterwards: ['If you change your payout method, the new one is used after 72 hours.'],
});

export const returnedLetter = ({ amount, url, why }: Facts & { readonly why: string }): Letter => ({
  subject: `A payout of ${dollars(amount)} came back`,
  sentences: [
    `A payout of ${dollars(amount)} was sent to you and came back to us. It was told why: ${why}`,
    'The money is yours as before, and goes out with the next payout. Please put your payout method right before.',
  ],
  button: { label: 'Look at your payouts', url },
  afterwards: ['If you change your payout method, the new one is used after 72 hours.'],
});

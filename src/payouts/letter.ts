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
    `We could not pay ${dollars(amount)} to your payout method. The reason given: ${why}`,
    'The money is yours as before, and goes out with the next payout. Please look whether your payout method is right.',
  ],
  button: { label: 'Look at your payouts', url },
  afterwards: ['If you change your payout method, the new one is used after 72 hours.'],
});

export const returnedLetter = ({ amount, url, why }: Facts & { readonly why: string }): Letter => ({
  subject: `A payout of ${dollars(amount)} came back`,
  sentences: [
    `A payout of ${dollars(amount)} was sent to you and came back to us. The reason given: ${why}`,
    'The money is yours as before. It goes out with the next payout after you have said once more where to pay.',
  ],
  button: { label: 'Say where to pay', url },
  afterwards: ['If you change your payout method, the new one is used after 72 hours. If the old one is right, set it again as it is.'],
});

/** To all operators: of a payout's end the provider says the opposite of what it said before. */
export const contradictedLetter = ({
  amount,
  payout,
  isToldPaid,
  onItsWay,
  url,
}: Facts & {
  readonly payout: string;
  readonly isToldPaid: boolean;
  /** The creator's next one, which was sent before the news came. */
  readonly onItsWay: { readonly payout: string; readonly amount: Cents } | null;
}): Letter => ({
  subject: `The payout ${payout} ${isToldPaid ? 'failed, and is told paid' : 'was paid, and is told declined'}`,
  sentences: isToldPaid
    ? [
        `The payout ${payout} of ${dollars(amount)} failed, and now its provider says that it was paid. The books say that it failed.`,
        ...(onItsWay === null
          ? []
          : [
              `The payout ${onItsWay.payout} of ${dollars(onItsWay.amount)} to the same creator is on its way already, and may pay the same money twice: stop it at the provider, or do not transfer it if you pay by hand, and mark it as failed.`,
            ]),
        'Nothing more is sent to this creator until you decide: look at the provider, and have the money sent back to you.',
        `Once it is back, say so: “Money is back” at the payout, or POST /api/v1/payouts/${payout}/mark-failed. Then the creator is paid again. Until then the verification tells of it each night.`,
      ]
    : [
        `The payout ${payout} of ${dollars(amount)} was paid, and now its provider says that it was declined. The books say that it was paid.`,
        'Look at the provider. If the money never left, mark the payout as returned: the creator is paid again.',
      ],
  button: { label: 'Look at the payouts', url },
  afterwards: [],
});

/** To all operators: somebody wants fewer payouts to need two people. */
export const limitLetter = ({
  above,
  byName,
  url,
}: {
  readonly above: Cents | null;
  readonly byName: string;
  readonly url: string;
}): Letter => ({
  subject: `${byName} asks that ${above === null ? 'no payout' : `only a payout above ${dollars(above)}`} needs a second person`,
  sentences: [
    `${byName} asked to change the limit above which a second person confirms a payout, to ${above === null ? 'none' : dollars(above)}.`,
    'It holds only once somebody else sets the same. Until then the limit stays as it is.',
  ],
  button: { label: 'Look at the settings', url },
  afterwards: ['If this surprises you, ask them before you do anything: who can pay alone can pay themselves.'],
});

import type { Letter } from '../notify/letter.ts';

const percent = (points: number): string => `${points / 100} %`;

type Asked = { readonly fee: number; readonly current: number; readonly byName: string; readonly url: string };

/** To all operators: nobody raises the fee unseen. */
export const feeAskedLetter = ({ fee, current, byName, url }: Asked): Letter => ({
  subject: `${byName} asks for a platform fee of ${percent(fee)}`,
  sentences: [
    `${byName} asked to raise the platform fee from ${percent(current)} to ${percent(fee)}.`,
    'It is announced to stores only once another operator sets the same. Until then the fee stays as it is.',
  ],
  button: { label: 'Open the settings', url },
  afterwards: [],
});

type Rises = { readonly fee: number; readonly current: number; readonly from: Date; readonly url: string };

/** To the owners of all stores, and to the operators. */
export function feeRisesLetter({ fee, current, from, url }: Rises): Letter {
  const day = from.toISOString().slice(0, '2026-03-01'.length);
  return {
    subject: `The platform fee becomes ${percent(fee)} on ${day}`,
    sentences: [
      `From ${day} (UTC) invoices carry a platform fee of ${percent(fee)} on top of commissions. Today it is ${percent(current)}.`,
      'Invoices that are issued before that day keep the present fee.',
    ],
    button: { label: 'Open Tributary', url },
    afterwards: [],
  };
}

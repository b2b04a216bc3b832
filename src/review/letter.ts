import type { Letter } from '../notify/letter.ts';
import { dollars, type Cents } from '../platform/money.ts';

/** To the people of a store who may decide: what approves itself unless they say no. One mail a day, however many there are. */
export function approvalLetter(facts: {
  readonly storeName: string;
  readonly count: bigint;
  readonly amount: Cents;
  readonly first: Date;
  readonly url: string;
}): Letter {
  const { storeName, count, amount, first, url } = facts;
  const isOne = count === 1n;
  const what = isOne ? 'One commission approves itself' : `${count} commissions approve themselves`;
  return {
    subject: `${storeName}: ${isOne ? 'one commission approves itself' : `${count} commissions approve themselves`} soon`,
    sentences: [
      `${what} at ${storeName}, ${isOne ? '' : 'together '}${dollars(amount)}, from ${momentText(first)} on, as the program says.`,
      'Until then you can reject or hold what is not right. What is right needs nothing of you.',
    ],
    button: { label: isOne ? 'Look at it' : 'Look at them', url },
    afterwards: ['This mail is sent at least two days before. An approval can be taken back until it is billed.'],
  };
}

/** To the people of a store who may decide. */
export function disputeOpenedLetter({
  storeName,
  words,
  url,
}: {
  readonly storeName: string;
  readonly words: string;
  readonly url: string;
}): Letter {
  return {
    subject: `${storeName}: a creator objects to a rejection`,
    sentences: [`A creator objects to a commission that ${storeName} rejected. They write:`, `“${words}”`],
    button: { label: 'Look at it', url },
    afterwards: ['If you agree, the commission is pending again. If not, say why: the creator is told.'],
  };
}

/** What an answer comes to: agreed with, there may be nothing to reopen any more. */
export type DisputeAnswered = 'reopened' | 'approved' | 'reversed' | 'declined';

/** To the creator. */
export function disputeDecidedLetter(facts: {
  readonly storeName: string;
  readonly answered: DisputeAnswered;
  readonly note: string | null;
}): Letter {
  const { storeName, answered, note } = facts;
  const what = `${storeName} ${answers[answered]}`;
  return {
    subject: `${storeName} answered your objection`,
    sentences: note === null || note === '' ? [what] : [what, `They write: “${note}”`],
    button: null,
    afterwards: [],
  };
}

const answers: Readonly<Record<DisputeAnswered, string>> = {
  reopened: 'agreed with you: the commission is looked at once more.',
  approved: 'agreed with you: the commission was approved meanwhile.',
  reversed: 'agreed with you. The sale was refunded meanwhile, so that there is nothing to pay for it.',
  declined: 'looked at your objection and keeps the rejection.',
};

/** `2026-03-04 12:00 UTC` */
const momentText = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

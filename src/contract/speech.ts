import { cents, dollars } from '../core/money.ts';
import { apiMessage, type SayExplanation } from '../messages/api-message.ts';

/** A creator sees what concerns their click and their pay, and nothing about other people's orders. */
export type Reader = 'merchant' | 'creator';

/** The reader of an explanation, and how texts and values are written in their language. */
export type Speech = {
  readonly reader: Reader;
  /** Texts that creators can read. Texts for merchants alone are `apiMessage`. */
  readonly say: SayExplanation;
  /** Days, times, and names of months, such as `2026-11`, are in UTC. */
  readonly day: (iso: string) => string;
  readonly time: (iso: string) => string;
  readonly month: (name: string) => string;
  readonly money: (amount: bigint | number) => string;
  readonly percent: (basisPoints: number) => string;
  readonly list: (items: readonly string[]) => string;
  readonly inParentheses: (text: string) => string;
  /** Leaves out what is empty or null. */
  readonly paragraph: (sentences: ReadonlyArray<string | null>) => string;
};

/** Cuts at the T: an offset can lead to a year after 9999 or before 0, which has more than four digits. */
const day = (iso: string): string => iso.slice(0, iso.indexOf('T'));

/** As the API has always written them: programs may compare these texts. */
const english: Omit<Speech, 'reader'> = {
  say: apiMessage,
  day,
  time: (iso) => `${day(iso)} ${iso.slice(day(iso).length + 1).slice(0, 5)} UTC`,
  month: (name) => name,
  money: (amount) => dollars(cents(amount)),
  percent,
  list: (items) => items.join(', '),
  inParentheses: (text) => ` (${text})`,
  paragraph: joinSentences(' '),
};

export const speechToMerchants: Speech = { ...english, reader: 'merchant' };
export const englishToCreators: Speech = { ...english, reader: 'creator' };

/** 1,250 basis points are 12.5%. Uses whole numbers only, so that nothing is rounded. */
function percent(points: number): string {
  const fraction = String(points % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(points / 100)}${fraction === '' ? '' : `.${fraction}`}%`;
}

export function joinSentences(separator: string): Speech['paragraph'] {
  return (sentences) => sentences.filter((sentence) => sentence !== null && sentence !== '').join(separator);
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

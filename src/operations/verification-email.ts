import type { EmailContent } from '../notify/render-email.ts';
import type { VerificationDifference } from './verifications-sql.ts';

/** A longer email would not be read; the page lists the others. */
const shownMax = 5;

/** To the operators, if the daily verification found differences. */
export function differencesEmail(facts: {
  readonly differences: number;
  readonly found: readonly VerificationDifference[];
  readonly url: string;
}): EmailContent {
  const { differences, found, url } = facts;
  const count = differences === 1 ? 'one difference' : `${differences} differences`;
  const shown = found.slice(0, shownMax);
  return {
    subject: `The verification of the night found ${count}`,
    paragraphs: [
      `The job of the night recomputed every balance and looked whether everything that must be true is. It found ${count}:`,
      ...shown.map(({ what, store_id: store, detail }) => `${store === '' ? 'All stores' : store}: ${detail} (must hold: ${what})`),
      ...(differences > shown.length ? [`And ${differences - shown.length} more.`] : []),
      'Nothing was changed. Look at it before the next run of billing or payouts.',
    ],
    button: { label: 'Look at the books', url },
    footnotes: ['This mail comes each night until a verification finds everything in order.'],
  };
}

import { emailMessage } from '../messages/format-message.ts';
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
  const shown = found.slice(0, shownMax);
  const hidden = differences - shown.length;
  return {
    subject: emailMessage('verification.subject', { count: differences }),
    paragraphs: [
      emailMessage('verification.body', { count: differences }),
      ...shown.map(({ what, store_id: store, detail }) =>
        store === ''
          ? emailMessage('verification.all_stores', { detail, what })
          : emailMessage('verification.one_store', { store, detail, what }),
      ),
      ...(hidden > 0 ? [emailMessage('verification.more', { count: hidden })] : []),
      emailMessage('verification.action'),
    ],
    button: { label: emailMessage('verification.button'), url },
    footnotes: [emailMessage('verification.footnote')],
  };
}

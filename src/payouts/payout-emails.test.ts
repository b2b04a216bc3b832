import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { renderEmail } from '../notify/render-email.ts';
import { payoutFailedEmail } from './payout-emails.ts';

const sent = { amount: cents(123_456), url: 'https://tributary.example/creator/payouts' };
const textIn = (language: 'en' | 'de', failure: { readonly code: string; readonly message: string }): string =>
  renderEmail(payoutFailedEmail({ ...sent, failure }), language).text;

test('our own cause of a failed payout is in the language of the creator, and the words of a provider stay as they are', () => {
  const changed = { code: 'method_changed', message: 'The payout method was changed before the payout was sent.' };
  expect(textIn('en', changed)).toContain(
    'We couldn’t send 1,234.56 USD to your payout method. Reason: The payout method was changed before the payout was sent.',
  );
  expect(textIn('de', changed)).toContain(
    'Wir konnten 1.234,56 USD nicht an Ihre Auszahlungsmethode senden. Grund: Die Auszahlungsmethode wurde geändert, bevor die Auszahlung gesendet wurde.',
  );
  expect(textIn('de', { code: 'no_account', message: 'The account does not exist.' })).toContain('Grund: The account does not exist.');
});

import type { StoreBalances } from '../../api/api-schema.ts';
/** The accounts of a statement, as merchants know them. */
export const accounts: ReadonlyArray<readonly [account: keyof StoreBalances, name: string, meaning: string]> = [
  ['expected_cents', 'Expected', 'Commissions of recorded orders that no invoice stands for yet.'],
  ['owed_cents', 'Owed', 'On an invoice, and not paid yet.'],
  ['collected_cents', 'Paid by you', 'All that you have paid, since the beginning.'],
  ['to_creators_cents', 'Claims of creators', 'What creators have earned with you, since the beginning.'],
  ['fee_cents', 'Platform fee', 'The fee of all invoices, since the beginning.'],
  ['credit_cents', 'Your credit', 'What comes off your next invoices.'],
];

const accountLabels: Readonly<Record<string, string>> = {
  expected: 'Expected',
  owed: 'Owed',
  collected: 'Paid by you',
  to_creators: 'Claims of creators',
  fee: 'Platform fee',
  credit: 'Your credit',
};
export const accountName = (account: string): string => accountLabels[account] ?? account;

import type { Cents } from '../../api/parse-json.ts';
export type Balances = {
  readonly expected_cents: Cents;
  readonly owed_cents: Cents;
  readonly collected_cents: Cents;
  readonly fee_cents: Cents;
  readonly credit_cents: Cents;
  readonly to_creators_cents: Cents;
};

export type StatementLine = {
  readonly at: string;
  readonly what: string;
  readonly source: string;
  readonly order_id: string | null;
  readonly subscription_invoice_id: string | null;
  readonly commission_id: string | null;
  readonly invoice_id: string | null;
  readonly invoice_number: number | null;
  readonly creator_name: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount_cents: Cents;
};

/** The accounts of a statement, as merchants know them. */
export const accounts: ReadonlyArray<readonly [account: keyof Balances, name: string, meaning: string]> = [
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

import type { StoreBalances } from '../../../../sdk/src/api-schema.ts';
import { t } from './messages.ts';

/** The accounts of a statement, as merchants know them. */
export const accounts: ReadonlyArray<readonly [account: keyof StoreBalances, name: string, meaning: string]> = [
  ['expected_cents', t.statement_accounts.expected, t.statement_accounts.commissions_that_arent_on_an],
  ['owed_cents', t.statement_accounts.owed, t.statement_accounts.on_an_invoice_that_isnt],
  ['collected_cents', t.statement_accounts.paid, t.statement_accounts.total_youve_paid_to_date],
  ['to_creators_cents', t.statement_accounts.creator_commissions, t.statement_accounts.total_commissions_of_creators_to],
  ['fee_cents', t.statement_accounts.platform_fee, t.statement_accounts.fees_of_all_invoices_to],
  ['credit_cents', t.statement_accounts.credit, t.statement_accounts.deducted_from_your_next_invoices],
];

const accountLabels: Readonly<Record<string, string>> = {
  expected: t.statement_accounts.expected,
  owed: t.statement_accounts.owed,
  collected: t.statement_accounts.paid,
  to_creators: t.statement_accounts.creator_commissions,
  fee: t.statement_accounts.platform_fee,
  credit: t.statement_accounts.credit,
};
export const accountName = (account: string): string => accountLabels[account] ?? account;

import type { StoreBalances } from '../../api/api-schema.ts';
import { t } from './messages.ts';

/** The accounts of a statement, as merchants know them. */
export const accounts: ReadonlyArray<readonly [account: keyof StoreBalances, name: string, meaning: string]> = [
  ['expected_cents', t.statement_accounts.expected, t.statement_accounts.expected_help],
  ['owed_cents', t.statement_accounts.owed, t.statement_accounts.owed_help],
  ['collected_cents', t.statement_accounts.collected, t.statement_accounts.collected_help],
  ['to_creators_cents', t.statement_accounts.to_creators, t.statement_accounts.to_creators_help],
  ['fee_cents', t.statement_accounts.fee, t.statement_accounts.fee_help],
  ['credit_cents', t.statement_accounts.credit, t.statement_accounts.credit_help],
];

const accountLabels: Readonly<Record<string, string>> = {
  expected: t.statement_accounts.expected,
  owed: t.statement_accounts.owed,
  collected: t.statement_accounts.collected,
  to_creators: t.statement_accounts.to_creators,
  fee: t.statement_accounts.fee,
  credit: t.statement_accounts.credit,
};
export const accountName = (account: string): string => accountLabels[account] ?? account;

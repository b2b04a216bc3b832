import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { accountsEverOf } from './payout-methods-sql.ts';
import { openDestination } from './payout-methods.ts';

/** One spelling of an account: people write it in groups, with spaces or with dashes, in either case. */
export const comparableAccount = (account: string): string => account.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Every account that a creator is or was paid to, for comparing with another's. The sandbox's words are no accounts. Opened in
 * memory only: seals of one account differ.
 */
export async function payoutAccountsOf(db: Queryable, secrets: Secrets, creatorId: Id<'crt'>): Promise<ReadonlySet<string>> {
  const methods = await accountsEverOf(db, creatorId);
  return new Set(
    methods.map(({ provider, instrument }) =>
      provider === 'manual'
        ? `manual:${comparableAccount(openDestination(secrets, { creatorId, instrument }))}`
        : `${provider}:${instrument}`,
    ),
  );
}

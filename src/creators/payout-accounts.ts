import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { listAccountsEverUsed } from './payout-methods-sql.ts';
import { openDestination } from './payout-methods.ts';

/** Normalizes an account: people write it in groups, with spaces or dashes, in either case. */
export const comparableAccount = (account: string): string => account.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Every account that creators are or were paid to, for comparison with other creators. Sandbox methods are not accounts. Sealed accounts
 * are decrypted in memory, because two seals of one account differ.
 */
export async function listPayoutAccounts(
  db: Queryable,
  secrets: Secrets,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<ReadonlyMap<Id<'crt'>, ReadonlySet<string>>> {
  const accounts = new Map<Id<'crt'>, Set<string>>();
  for (const { creatorId, provider, instrument } of await listAccountsEverUsed(db, creatorIds)) {
    const account = provider === 'manual' ? comparableAccount(openDestination(secrets, { creatorId, instrument })) : instrument;
    const known = accounts.get(creatorId) ?? new Set();
    if (account !== '') accounts.set(creatorId, known.add(`${provider}:${account}`));
  }
  return accounts;
}

export const findPayoutAccounts = async (db: Queryable, secrets: Secrets, creatorId: Id<'crt'>): Promise<ReadonlySet<string>> =>
  (await listPayoutAccounts(db, secrets, [creatorId])).get(creatorId) ?? new Set();

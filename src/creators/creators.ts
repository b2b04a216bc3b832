import type { Queryable } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { insertCreator, type Creator } from './creators-sql.ts';
import { insertPayoutMethod } from './payout-methods-sql.ts';

type NewCreator = {
  readonly name: string;
  readonly email: string;
  /** What is there from the beginning is usable from the beginning: only a change has to wait. */
  readonly sandboxMethod: 'ok' | null;
  readonly at: Date;
};

export async function createCreator(db: Queryable, { name, email, sandboxMethod, at }: NewCreator): Promise<Creator> {
  const creator = await insertCreator(db, { creatorId: newId<'crt'>(at), name, email, createdAt: at });
  if (sandboxMethod !== null) {
    await insertPayoutMethod(db, {
      creatorId: creator.creatorId,
      provider: 'sandbox',
      instrument: sandboxMethod,
      last4: null,
      madeAt: at,
      usableFrom: at,
    });
  }
  return creator;
}

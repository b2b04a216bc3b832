import type { Queryable } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import { updateCreator } from '../people/users-sql.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { insertCreator, type Creator } from './creators-sql.ts';
import { insertPayoutMethod } from './payout-methods-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type NewCreator = {
  readonly name: string;
  readonly email: string;
  /** The first method is usable immediately; only a change has a cool-down. */
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

type NewOwnCreator = Parameters<typeof createCreator>[1] & { readonly userId: Id<'user'> };

/** A person can become a creator once. Of two parallel requests the second one fails and is rolled back. */
export async function becomeCreator(db: Queryable, { userId, ...newCreator }: NewOwnCreator): Promise<Creator | Refusal> {
  const creator = await createCreator(db, newCreator);
  const linked = await updateCreator(db, { userId, creatorId: creator.creatorId });
  return linked === 1 ? creator : refuse('conflict', apiMessage('create_creator.you_already_creator_get_api_v1_session'));
}

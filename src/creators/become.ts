import { updateCreator } from '../people/users-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import type { Id } from '../platform/ids.ts';
import type { Creator } from './creators-sql.ts';
import { createCreator } from './creators.ts';

type Newcomer = Parameters<typeof createCreator>[1] & { readonly userId: Id<'user'> };

/** A person becomes a creator, once: of two requests at the same time the second finds the person taken, and leaves nothing. */
export async function becomeCreator(db: Queryable, { userId, ...newCreator }: Newcomer): Promise<Creator | Refusal> {
  const creator = await createCreator(db, newCreator);
  const linked = await updateCreator(db, { userId, creatorId: creator.creatorId });
  return linked === 1 ? creator : refuse('conflict', 'You are a creator here already; GET /api/v1/session names you.');
}

import type { Queryable } from '../db/database.ts';
import type { RequestFacts } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { findUser } from '../people/users-sql.ts';
import type { Inviter } from './invite-creator.ts';

/** Invited strangers read the email in the language of the person who invites them. */
export async function inviterOf(db: Queryable, { actor, name, by }: Identity, { language }: RequestFacts): Promise<Inviter> {
  const user = by.is === 'session' ? await findUser(db, by.userId) : null;
  return { actor, name, language: user?.language ?? language };
}

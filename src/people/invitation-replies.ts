import { Type as T, type Static } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, type Refusal } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { realNow } from '../platform/time.ts';
import { timeField } from './fields.ts';
import type { Identity } from './identity.ts';
import { openInvitations, withdrawInvitation, type InvitationRow } from './invitations-sql.ts';
import type { Party } from './party.ts';
import { personBehind } from './person-behind.ts';

/** What the operations on invitations have in common, be it to a store, to the operators or to a creator. */
export const invitationReply = T.Object({
  id: T.String(),
  email: T.String(),
  role: orNull(T.String()),
  made_at: timeField,
  expires_at: timeField,
});

export const replyOf = ({ invitationId, email, role, madeAt, expiresAt }: InvitationRow): Static<typeof invitationReply> => ({
  id: publicId('invite', invitationId),
  email,
  role,
  made_at: isoTime(madeAt),
  expires_at: isoTime(expiresAt),
});

export async function listInvitations(db: Queryable, party: Party) {
  const invitations = await openInvitations(db, { party, now: realNow() });
  return { data: invitations.map(replyOf), next_cursor: null };
}

export async function withdraw(db: Queryable, party: Party, invitationId: Id<'invite'>): Promise<Refusal | undefined> {
  return (await withdrawInvitation(db, { party, invitationId, now: realNow() })) === 0 ? notFound : undefined;
}

/** An invitation of a key is its maker's: it ends with the rights of that person. */
export const inviterOf = async (db: Queryable, identity: Identity) => ({
  invitedBy: await personBehind(db, identity),
  inviterName: identity.name,
  askedBy: identity,
});
